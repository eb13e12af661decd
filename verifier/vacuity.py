"""Vacuity as far as play shows it: lines of the rules that matter in some state.

Reads:  a compiled game.   Writes: for each obligation about a line that matters, a sentence that says where.
After:  whatever is listed was evaluated in a state that a play reaches. What is not listed is left to the solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from math import prod

from pilgrim_rules.core.ir import Action, Claim, Require
from pilgrim_rules.engine.chance import below, seeded
from pilgrim_rules.engine.compile import Compiled
from pilgrim_rules.engine.compile import compiled as made
from pilgrim_rules.engine.reference import Args
from verifier.obligations import Obligation
from verifier.play import Visits, spell
from verifier.replay import first_failing
from verifier.survey import Survey, values_of
from verifier.triggers import triggers

#: Steps of random play; requirements are asked in one state of so many, with so many arguments for one action.
STEPS, EVERY, ARGUMENTS = 6000, 30, 24


def seen(compiled: Compiled, asked: Sequence[Obligation]) -> dict[str, str]:
    """Return where the lines matter, by the name of the obligation."""
    look = _Look(Visits(compiled, Survey.of(compiled.game)), asked)
    for number, state in enumerate(_wander(look.visits)):
        if not look.requirements and not look.implications:
            break
        look.at_implications(state)
        if number % EVERY == 0:
            look.at_requirements(state)
    return look.found


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


class _Look:
    """What has been seen so far; `implications` and `requirements` are what is left, by name and by key."""

    def __init__(self, visits: Visits, asked: Sequence[Obligation]) -> None:
        self.visits = visits
        self.found: dict[str, str] = {}
        self.implications = {each.name: each for each in asked if each.kind == "triggered"}
        self.requirements = {str(each.line): each.name for each in asked if each.kind == "can_refuse"}
        self.generator = seeded(7)

    @cached_property
    def _probe(self) -> Compiled:
        """The implications as claims of a game without anything else, so that many states can be asked."""
        claims, survey = self.visits.survey.world.claims, self.visits.survey
        probes = tuple(
            Claim(name, "reachable", triggers(claims[str(each.subject)].formula, survey)[int(str(each.line)) - 1])
            for name, each in self.implications.items()
        )
        bare = replace(survey.game, claims=probes, actions=(), rankings=(), examples=(), score=None)
        return made(bare, ghosts=True)

    def at_implications(self, state: bytes) -> None:
        """Note the implications that apply here."""
        for name in list(self.implications):
            if self._probe.holds(name, state):
                del self.implications[name]
                self.found[name] = "it applies in a state of random play"

    def at_requirements(self, state: bytes) -> None:
        """Note the requirements because of which a move is refused here, all before them being satisfied."""
        survey, position = self.visits.survey, self.visits.compiled.layout.decode(state)
        for action in survey.game.actions:
            if position["stage"][0] in action.stages and not self.requirements.keys().isdisjoint(_keys(action)):
                chosen, self.generator = _arguments(action, self.generator)
                for args in chosen:
                    key = first_failing(survey.world, position, action, args)
                    if key in self.requirements:
                        move = spell(survey.game, (action.name, args))
                        name = self.requirements.pop(key)
                        self.found[name] = f"`{move}` is refused because of it in a state of random play"


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
