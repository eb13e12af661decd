"""Choices: `first x in …` and `best x in … by …` as terms.

Reads:  a pick in a scope.   Writes: a chain of cases over a small domain; over a large one an unknown that nothing beats.
After:  the term is the first value in the order of the keys, then of the binder; `none` (the type's last code) if nothing
        satisfies the condition.
"""

from __future__ import annotations

from collections.abc import Iterator

from pilgrim_rules.core.ir import Binder, Pick
from pilgrim_rules.core.loops import values_in_order
from pilgrim_rules.semantics.evaluate import evaluate
from verifier.smt.encode.context import Context
from verifier.smt.encode.domains import UNDEFINED
from verifier.smt.encode.encoded_states import Interpretation, Scope
from verifier.smt.encode.query import Universal, UniversalSlot
from verifier.smt.terms.terms import Arena, Term, Terms

#: Up to this many values a pick is written out.
WRITTEN_OUT = 16


def pick(encoder: Context, expr: Pick, scope: Scope) -> Term:
    """Return the value that is picked."""
    if encoder.spell_out or scope.concrete or expr.binder.type.size <= WRITTEN_OUT:
        return _chain(encoder, expr, scope)
    return _unbeaten(encoder, expr, scope)


def in_order(encoder: Context, binder: Binder, scope: Scope) -> list[Term]:
    """Return the values of a binder in its order; with a start, terms that go round from it."""
    arena, type_ = encoder.arena, binder.type
    if binder.start is None:
        return [arena.num(code) for code in values_in_order(binder)]
    start = encoder.code(binder.start, scope)
    return [_wrapped(arena, binder, arena.linear(at, ((1, start),))) for at in range(type_.size)]


def _wrapped(arena: Arena, binder: Binder, term: Term) -> Term:
    past = arena.le(arena.num(binder.type.hi + 1), term)
    return arena.ite(past, arena.linear(-binder.type.size, ((1, term),)), term)


def admitted(encoder: Context, binder: Binder, value: Term, scope: Scope) -> tuple[Scope, Term]:
    """Return the scope in which the binder stands for a value, and whether its relation admits the value."""
    inner = scope.bind({binder.name: value})
    if binder.among is None:
        return inner, encoder.arena.truth(True)
    name, index = binder.among
    at = tuple(encoder.code(each, scope) for each in index)
    return inner, encoder.constants.lookup(encoder.footprints.declared.constants[name], (*at, value))


def _judged(encoder: Context, expr: Pick, value: Term, scope: Scope) -> tuple[Term, list[Term]]:
    """Return whether a value is eligible, and its keys, smaller first."""
    arena = encoder.arena
    inner, eligible = admitted(encoder, expr.binder, value, scope)
    if expr.where is not None:
        eligible = arena.conj(eligible, encoder.truth(expr.where, inner, 0))
    keys = [arena.linear(0, ((-1 if key.descending else 1, encoder.code(key.value, inner)),)) for key in expr.keys]
    return eligible, keys


def _chain(encoder: Context, expr: Pick, scope: Scope) -> Term:
    arena = encoder.arena
    best, found = arena.num(expr.type.hi), arena.truth(False)
    best_keys: list[Term] = []
    for value in in_order(encoder, expr.binder, scope):
        eligible, keys = _judged(encoder, expr, value, scope)
        beats = arena.neg(found) if not best_keys else arena.disj(arena.neg(found), smaller(arena, keys, best_keys))
        takes = arena.conj(eligible, beats)
        best = arena.ite(takes, value, best)
        best_keys = [arena.ite(takes, mine, theirs) for mine, theirs in zip(keys, best_keys or keys, strict=True)]
        found = arena.disj(found, eligible)
    return best


def smaller(arena: Arena, left: list[Term], right: list[Term]) -> Term:
    """Return whether one list of keys comes before the other, the first difference deciding."""
    before = arena.truth(False)
    for mine, theirs in reversed(list(zip(left, right, strict=True))):
        before = arena.disj(arena.lt(mine, theirs), arena.conj(arena.eq(mine, theirs), before))
    return before


def _unbeaten(encoder: Context, expr: Pick, scope: Scope) -> Term:
    """Return an unknown that is eligible and that no eligible value comes before."""
    arena, query, binder = encoder.arena, encoder.query, expr.binder
    type_ = binder.type
    picked = arena.fresh(f"{binder.name} picked", "Int", expr.type.lo, expr.type.hi)
    query.meanings[picked.name] = lambda candidate: evaluate(expr, candidate.env(scope, encoder.footprints.free(expr)))
    found = arena.within(picked, type_.lo, type_.hi)
    eligible, keys = _judged(encoder, expr, picked, scope)
    query.add(arena.implies(found, eligible))

    def place(term: Term) -> Term:
        if binder.start is None:
            return arena.linear(0, ((-1 if binder.descending else 1, term),))
        start = encoder.code(binder.start, scope)
        turned = arena.sub(term, start)
        turned = arena.ite(arena.lt(term, start), arena.linear(type_.size, ((1, turned),)), turned)
        return arena.linear(0, ((-1 if binder.descending else 1, turned),))

    def not_beaten(terms: Terms) -> Term:
        (other,) = terms
        other_eligible, other_keys = _judged(encoder, expr, other, scope)
        first = smaller(arena, [*keys, place(picked)], [*other_keys, place(other)])
        return arena.implies(other_eligible, arena.conj(found, arena.disj(arena.eq(picked, other), first)))

    def beaten(candidate: Interpretation) -> Iterator[tuple[int, ...]]:
        try:
            right = evaluate(expr, candidate.env(scope, encoder.footprints.free(expr)))
        except UNDEFINED:  # nobody asks here
            return
        chosen = candidate.value(picked)
        if right != chosen and right <= type_.hi:
            yield (right,)

    exprs = (*(() if expr.where is None else (expr.where,)), *(key.value for key in expr.keys))
    patterns = encoder.footprints.patterns(exprs, (binder.name,))
    slots = (UniversalSlot(binder.name, type_),)
    query.universals.append(Universal("pick", arena.truth(True), slots, not_beaten, beaten, patterns))
    return picked
