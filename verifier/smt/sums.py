"""Sums and counts over large domains: one number, changed by what is written.

Reads:  a sum in a scope.   Writes: an opaque number for the sum before all writes, and its change since.
After:  the sum after a step is the sum before plus, for each written cell, the new contribution minus the old one. That is
        an identity if the summand reads written tables at its own variables only; the pass checks it, and otherwise
        the sum after the step is a number of its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pilgrim_rules.core.ir import Binder, Expr, Fold
from pilgrim_rules.engine.evaluate import evaluate
from verifier.smt.domains import Domain
from verifier.smt.query import OpaqueSum, Terms
from verifier.smt.states import Point, Scope
from verifier.smt.terms import Term

if TYPE_CHECKING:
    from verifier.smt.encode import Encoder

#: A binder with at most this many values may be spelled out to make the rest of a summand local.
SPLIT = 16


def contribution(encoder: Encoder, fold: Fold, domain: Domain, terms: Terms, scope: Scope) -> tuple[Term, Term]:
    """Return when a choice counts, and its value."""
    inner, counts = domain.enter(terms, scope)
    where = encoder.arena.truth(True) if fold.where is None else encoder.truth(fold.where, inner, 0)
    return encoder.arena.conj(counts, where), encoder.code(fold.body, inner)


def opaque(encoder: Encoder, fold: Fold, scope: Scope) -> Term:
    """Return a sum or count over a large domain."""
    before = scope.roots()
    if encoder.versions_key(fold, scope) == encoder.versions_key(fold, before):
        return _number(encoder, fold, before, written=None)
    domain = Domain.of(encoder, fold.binders)
    written = _written(encoder, fold, domain, scope)
    if written is None:
        return _number(encoder, fold, scope, written=None)
    arena = encoder.arena
    total = _number(encoder, fold, before, written)
    parts = [total]
    for terms, first in _distinct(encoder, domain, written):
        change = arena.sub(_part(encoder, fold, domain, terms, scope), _part(encoder, fold, domain, terms, before))
        parts.append(arena.ite(first, change, arena.num(0)))
    return arena.add(*parts)


def _part(encoder: Encoder, fold: Fold, domain: Domain, terms: Terms, scope: Scope) -> Term:
    counts, value = contribution(encoder, fold, domain, terms, scope)
    return encoder.arena.ite(counts, value, encoder.arena.num(0))


def _distinct(encoder: Encoder, domain: Domain, written: list[Terms]) -> list[tuple[Terms, Term]]:
    """Return each choice with the condition that it lies in the domain and differs from all before it."""
    arena = encoder.arena
    found = []
    for at, terms in enumerate(written):
        inside = [arena.within(term, slot.type.lo, slot.type.hi) for term, slot in zip(terms, domain.slots, strict=True)]
        apart = [
            arena.disj(*(arena.neg(arena.eq(mine, theirs)) for mine, theirs in zip(terms, other, strict=True)))
            for other in written[:at]
        ]
        found.append((terms, arena.conj(*inside, *apart)))
    return found


def narrowed(encoder: Encoder, fold: Fold) -> tuple[Binder, Fold] | None:
    """Return a small binder that some read does not mention, and the fold without it; spelled out, the rest is local."""
    domain = Domain.of(encoder, fold.binders)
    exprs = (fold.body,) if fold.where is None else (fold.where, fold.body)
    patterns = encoder.survey.patterns(exprs, tuple(slot.name for slot in domain.slots))
    variables = encoder.survey.footprint(fold).variables
    if len(fold.binders) == 1 or any(binder.among is not None for binder in fold.binders):
        return None
    for at, binder in enumerate(fold.binders):
        if binder.type.size <= SPLIT and any(name in variables and at not in places for name, places in patterns):
            if (id(fold), at) not in encoder.rewritten:
                without = replace(fold, binders=(*fold.binders[:at], *fold.binders[at + 1 :]))
                encoder.rewritten[id(fold), at] = (fold, without)
            _, inner = encoder.rewritten[id(fold), at]
            assert isinstance(inner, Fold)
            return binder, inner
    return None


def _written(encoder: Encoder, fold: Fold, domain: Domain, scope: Scope) -> list[Terms] | None:
    """Return the choices whose contribution a write can change; None if they cannot be told."""
    exprs: tuple[Expr, ...] = (fold.body,) if fold.where is None else (fold.where, fold.body)
    inside = tuple(part for binder in fold.binders if binder.among for part in binder.among[1])
    names = tuple(slot.name for slot in domain.slots)
    patterns = encoder.survey.patterns((*exprs, *inside), names)
    found: dict[Terms, None] = {}
    for variable, when in sorted(encoder.survey.footprint(fold).reads):
        writes = scope.state(when).writes.get(variable, ())
        for name, places in patterns:
            if name != variable or not writes:
                continue
            where = {place: at for at, place in enumerate(places) if isinstance(place, int)}
            if len(where) < len(domain.slots):
                return None
            for write in writes:
                if not isinstance(write, Point):
                    return None
                found[tuple(write.index[where[slot]] for slot in range(len(domain.slots)))] = None
    return list(found)


def _number(encoder: Encoder, fold: Fold, scope: Scope, written: list[Terms] | None) -> Term:
    """Return the opaque number of a sum in a state, made at the first use."""
    key = (id(fold), encoder.names_key(fold, scope), encoder.versions_key(fold, scope))
    if key not in encoder.numbers:
        encoder.numbers[key] = (fold, _make(encoder, fold, scope))
    _, known = encoder.numbers[key]
    known.written.extend(terms for terms in written or () if terms not in known.written)
    return known.number


def _make(encoder: Encoder, fold: Fold, scope: Scope) -> OpaqueSum:
    arena = encoder.arena
    domain = Domain.of(encoder, fold.binders)
    sample = tuple(arena.fresh("any", "Int", slot.type.lo, slot.type.hi) for slot in domain.slots)
    with encoder.query.later(2):
        part = _part(encoder, fold, domain, sample, scope)
    number = arena.fresh(fold.op, "Int", domain.size * part.lo, domain.size * part.hi)

    def whole() -> Term:
        return arena.eq(number, arena.add(*(_part(encoder, fold, domain, terms, scope) for terms in domain.choices())))

    def rest(written: list[Terms]) -> Term:
        """The cells that nobody touches contribute between their number times the least and times the most."""
        left = number
        others = arena.num(domain.size)
        for terms, first in _distinct(encoder, domain, written):
            left = arena.sub(left, arena.ite(first, _part(encoder, fold, domain, terms, scope), arena.num(0)))
            others = arena.sub(others, arena.as_int(first))
        low, high = arena.linear(0, ((part.lo, others),)), arena.linear(0, ((part.hi, others),))
        return arena.conj(arena.le(low, left), arena.le(left, high))

    made = OpaqueSum(
        number=number,
        whole=whole,
        rest=rest,
        actual=lambda candidate: evaluate(fold, candidate.scene(scope, encoder.survey.free(fold))),
    )
    encoder.query.sums.append(made)
    return made
