"""Sums and counts over large domains: one number, changed by what is written.

Reads:  a sum in a scope.   Writes: an opaque number for the sum before all writes, and its change since.
After:  the sum after a step is the sum before plus, for each written cell, the new contribution minus the old one. That is
        an identity if the summand reads written tables at its own variables only; the pass checks it, and otherwise
        the sum after the step is a number of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pilgrim_rules.core.ir import OPEN_END, Binder, Expr, Fold
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.evaluate import evaluate
from verifier.smt.encode.context import Context
from verifier.smt.encode.domains import UNDEFINED, Domain
from verifier.smt.encode.encoded_states import CellWrite, Interpretation, Scope
from verifier.smt.encode.query import OpaqueSum, Universal
from verifier.smt.terms.terms import Term, Terms

#: A binder with at most this many values may be spelled out to make the rest of a summand local.
SPLIT = 16
#: The definition of a sum over at most this many values is no burden, nor is measuring each of its parts.
SMALL = 32
#: A sum is compared with this many others of the same text.
ALIKE = 16


def contribution(encoder: Context, fold: Fold, domain: Domain, terms: Terms, scope: Scope) -> tuple[Term, Term]:
    """Return when a choice counts, and its value."""
    inner, counts = domain.enter(terms, scope)
    where = encoder.arena.truth(True) if fold.where is None else encoder.truth(fold.where, inner, 0)
    return encoder.arena.conj(counts, where), encoder.code(fold.body, inner)


def opaque(encoder: Context, fold: Fold, scope: Scope) -> Term:
    """Return a sum or count over a large domain."""
    before = scope.roots()
    if encoder.versions_key(fold, scope) == encoder.versions_key(fold, before):
        return _number(encoder, fold, before, written=None)
    domain = Domain.from_binders(encoder, fold.binders)
    written = _written(encoder, fold, domain, scope)
    if written is None:
        return _compared(encoder, fold, domain, scope, before)
    arena = encoder.arena
    total = _number(encoder, fold, before, written)
    parts = [total]
    for terms, first in _distinct(encoder, domain, written):
        change = arena.sub(_part(encoder, fold, domain, terms, scope), _part(encoder, fold, domain, terms, before))
        parts.append(arena.ite(first, change, arena.num(0)))
    return arena.add(*parts)


def in_use(encoder: Context, fold: Fold, domain: Domain, scope: Scope) -> bool:
    """Return whether a sum over a small domain is better kept as a number: a write changes it at known places."""
    before = scope.roots()
    if encoder.versions_key(fold, scope) == encoder.versions_key(fold, before):
        return _key(encoder, fold, before) in encoder.numbers
    return bool(_written(encoder, fold, domain, scope))


def _part(encoder: Context, fold: Fold, domain: Domain, terms: Terms, scope: Scope) -> Term:
    counts, value = contribution(encoder, fold, domain, terms, scope)
    return encoder.arena.ite(counts, value, encoder.arena.num(0))


def _distinct(encoder: Context, domain: Domain, written: list[Terms]) -> list[tuple[Terms, Term]]:
    """Return each choice with the condition that it lies in the domain and differs from all before it."""
    arena = encoder.arena
    found = []
    for at, terms in enumerate(written):
        inside = [
            arena.within(term, slot.type.lo, slot.type.hi) for term, slot in zip(terms, domain.slots, strict=True)
        ]
        apart = [
            arena.disj(*(arena.neg(arena.eq(mine, theirs)) for mine, theirs in zip(terms, other, strict=True)))
            for other in written[:at]
        ]
        found.append((terms, arena.conj(*inside, *apart)))
    return found


def _compared(encoder: Context, fold: Fold, domain: Domain, scope: Scope, before: Scope) -> Term:
    """Return a sum of its own, compared with the one before: it is larger only if some contribution is, and so on.

    A loop over the whole table leaves no list of written cells, but `no contribution grows and one falls` still makes
    the sum fall, which is what a proof of termination wants.
    """
    if _key(encoder, fold, scope) in encoder.numbers:
        return _number(encoder, fold, scope, written=None)
    arena, query = encoder.arena, encoder.query
    old, new = _number(encoder, fold, before, written=None), _number(encoder, fold, scope, written=None)

    def parts(terms: Terms) -> tuple[Term, Term]:
        return _part(encoder, fold, domain, terms, before), _part(encoder, fold, domain, terms, scope)

    def same_everywhere(terms: Terms) -> Term:
        return arena.eq(*parts(terms))

    def contributions(candidate: Interpretation) -> Iterator[tuple[tuple[int, ...], int, int]]:
        try:
            was, now = (candidate.env(each, encoder.footprints.free(fold)) for each in (before, scope))
            for values in domain.values():
                yield values, _value(fold, domain, values, was), _value(fold, domain, values, now)
        except UNDEFINED:  # nobody asks here
            return

    def changed(candidate: Interpretation) -> Iterator[tuple[int, ...]]:
        return (values for values, was, now in contributions(candidate) if was != now)

    patterns = encoder.footprints.patterns((fold.body, *([fold.where] if fold.where else [])), domain.names)
    same = arena.fresh("same")
    query.meanings[same.name] = lambda candidate: next(changed(candidate), None) is None
    query.universals.append(Universal("same contributions", same, domain.slots, same_everywhere, changed, patterns))
    for smaller, larger, falls in ((new, old, True), (old, new, False)):

        def against(candidate: Interpretation, *, falls: bool = falls) -> tuple[int, ...]:
            """Return a choice whose contribution changes the other way."""
            found = (values for values, was, now in contributions(candidate) if (was < now if falls else now < was))
            return next(found, domain.first)

        witness = tuple(arena.fresh(slot.name, "Int", slot.type.lo, slot.type.hi) for slot in domain.slots)
        query.stand_for(witness, against)
        old_part, new_part = parts(witness)
        exception = arena.lt(old_part, new_part) if falls else arena.lt(new_part, old_part)
        query.add(arena.disj(arena.le(smaller, larger), exception))
        query.add(arena.disj(arena.lt(smaller, larger), exception, same))
    return new


def _value(fold: Fold, domain: Domain, values: tuple[int, ...], outside: Environment) -> int:
    env = domain.step_into(values, outside)
    if env is None or (fold.where is not None and not evaluate(fold.where, env)):
        return 0
    return evaluate(fold.body, env)


def narrowed(encoder: Context, fold: Fold) -> tuple[Binder, Fold] | None:
    """Return a small binder that some read does not mention, and the fold without it; spelled out, the rest is local."""
    domain = Domain.from_binders(encoder, fold.binders)
    exprs = (fold.body,) if fold.where is None else (fold.where, fold.body)
    patterns = encoder.footprints.patterns(exprs, domain.names)
    variables = encoder.footprints.footprint(fold).variables
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


def _written(encoder: Context, fold: Fold, domain: Domain, scope: Scope) -> list[Terms] | None:
    """Return the choices whose contribution a write can change; None if they cannot be told."""
    exprs: tuple[Expr, ...] = (fold.body,) if fold.where is None else (fold.where, fold.body)
    inside = tuple(part for binder in fold.binders if binder.among for part in binder.among[1])
    patterns = encoder.footprints.patterns((*exprs, *inside), domain.names)
    found: dict[Terms, None] = {}
    for variable, when in sorted(encoder.footprints.footprint(fold).reads):
        writes = scope.state(when).writes.get(variable, ())
        for name, places in patterns:
            if name != variable or not writes:
                continue
            where = {place: at for at, place in enumerate(places) if isinstance(place, int)}
            if len(where) < len(domain.slots):
                return None
            for write in writes:
                if not isinstance(write, CellWrite):
                    return None
                found[tuple(write.index[where[slot]] for slot in range(len(domain.slots)))] = None
    return list(found)


def _number(encoder: Context, fold: Fold, scope: Scope, written: list[Terms] | None) -> Term:
    """Return the opaque number of a sum in a state, made at the first use."""
    key = _key(encoder, fold, scope)
    if key not in encoder.numbers:
        made = encoder.numbers[key] = (fold, _make(encoder, fold, scope))
        _agree(encoder, key, made[1])
    _, known = encoder.numbers[key]
    known.written.extend(terms for terms in written or () if terms not in known.written)
    return known.number


def _agree(encoder: Context, key: tuple[object, ...], made: OpaqueSum) -> None:
    """Say that the same sum for equal values of its names is the same number."""
    arena = encoder.arena
    fold, names, versions = key
    same = [other for other in encoder.numbers if other[0] == fold and other[2] == versions and other[1] != names]
    for other in same[:ALIKE]:
        pairs = list(zip(names, other[1], strict=True))  # type: ignore[call-overload]  # both are tuples of terms
        if all(isinstance(term, Term) for pair in pairs for term in pair):
            alike = arena.conj(*(arena.eq(mine, theirs) for mine, theirs in pairs))
            encoder.query.add(arena.implies(alike, arena.eq(made.number, encoder.numbers[other][1].number)))


def _key(encoder: Context, fold: Fold, scope: Scope) -> tuple[object, ...]:
    return (id(fold), encoder.names_key(fold, scope), encoder.versions_key(fold, scope))


def _make(encoder: Context, fold: Fold, scope: Scope) -> OpaqueSum:
    arena = encoder.arena
    domain = Domain.from_binders(encoder, fold.binders)
    sample = tuple(arena.fresh("any", "Int", slot.type.lo, slot.type.hi) for slot in domain.slots)
    with encoder.query.later(2):
        part = _part(encoder, fold, domain, sample, scope)
        parts = [part] * domain.size
        if domain.size <= SMALL:
            parts = [_part(encoder, fold, domain, terms, scope) for terms in domain.choices()]
    number = arena.fresh(fold.op, "Int", sum(each.lo for each in parts), sum(each.hi for each in parts))

    def all_cells() -> Term:
        return arena.eq(number, arena.add(*(_part(encoder, fold, domain, terms, scope) for terms in domain.choices())))

    def other_cells(written: list[Terms]) -> Term:
        """Return that the other cells contribute between their number times the least and times the most."""
        left = number
        others = arena.num(domain.size)
        for terms, first in _distinct(encoder, domain, written):
            left = arena.sub(left, arena.ite(first, _part(encoder, fold, domain, terms, scope), arena.num(0)))
            others = arena.sub(others, arena.as_int(first))
        sides = []
        if part.lo > -OPEN_END:
            sides.append(arena.le(arena.linear(0, ((part.lo, others),)), left))
        if part.hi < OPEN_END:
            sides.append(arena.le(left, arena.linear(0, ((part.hi, others),))))
        return arena.conj(*sides)

    made = OpaqueSum(
        number=number,
        small=domain.size <= SMALL,
        whole=all_cells,
        rest=other_cells,
        actual=lambda candidate: evaluate(fold, candidate.env(scope, encoder.footprints.free(fold))),
    )
    encoder.query.sums.append(made)
    if not number.literal:
        encoder.query.meanings[number.name] = made.actual
    return made
