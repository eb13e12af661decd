"""Sweeps: a simultaneous loop over a large domain as a function of the index, never unrolled.

Reads:  a loop in a scope.   Writes: the state after it, with one `Sweep` a variable; checks at one unknown round.
After:  `None` if some write is not at the loop's own variable; then the caller unrolls the loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pilgrim_rules.core.ir import Loop
from pilgrim_rules.engine.effects import perform
from verifier.smt.domains import Domain
from verifier.smt.query import Terms
from verifier.smt.sign import Unsupported
from verifier.smt.states import Scope, State, Sweep
from verifier.smt.terms import Term

if TYPE_CHECKING:
    from verifier.smt.candidate import Candidate
    from verifier.smt.steps import Entry, Run

#: A loop that cannot be kept as a function is unrolled up to this many rounds.
MOST_ROUNDS = 128


def sweep(run: Run, loop: Loop, scope: Scope, path: Term) -> State | None:
    """Return the state after the loop."""
    encoder = run.encoder
    domain = Domain.of(encoder, (loop.binder,))
    (slot,) = domain.slots
    silent = type(run)(encoder)

    def rounds(term: Term) -> list[Entry]:
        if term not in known:
            entries: list[Entry] = []
            inside = encoder.arena.within(term, slot.type.lo, slot.type.hi)
            silent.round(loop, domain, (term,), scope, encoder.arena.conj(path, inside), entries)
            known[term] = entries
        return known[term]

    known: dict[Term, list[Entry]] = {}
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
    _check_one_round(run, loop, domain, scope, path)
    state = scope.now
    for name in dict.fromkeys(entry.stmt.variable for entry in shape):
        at = next(at for entry, at in zip(shape, places, strict=True) if entry.stmt.variable == name)
        assert at is not None
        variable = encoder.survey.world.variables[name]
        state = state.write(variable, Sweep(_value(run, name, at, rounds), _after(run, loop, scope, path, name)))
    return state


def _value(run: Run, name: str, at: int, rounds: Callable[[Term], list[Entry]]) -> Callable[[Terms, Term], Term]:
    arena = run.encoder.arena

    def value(index: Terms, before: Term) -> Term:
        term = before
        for entry in rounds(index[at]):
            if entry.stmt.variable == name:
                same = (arena.eq(mine, theirs) for mine, theirs in zip(entry.index, index, strict=True))
                new = entry.value if entry.stmt.mode == "set" else arena.add(term, entry.value)
                term = arena.ite(arena.conj(entry.condition, *same), new, term)
        return term

    return value


def _after(run: Run, loop: Loop, scope: Scope, path: Term, name: str) -> Callable[[Candidate], list[int]]:
    def after(candidate: Candidate) -> list[int]:
        before = candidate.position(scope.now)
        if not candidate.value(path):
            return list(before[name])
        scene = candidate.scene(scope, tuple(scope.names))
        return perform((loop,), run.encoder.survey.world, before, dict(scene.names))[name]

    return after


def _check_one_round(run: Run, loop: Loop, domain: Domain, scope: Scope, path: Term) -> None:
    """Check the round of one unknown value: what holds for it holds for every round."""
    (slot,) = domain.slots
    encoder, arena = run.encoder, run.encoder.arena
    entries: list[Entry] = []
    some = encoder.unknown(slot.name or "nth", slot.type, ("round", id(loop)))
    run.round(loop, domain, (some,), scope, path, entries)
    run.must_not_meet(entries)
    for entry in entries:
        if entry.stmt.mode == "set":
            run.must_fit(entry.stmt, entry.condition, entry.value)
        else:
            variable = encoder.survey.world.variables[entry.stmt.variable]
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
            run.must_fit(entry.stmt, entry.condition, total)
