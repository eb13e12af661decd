"""Bulk loops: a simultaneous loop over a large domain as a function of the index, never unrolled.

Reads:  a loop in a scope.   Writes: the state after it, with one `BulkWrite` a variable; checks at one unknown round.
After:  `None` if some write is not at the loop's own variable; then the caller unrolls the loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pilgrim_rules.core.ir import Loop
from pilgrim_rules.semantics.effects import perform
from verifier.smt.encode.context import Context
from verifier.smt.encode.domains import Domain
from verifier.smt.encode.encoded_states import BulkWrite, EncodedState, Interpretation, Scope
from verifier.smt.encode.write_checks import PendingWrite, WriteChecks
from verifier.smt.terms.polarity import Unsupported
from verifier.smt.terms.terms import Term, Terms

#: A loop that cannot be kept as a function is unrolled up to this many rounds.
MOST_ROUNDS = 128


class RunRound(Protocol):
    """Runs the body of a simultaneous loop for one choice, and returns what it writes."""

    def __call__(
        self, checks: WriteChecks, loop: Loop, domain: Domain, terms: Terms, scope: Scope, path: Term, /
    ) -> list[PendingWrite]:
        """Return the writes of one round."""
        ...


def bulk_write(
    encoder: Context, loop: Loop, scope: Scope, path: Term, checks: WriteChecks, run_round: RunRound
) -> EncodedState | None:
    """Return the state after the loop."""
    domain = Domain.from_binders(encoder, (loop.binder,))
    (slot,) = domain.slots
    unchecked = WriteChecks(encoder)  # what is checked of one unknown round holds for all

    def rounds(term: Term) -> list[PendingWrite]:
        if term not in known:
            inside = encoder.arena.conj(path, encoder.arena.within(term, slot.type.lo, slot.type.hi))
            known[term] = run_round(unchecked, loop, domain, (term,), scope, inside)
        return known[term]

    known: dict[Term, list[PendingWrite]] = {}
    marker = encoder.arena.fresh(slot.name or "nth", "Int", slot.type.lo, slot.type.hi)
    with encoder.query.later(2):
        shape = rounds(marker)
    places = [entry.index.index(marker) if marker in entry.index else None for entry in shape]
    if None in places or len({(e.stmt.variable, at) for e, at in zip(shape, places, strict=True)}) > len(
        {entry.stmt.variable for entry in shape}
    ):
        if domain.size > MOST_ROUNDS:
            raise Unsupported("a simultaneous loop over a large domain writes at another index than its own variable")
        return None
    _check_one_round(checks, loop, domain, scope, path, run_round)
    state = scope.now
    for name in dict.fromkeys(entry.stmt.variable for entry in shape):
        at = next(at for entry, at in zip(shape, places, strict=True) if entry.stmt.variable == name)
        assert at is not None
        variable = encoder.footprints.declared.variables[name]
        state = state.write(
            variable, BulkWrite(_value(encoder, name, at, rounds), _after(encoder, loop, scope, path, name))
        )
    return state


def _value(
    encoder: Context, name: str, at: int, rounds: Callable[[Term], list[PendingWrite]]
) -> Callable[[Terms, Term], Term]:
    arena = encoder.arena

    def value(index: Terms, before: Term) -> Term:
        term = before
        for entry in rounds(index[at]):
            if entry.stmt.variable == name:
                same = (arena.eq(mine, theirs) for mine, theirs in zip(entry.index, index, strict=True))
                new = entry.value if entry.stmt.mode == "set" else arena.add(term, entry.value)
                term = arena.ite(arena.conj(entry.condition, *same), new, term)
        return term

    return value


def _after(encoder: Context, loop: Loop, scope: Scope, path: Term, name: str) -> Callable[[Interpretation], list[int]]:
    def after(candidate: Interpretation) -> list[int]:
        before = candidate.position(scope.now)
        if not candidate.value(path):
            return list(before[name])
        env = candidate.env(scope, tuple(scope.names))
        return perform((loop,), encoder.footprints.declared, before, dict(env.names))[name]

    return after


def _check_one_round(
    checks: WriteChecks, loop: Loop, domain: Domain, scope: Scope, path: Term, run_round: RunRound
) -> None:
    """Check the round of one unknown value: what holds for it holds for every round."""
    (slot,) = domain.slots
    encoder, arena = checks.encoder, checks.encoder.arena
    some = encoder.unknown(slot.name or "nth", slot.type, ("round", id(loop)))
    entries = run_round(checks, loop, domain, (some,), scope, path)
    checks.must_not_meet(entries)
    for entry in entries:
        if entry.stmt.mode == "set":
            checks.must_fit(entry.stmt, entry.condition, entry.value)
        else:
            variable = encoder.footprints.declared.variables[entry.stmt.variable]
            total = arena.add(
                scope.now.read(variable, entry.index),
                *(
                    arena.ite(
                        arena.conj(
                            other.condition, *(arena.eq(a, b) for a, b in zip(other.index, entry.index, strict=True))
                        ),
                        other.value,
                        arena.num(0),
                    )
                    for other in entries
                    if other.stmt.variable == entry.stmt.variable and other.stmt.mode == "add"
                ),
            )
            checks.must_fit(entry.stmt, entry.condition, total)
