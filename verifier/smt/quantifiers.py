"""Quantifiers: `all`, `some` and `unique` as terms.

Reads:  quantifiers in a scope.   Writes: unknowns for what may break a goal, universals for what is known everywhere.
After:  asserted, a quantifier over a large domain is a guard behind which instances wait; denied, it is its body at
        unknowns that break it; where both matter, the guard is defined both ways. A small domain is written out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING

from pilgrim_rules.core.ir import Apply, Binder, Expr, Fold, Unique
from pilgrim_rules.engine.evaluate import evaluate
from verifier.smt.domains import UNDEFINED, Domain
from verifier.smt.query import Slot, Terms, Universal
from verifier.smt.sign import Sign, flip
from verifier.smt.states import Scope
from verifier.smt.terms import Term
from verifier.survey import Pattern

if TYPE_CHECKING:
    from verifier.smt.candidate import Candidate
    from verifier.smt.encode import Encoder


@dataclass(frozen=True, slots=True)
class Statement:
    """Something claimed of all choices of some slots.

    source      the expression it comes from.
    body        the claim at given terms, for a place of this sign.
    violations  the choices at which it is false in a candidate state.
    """

    source: Expr
    name: str
    slots: tuple[Slot, ...]
    body: Callable[[Terms, Sign], Term]
    violations: Callable[[Candidate], Iterator[tuple[int, ...]]]
    patterns: list[Pattern]

    @property
    def size(self) -> int:
        """How many choices there are."""
        return prod(slot.size for slot in self.slots)


def quantifier(encoder: Encoder, fold: Fold, scope: Scope, sign: Sign) -> Term:
    """Return an `all` or `some` as a formula for a place of this sign."""
    if fold.op == "all":
        return _stated(encoder, _for_all(encoder, _flatten(encoder, fold), scope), sign)
    return encoder.arena.neg(_stated(encoder, _for_all(encoder, _flatten(encoder, fold), scope), flip(sign)))


def unique(encoder: Encoder, expr: Unique, scope: Scope, sign: Sign) -> Term:
    """Return `unique`: two different choices never agree on all keys."""
    return _stated(encoder, _no_twins(encoder, expr, scope), sign)


def _stated(encoder: Encoder, statement: Statement, sign: Sign) -> Term:
    query, arena = encoder.query, encoder.arena
    if encoder.spell_out or (sign >= 0 and statement.size <= encoder.written_out):
        choices = product(*(range(slot.type.lo, slot.type.hi + 1) for slot in statement.slots))
        return arena.conj(*(statement.body(tuple(map(arena.num, values)), sign) for values in choices))
    if sign < 0:
        return statement.body(_unknowns(encoder, statement), -1)
    guard = arena.fresh("holds")
    query.meanings[guard.name] = lambda candidate: next(statement.violations(candidate), None) is None
    query.universals.append(
        Universal(
            name=statement.name,
            guard=guard,
            slots=statement.slots,
            instance=lambda terms: statement.body(terms, 1),
            violations=statement.violations,
            patterns=statement.patterns,
        )
    )
    if sign == 0:
        query.add(arena.disj(guard, arena.neg(statement.body(_unknowns(encoder, statement), -1))))
    return guard


def _unknowns(encoder: Encoder, statement: Statement) -> Terms:
    """Return unknowns for the slots; they stand for the first choice that breaks the statement, if there is one."""
    terms = tuple(
        encoder.unknown(slot.name or "nth", slot.type, (id(statement.source), at))
        for at, slot in enumerate(statement.slots)
    )
    first = tuple(slot.type.lo for slot in statement.slots)
    encoder.query.stand_for(terms, lambda candidate: next(statement.violations(candidate), first))
    return terms


# ------------------------------------------------------------------------------------------------------------ all, some


@dataclass(frozen=True, slots=True)
class _Flat:
    """`all binders: conditions imply body`, the body negated for `some`, which is the denial of that."""

    source: Fold
    binders: tuple[Binder, ...]
    conditions: tuple[Expr, ...]
    body: Expr


def _flatten(encoder: Encoder, fold: Fold) -> _Flat:
    """Return the fold with the quantifiers of the same kind directly below it taken in."""
    made = _Flat(fold, fold.binders, () if fold.where is None else (fold.where,), fold.body)
    outside = set(encoder.survey.free(fold))
    while True:
        inner, extra = _inner(fold.op, made.body)
        taken = outside | {binder.name for binder in made.binders}
        if inner is None or any(binder.name in taken for binder in inner.binders):
            return made
        more = () if inner.where is None else (inner.where,)
        conditions = (*made.conditions, *extra, *more)
        made = replace(made, binders=(*made.binders, *inner.binders), conditions=conditions, body=inner.body)


def _inner(op: str, body: Expr) -> tuple[Fold | None, tuple[Expr, ...]]:
    """Return the quantifier below, with what stands before it."""
    match body:
        case Fold(op=inner) if inner == op:
            return body, ()
        case Apply(op="implies", args=(given, Fold(op="all") as then)) if op == "all":
            return then, (given,)
        case Apply(op="and", args=(*given, Fold(op="some") as then)) if op == "some":
            return then, tuple(given)
        case _:
            return None, ()


def _for_all(encoder: Encoder, flat: _Flat, scope: Scope) -> Statement:
    arena, negated = encoder.arena, flat.source.op == "some"
    domain = Domain.of(encoder, flat.binders)

    def body(terms: Terms, side: Sign) -> Term:
        inner, counts = domain.enter(terms, scope)
        given = [encoder.truth(each, inner, flip(side)) for each in flat.conditions]
        if negated:
            then = arena.neg(encoder.truth(flat.body, inner, flip(side)))
        else:
            then = encoder.truth(flat.body, inner, side)
        return arena.implies(arena.conj(counts, *given), then)

    def violations(candidate: Candidate) -> Iterator[tuple[int, ...]]:
        for values, scene in domain.scenes(candidate, scope, encoder.survey.free(flat.source)):
            try:
                counts = all(evaluate(each, scene) for each in flat.conditions)
                if counts and bool(evaluate(flat.body, scene)) == negated:
                    yield values
            except UNDEFINED:  # nobody asks there
                continue

    name = f"{flat.source.op} {', '.join(binder.name for binder in flat.binders)}"
    patterns = encoder.survey.patterns((*flat.conditions, flat.body), domain.names)
    return Statement(flat.source, name, domain.slots, body, violations, patterns)


# -------------------------------------------------------------------------------------------------------------- unique


def _no_twins(encoder: Encoder, expr: Unique, scope: Scope) -> Statement:
    arena = encoder.arena
    domain = Domain.of(encoder, expr.binders)
    width = len(domain.slots)

    def body(terms: Terms, side: Sign) -> Term:
        left, right = terms[:width], terms[width:]
        apart = arena.disj(*(arena.neg(arena.eq(mine, theirs)) for mine, theirs in zip(left, right, strict=True)))
        scopes = [domain.enter(half, scope) for half in (left, right)]
        given = [apart, *(counts for _, counts in scopes)]
        if expr.where is not None:
            given += [encoder.truth(expr.where, inner, flip(side)) for inner, _ in scopes]
        agree = [arena.eq(*(encoder.code(key, inner) for inner, _ in scopes)) for key in expr.keys]
        return arena.implies(arena.conj(*given), arena.neg(arena.conj(*agree)))

    def violations(candidate: Candidate) -> Iterator[tuple[int, ...]]:
        """Yield pairs of choices that agree on all keys, without trying all pairs."""
        rows: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        for values, scene in domain.scenes(candidate, scope, encoder.survey.free(expr)):
            try:
                if expr.where is None or evaluate(expr.where, scene):
                    rows.setdefault(tuple(evaluate(key, scene) for key in expr.keys), []).append(values)
            except UNDEFINED:  # nobody asks there
                continue
        for same in rows.values():
            for left, right in combinations(same, 2):
                yield (*left, *right)

    exprs = (*(() if expr.where is None else (expr.where,)), *expr.keys)
    ones = encoder.survey.patterns(exprs, domain.names)
    others = encoder.survey.patterns(exprs, (*("",) * width, *domain.names))
    name = f"unique {', '.join(binder.name for binder in expr.binders)}"
    return Statement(expr, name, (*domain.slots, *domain.slots), body, violations, [*ones, *others])
