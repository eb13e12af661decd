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

from pilgrim_rules.core.footprint import Pattern
from pilgrim_rules.core.ir import Apply, Binder, Expr, Fold, Unique
from pilgrim_rules.semantics.evaluate import evaluate
from verifier.smt.encode.context import Context
from verifier.smt.encode.domains import UNDEFINED, Domain
from verifier.smt.encode.encoded_states import Interpretation, Scope
from verifier.smt.encode.query import Universal, UniversalSlot
from verifier.smt.terms.polarity import Polarity, flip
from verifier.smt.terms.terms import Term, Terms


@dataclass(frozen=True, slots=True)
class Statement:
    """Something claimed of all choices of some slots.

    source      the expression it comes from.
    body        the claim at given terms, for a place of this polarity.
    violations  the choices at which it is false in a candidate state.
    """

    source: Expr
    name: str
    slots: tuple[UniversalSlot, ...]
    body: Callable[[Terms, Polarity], Term]
    violations: Callable[[Interpretation], Iterator[tuple[int, ...]]]
    patterns: list[Pattern]

    @property
    def size(self) -> int:
        """How many choices there are."""
        return prod(slot.size for slot in self.slots)


def quantifier(encoder: Context, fold: Fold, scope: Scope, polarity: Polarity) -> Term:
    """Return an `all` or `some` as a formula for a place of this polarity."""
    if fold.op == "all":
        return _stated(encoder, _for_all(encoder, _flatten(encoder, fold), scope), polarity)
    return encoder.arena.neg(_stated(encoder, _for_all(encoder, _flatten(encoder, fold), scope), flip(polarity)))


def unique(encoder: Context, expr: Unique, scope: Scope, polarity: Polarity) -> Term:
    """Return `unique`: two different choices never agree on all keys."""
    return _stated(encoder, _no_twins(encoder, expr, scope), polarity)


def _stated(encoder: Context, statement: Statement, polarity: Polarity) -> Term:
    query, arena = encoder.query, encoder.arena
    if encoder.spell_out or (polarity >= 0 and statement.size <= encoder.written_out):
        choices = product(*(range(slot.type.lo, slot.type.hi + 1) for slot in statement.slots))
        return arena.conj(*(statement.body(tuple(map(arena.num, values)), polarity) for values in choices))
    if polarity < 0:
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
    if polarity == 0:
        query.add(arena.disj(guard, arena.neg(statement.body(_unknowns(encoder, statement), -1))))
    return guard


def _unknowns(encoder: Context, statement: Statement) -> Terms:
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


def _flatten(encoder: Context, fold: Fold) -> _Flat:
    """Return the fold with the quantifiers of the same kind directly below it taken in."""
    made = _Flat(fold, fold.binders, () if fold.where is None else (fold.where,), fold.body)
    outside = set(encoder.footprints.free(fold))
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
        case _:  # no quantifier of the same kind
            return None, ()


def _for_all(encoder: Context, flat: _Flat, scope: Scope) -> Statement:
    arena, negated = encoder.arena, flat.source.op == "some"
    domain = Domain.from_binders(encoder, flat.binders)

    def body(terms: Terms, side: Polarity) -> Term:
        inner, counts = domain.enter(terms, scope)
        given = [encoder.truth(each, inner, flip(side)) for each in flat.conditions]
        if negated:
            then = arena.neg(encoder.truth(flat.body, inner, flip(side)))
        else:
            then = encoder.truth(flat.body, inner, side)
        return arena.implies(arena.conj(counts, *given), then)

    def violations(candidate: Interpretation) -> Iterator[tuple[int, ...]]:
        for values, env in domain.environments(candidate, scope, encoder.footprints.free(flat.source)):
            try:
                counts = all(evaluate(each, env) for each in flat.conditions)
                if counts and bool(evaluate(flat.body, env)) == negated:
                    yield values
            except UNDEFINED:  # nobody asks there
                continue

    name = f"{flat.source.op} {', '.join(binder.name for binder in flat.binders)}"
    patterns = encoder.footprints.patterns((*flat.conditions, flat.body), domain.names)
    return Statement(flat.source, name, domain.slots, body, violations, patterns)


# -------------------------------------------------------------------------------------------------------------- unique


def _no_twins(encoder: Context, expr: Unique, scope: Scope) -> Statement:
    arena = encoder.arena
    domain = Domain.from_binders(encoder, expr.binders)
    width = len(domain.slots)

    def body(terms: Terms, side: Polarity) -> Term:
        left, right = terms[:width], terms[width:]
        apart = arena.disj(*(arena.neg(arena.eq(mine, theirs)) for mine, theirs in zip(left, right, strict=True)))
        scopes = [domain.enter(half, scope) for half in (left, right)]
        given = [apart, *(counts for _, counts in scopes)]
        if expr.where is not None:
            given += [encoder.truth(expr.where, inner, flip(side)) for inner, _ in scopes]
        agree = [arena.eq(*(encoder.code(key, inner) for inner, _ in scopes)) for key in expr.keys]
        return arena.implies(arena.conj(*given), arena.neg(arena.conj(*agree)))

    def violations(candidate: Interpretation) -> Iterator[tuple[int, ...]]:
        """Yield pairs of choices that agree on all keys, without trying all pairs."""
        rows: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        for values, env in domain.environments(candidate, scope, encoder.footprints.free(expr)):
            try:
                if expr.where is None or evaluate(expr.where, env):
                    rows.setdefault(tuple(evaluate(key, env) for key in expr.keys), []).append(values)
            except UNDEFINED:  # nobody asks there
                continue
        for same in rows.values():
            for left, right in combinations(same, 2):
                yield (*left, *right)

    exprs = (*(() if expr.where is None else (expr.where,)), *expr.keys)
    ones = encoder.footprints.patterns(exprs, domain.names)
    others = encoder.footprints.patterns(exprs, (*("",) * width, *domain.names))
    name = f"unique {', '.join(binder.name for binder in expr.binders)}"
    return Statement(expr, name, (*domain.slots, *domain.slots), body, violations, [*ones, *others])
