"""Folds: counts, sums, maxima and minima as terms.

Reads:  folds in a scope.   Writes: terms; opaque numbers over large domains.
After:  an aggregate over a small domain is spelled out; over a large one nothing is, until a candidate asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from pilgrim_rules.core.ir import Fold
from pilgrim_rules.semantics.evaluate import evaluate
from verifier.smt.encode import sums
from verifier.smt.encode.context import Context
from verifier.smt.encode.domains import Domain
from verifier.smt.encode.encoded_states import Interpretation, Scope
from verifier.smt.encode.query import Universal
from verifier.smt.terms.terms import Term, Terms

#: Up to this many values the terms of an aggregate are always written out; up to this many, unless a write changes them.
FEW, AGGREGATED = 4, 16


def aggregate(encoder: Context, fold: Fold, scope: Scope) -> Term:
    """Return a count, sum, maximum or minimum."""
    domain = Domain.from_binders(encoder, fold.binders)
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
        case "all" | "some":
            raise AssertionError("a quantifier is a formula, no aggregate")
        case _:
            assert_never(fold.op)


def _written_out(encoder: Context, fold: Fold, domain: Domain, scope: Scope) -> Term:
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


def _extreme(encoder: Context, fold: Fold, domain: Domain, scope: Scope) -> Term:
    """Return the largest (smallest) value over a large domain: a number that one choice has and no choice beats."""
    arena, query = encoder.arena, encoder.query
    witness = tuple(arena.fresh(slot.name or "nth", "Int", slot.type.lo, slot.type.hi) for slot in domain.slots)
    counts, value = sums.contribution(encoder, fold, domain, witness, scope)
    some = arena.fresh("some")
    default = arena.num(value.lo) if fold.default is None else encoder.code(fold.default, scope)
    number = arena.fresh(fold.op, "Int", min(value.lo, default.lo), max(value.hi, default.hi))
    query.add(arena.implies(some, arena.conj(counts, arena.eq(number, value))))
    query.add(arena.disj(some, arena.eq(number, default)))

    def best(candidate: Interpretation) -> tuple[int, ...] | None:
        """Return the first choice that has the value of the fold."""
        value = evaluate(fold, candidate.env(scope, encoder.footprints.free(fold)))
        for values, env in domain.environments(candidate, scope, encoder.footprints.free(fold)):
            if (fold.where is None or evaluate(fold.where, env)) and evaluate(fold.body, env) == value:
                return values
        return None

    query.meanings[some.name] = lambda candidate: best(candidate) is not None
    if not number.literal:
        query.meanings[number.name] = lambda candidate: evaluate(
            fold, candidate.env(scope, encoder.footprints.free(fold))
        )
    query.stand_for(witness, lambda candidate: best(candidate) or domain.first)

    def bound(terms: Terms) -> Term:
        each_counts, each = sums.contribution(encoder, fold, domain, terms, scope)
        ahead = arena.le(each, number) if fold.op == "max" else arena.le(number, each)
        return arena.implies(each_counts, arena.conj(some, ahead))

    def beaten(candidate: Interpretation) -> Iterator[tuple[int, ...]]:
        best, found = candidate.value(number), candidate.value(some)
        for values, env in domain.environments(candidate, scope, encoder.footprints.free(fold)):
            if fold.where is None or evaluate(fold.where, env):
                each = evaluate(fold.body, env)
                if not found or (each > best if fold.op == "max" else each < best):
                    yield values

    exprs = (*(() if fold.where is None else (fold.where,)), fold.body)
    patterns = encoder.footprints.patterns(exprs, domain.names)
    query.universals.append(Universal(f"{fold.op} bound", arena.truth(True), domain.slots, bound, beaten, patterns))
    return number
