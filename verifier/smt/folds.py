"""Folds: quantifiers, `unique` and aggregates as terms.

Reads:  folds in a scope.   Writes: unknowns for what may break a goal, universals for what is known everywhere, opaque
        sums over large domains.
After:  a fold over a small domain is spelled out; over a large one nothing is, until a candidate asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from pilgrim_rules.core.ir import BOOL, Apply, Binder, Bound, Expr, Fold, Unique
from pilgrim_rules.core.walk import substitute
from pilgrim_rules.engine.evaluate import evaluate
from verifier.smt import sums
from verifier.smt.domains import Domain
from verifier.smt.query import Terms, Universal
from verifier.smt.sign import Sign, Unsupported, flip
from verifier.smt.states import Scope
from verifier.smt.terms import Term

if TYPE_CHECKING:
    from verifier.smt.candidate import Candidate
    from verifier.smt.encode import Encoder

#: Up to this many values the terms of an aggregate are always written out; up to so many, unless a write changes them.
FEW, AGGREGATED = 4, 16


@dataclass(frozen=True, slots=True)
class Statement:
    """`all binders: conditions imply body`, the body negated for `none`; `source` is the fold it comes from."""

    source: Expr
    binders: tuple[Binder, ...]
    conditions: tuple[Expr, ...]
    body: Expr
    negated: bool


def quantifier(encoder: Encoder, fold: Fold, scope: Scope, sign: Sign) -> Term:
    """Return an `all` or `some` as a formula for a place of this sign."""
    statement = flatten(encoder, fold)
    if fold.op == "all":
        return universal(encoder, statement, scope, sign)
    return encoder.arena.neg(universal(encoder, statement, scope, flip(sign)))


def flatten(encoder: Encoder, fold: Fold) -> Statement:
    """Return the fold with the quantifiers of the same kind directly below it taken in."""
    binders = fold.binders
    conditions = () if fold.where is None else (fold.where,)
    body = fold.body
    outside = set(encoder.survey.free(fold))
    while True:
        inner, extra = _inner(fold.op, body)
        taken = outside | {binder.name for binder in binders}
        if inner is None or any(binder.name in taken for binder in inner.binders):
            return Statement(fold, binders, conditions, body, negated=fold.op == "some")
        binders = (*binders, *inner.binders)
        conditions = (*conditions, *extra, *(() if inner.where is None else (inner.where,)))
        body = inner.body


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


def universal(encoder: Encoder, statement: Statement, scope: Scope, sign: Sign) -> Term:
    """Return `all binders: body` for a place of this sign.

    Asserted, it is a guard behind which instances wait; denied, it is the body at unknowns that break it; where both
    matter, the guard is defined both ways.
    """
    query, arena = encoder.query, encoder.arena
    domain = Domain.of(encoder, statement.binders)

    def body(terms: Terms, side: Sign) -> Term:
        inner, counts = domain.enter(terms, scope)
        given = [encoder.truth(each, inner, flip(side)) for each in statement.conditions]
        if statement.negated:
            then = arena.neg(encoder.truth(statement.body, inner, flip(side)))
        else:
            then = encoder.truth(statement.body, inner, side)
        return arena.implies(arena.conj(counts, *given), then)

    if encoder.spell_out or (sign >= 0 and domain.size <= encoder.written_out):
        return arena.conj(*(body(terms, sign) for terms in domain.choices()))

    def broken(candidate: Candidate) -> Iterator[tuple[int, ...]]:
        return violations(domain, statement, scope, candidate)

    if sign < 0:
        return body(_unknowns(encoder, domain, broken), -1)
    guard = arena.fresh("holds")
    query.meanings[guard.name] = lambda candidate: next(broken(candidate), None) is None
    made = Universal(
        name="all " + ", ".join(binder.name for binder in statement.binders),
        guard=guard,
        slots=domain.slots,
        instance=lambda terms: body(terms, 1),
        violations=broken,
        patterns=encoder.survey.patterns((*statement.conditions, statement.body), domain.names),
    )
    query.universals.append(made)
    if sign == 0:
        query.add(arena.disj(guard, arena.neg(body(_unknowns(encoder, domain, broken), -1))))
    return guard


def violations(domain: Domain, statement: Statement, scope: Scope, candidate: Candidate) -> Iterator[tuple[int, ...]]:
    """Yield the values at which the statement is false in a candidate state."""
    if isinstance(statement.source, Unique):
        yield from twins(domain.encoder, statement.source, scope, candidate)
        return
    outside = candidate.scene(scope, domain.encoder.survey.free(statement.source))
    for values in domain.values():
        scene = domain.step_into(values, outside)
        if scene is None or not all(evaluate(each, scene) for each in statement.conditions):
            continue
        if bool(evaluate(statement.body, scene)) == statement.negated:
            yield values


def _unknowns(encoder: Encoder, domain: Domain, broken: Callable[[Candidate], Iterator[tuple[int, ...]]]) -> Terms:
    """Return unknowns for the slots; they stand for the first choice that breaks the statement, if there is one."""
    terms = tuple(encoder.unknown(slot.name or "nth", slot.type) for slot in domain.slots)
    encoder.query.stand_for(terms, lambda candidate: next(broken(candidate), domain.first))
    return terms


# -------------------------------------------------------------------------------------------------------------- unique


def unique(encoder: Encoder, expr: Unique, scope: Scope, sign: Sign) -> Term:
    """Return `unique`: two different choices never agree on all keys."""
    return universal(encoder, _pairwise(encoder, expr), scope, sign)


def _pairwise(encoder: Encoder, expr: Unique) -> Statement:
    known = encoder.rewritten.get(id(expr))
    if known is None:
        copies = {binder.name: Bound(f"{binder.name}'", binder.type) for binder in expr.binders}

        def second(part: Expr) -> Expr:
            return substitute(part, dict(copies))

        others = tuple(
            replace(
                binder,
                name=copies[binder.name].name,
                among=None if binder.among is None else (binder.among[0], tuple(map(second, binder.among[1]))),
                start=None,
            )
            for binder in expr.binders
        )
        where = () if expr.where is None else (expr.where, second(expr.where))
        pairs = [(Bound(binder.name, binder.type), copies[binder.name]) for binder in expr.binders]
        apart = Apply("or", tuple(Apply("!=", pair, BOOL) for pair in pairs), BOOL)
        agree = Apply("and", tuple(Apply("==", (key, second(key)), BOOL) for key in expr.keys), BOOL)
        made = Statement(expr, (*expr.binders, *others), (*where, apart), agree, negated=True)
        known = encoder.rewritten[id(expr)] = (expr, made)
    assert isinstance(known[1], Statement)
    return known[1]


def twins(encoder: Encoder, expr: Unique, scope: Scope, candidate: Candidate) -> Iterator[tuple[int, ...]]:
    """Yield pairs of choices that agree on all keys in a candidate state, without trying all pairs."""
    domain = Domain.of(encoder, expr.binders)
    outside = candidate.scene(scope, encoder.survey.free(expr))
    rows: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for values in domain.values():
        scene = domain.step_into(values, outside)
        if scene is not None and (expr.where is None or evaluate(expr.where, scene)):
            rows.setdefault(tuple(evaluate(key, scene) for key in expr.keys), []).append(values)
    for same in rows.values():
        for left, right in combinations(same, 2):
            yield (*left, *right)


# ---------------------------------------------------------------------------------------------------------- aggregates


def aggregate(encoder: Encoder, fold: Fold, scope: Scope) -> Term:
    """Return a count, sum, maximum or minimum."""
    domain = Domain.of(encoder, fold.binders)
    if encoder.spell_out or domain.size <= FEW or scope.concrete:
        return _written_out(encoder, fold, domain, scope)
    if domain.size <= AGGREGATED and not (fold.op in ("count", "sum") and sums.in_use(encoder, fold, domain, scope)):
        return _written_out(encoder, fold, domain, scope)
    match fold.op:
        case "count" | "sum":
            narrower = sums.narrowed(encoder, fold)
            if narrower is None:
                return sums.opaque(encoder, fold, scope)
            binder, inner = narrower
            num = encoder.arena.num
            values = range(binder.type.lo, binder.type.hi + 1)
            return encoder.arena.add(*(encoder.value(inner, scope.bind({binder.name: num(v)})) for v in values))
        case "max" | "min":
            return _extreme(encoder, fold, domain, scope)
        case _:
            raise Unsupported(f"`{fold.op}` is no aggregate")


def _written_out(encoder: Encoder, fold: Fold, domain: Domain, scope: Scope) -> Term:
    arena = encoder.arena
    parts = [sums.contribution(encoder, fold, domain, terms, scope) for terms in domain.choices()]
    if fold.op in ("count", "sum"):
        return arena.add(*(arena.ite(counts, value, arena.num(0)) for counts, value in parts))
    parts = [(counts, value) for counts, value in parts if not (counts.literal and not counts.value)]
    best = arena.num(0) if fold.default is None else encoder.code(fold.default, scope)
    found = arena.truth(False)
    for counts, value in parts:
        beats = arena.lt(best, value) if fold.op == "max" else arena.lt(value, best)
        best = arena.ite(arena.conj(counts, arena.disj(arena.neg(found), beats)), value, best)
        found = arena.disj(found, counts)
    return best


def _extreme(encoder: Encoder, fold: Fold, domain: Domain, scope: Scope) -> Term:
    """Return the largest (smallest) value over a large domain: a number that one choice has and no choice beats."""
    arena, query = encoder.arena, encoder.query
    witness = tuple(arena.fresh(slot.name or "nth", "Int", slot.type.lo, slot.type.hi) for slot in domain.slots)
    counts, value = sums.contribution(encoder, fold, domain, witness, scope)
    some = arena.fresh("some")
    default = arena.num(value.lo) if fold.default is None else encoder.code(fold.default, scope)
    number = arena.fresh(fold.op, "Int", min(value.lo, default.lo), max(value.hi, default.hi))
    query.add(arena.implies(some, arena.conj(counts, arena.eq(number, value))))
    query.add(arena.disj(some, arena.eq(number, default)))

    def best(candidate: Candidate) -> tuple[int, ...] | None:
        """Return the first choice that has the value of the fold."""
        outside = candidate.scene(scope, encoder.survey.free(fold))
        value = evaluate(fold, outside)
        for values in domain.values():
            scene = domain.step_into(values, outside)
            if (
                scene is not None
                and (fold.where is None or evaluate(fold.where, scene))
                and evaluate(fold.body, scene) == value
            ):
                return values
        return None

    query.meanings[some.name] = lambda candidate: best(candidate) is not None
    if not number.literal:
        query.meanings[number.name] = lambda candidate: evaluate(
            fold, candidate.scene(scope, encoder.survey.free(fold))
        )
    query.stand_for(witness, lambda candidate: best(candidate) or domain.first)

    def bound(terms: Terms) -> Term:
        each_counts, each = sums.contribution(encoder, fold, domain, terms, scope)
        ahead = arena.le(each, number) if fold.op == "max" else arena.le(number, each)
        return arena.implies(each_counts, arena.conj(some, ahead))

    def beaten(candidate: Candidate) -> Iterator[tuple[int, ...]]:
        outside = candidate.scene(scope, encoder.survey.free(fold))
        best, found = candidate.value(number), candidate.value(some)
        for values in domain.values():
            scene = domain.step_into(values, outside)
            if scene is not None and (fold.where is None or evaluate(fold.where, scene)):
                each = evaluate(fold.body, scene)
                if not found or (each > best if fold.op == "max" else each < best):
                    yield values

    exprs = (*(() if fold.where is None else (fold.where,)), fold.body)
    patterns = encoder.survey.patterns(exprs, domain.names)
    query.universals.append(Universal(f"{fold.op} bound", arena.truth(True), domain.slots, bound, beaten, patterns))
    return number
