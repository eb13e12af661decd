"""Vacuity as far as play shows it: lines of the rules that matter in some state.

Reads:  a compiled game.   Writes: for each obligation about a line that matters, a sentence that says where.
After:  whatever is listed was evaluated in a state that a play reaches. What is not listed is left to the solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod

from pilgrim_rules.core.ir import Action, Claim, Require
from pilgrim_rules.engine.chance import below, seeded
from pilgrim_rules.engine.compile import Compiled
from pilgrim_rules.engine.compile import compiled as made
from pilgrim_rules.engine.reference import Args
from verifier.obligations import Obligation
from verifier.play import Move, Visits, spell
from verifier.replay import first_failing
from verifier.survey import Survey, values_of
from verifier.triggers import triggers

#: Steps of random play; requirements are asked in one state of so many, with so many arguments for one action.
STEPS, EVERY, ARGUMENTS = 6000, 30, 24


def seen(compiled: Compiled, asked: Sequence[Obligation]) -> dict[str, str]:
    """Return where the lines matter, by the name of the obligation."""
    visits = Visits(compiled, Survey.of(compiled.game))
    states = list(_wander(visits))
    return {**_applied(visits, states, asked), **_refused(visits, states[::EVERY], asked)}


def _wander(visits: Visits) -> Iterator[bytes]:
    """Yield the states of some random games, each played to its end: every action that is possible is as likely."""
    generator = seeded(7)
    state = start = visits.compiled.start
    for _ in range(STEPS):
        yield state
        moves = visits.options(state)
        if moves:
            names = list(dict.fromkeys(name for name, _ in moves))
            at, generator = below(generator, len(names))
            moves = [move for move in moves if move[0] == names[at]]
            at, generator = below(generator, len(moves))
            state = visits.step(state, moves[at]) or start
        elif state == start:
            return
        else:
            state = start


def _applied(visits: Visits, states: Sequence[bytes], asked: Sequence[Obligation]) -> dict[str, str]:
    """Find states in which implications apply. They are compiled as claims, so that every visited state can be asked."""
    claims = visits.survey.world.claims
    todo = [each for each in asked if each.kind == "triggered"]
    if not todo:
        return {}
    probes = tuple(
        Claim(
            each.name, "reachable", triggers(claims[str(each.subject)].formula, visits.survey)[int(str(each.line)) - 1]
        )
        for each in todo
    )
    bare = replace(visits.compiled.game, claims=probes, actions=(), rankings=(), examples=(), score=None)
    probe = made(bare, ghosts=True)
    found: dict[str, str] = {}
    for state in dict.fromkeys(states):
        for each in todo:
            if each.name not in found and probe.holds(each.name, state):
                found[each.name] = "it applies in a state of random play"
    return found


def _refused(visits: Visits, states: Sequence[bytes], asked: Sequence[Obligation]) -> dict[str, str]:
    """Find moves that are refused because of a requirement, all before it being satisfied."""
    names = {str(each.line): each.name for each in asked if each.kind == "can_refuse"}
    return {
        names[key]: f"`{spell(visits.compiled.game, move)}` is refused because of it in a state of random play"
        for key, move in _tried(visits, list(dict.fromkeys(states)), frozenset(names))
    }


def _tried(visits: Visits, states: Sequence[bytes], keys: frozenset[str]) -> Iterator[tuple[str, Move]]:
    """Yield, for requirements that a few arguments break, the move that shows it."""
    left = set(keys)
    generator = seeded(7)
    for state in states:
        position = visits.compiled.layout.decode(state)
        for action in visits.compiled.game.actions:
            if position["stage"][0] in action.stages and not left.isdisjoint(_keys(action)):
                chosen, generator = _arguments(action, generator)
                for args in chosen:
                    key = first_failing(visits.survey.world, position, action, args)
                    if key in left:
                        left.discard(key)
                        yield key, (action.name, args)


def _arguments(action: Action, generator: int) -> tuple[list[Args], int]:
    """Return all argument tuples if there are few, otherwise some."""
    types = [param.type for param in action.params]
    if prod(type_.size for type_ in types) <= ARGUMENTS:
        return list(values_of(types)), generator
    found: list[Args] = []
    for _ in range(ARGUMENTS):
        drawn: list[int] = []
        for type_ in types:
            code, generator = below(generator, type_.size)
            drawn.append(type_.lo + code)
        found.append(tuple(drawn))
    return found, generator


def _keys(action: Action) -> Iterator[str]:
    return (line.key for line in action.guard if isinstance(line, Require))
