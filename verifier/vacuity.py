"""Vacuity as far as play shows it: lines of the rules that matter in some state.

Reads:  a compiled game.   Writes: for each obligation about a line that matters, a sentence that says where.
After:  whatever is listed was evaluated in a state that a play reaches, or that an example arranges and the invariants
        allow. What is not listed is left to the solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from math import prod

from pilgrim_rules.core.ir import Action, Claim, Example, Refuse, Require
from pilgrim_rules.engine.chance import below, seeded
from pilgrim_rules.engine.compile import Compiled
from pilgrim_rules.engine.compile import compiled as made
from pilgrim_rules.engine.reference import Args
from verifier.examples import Telling
from verifier.ground import Ground
from verifier.obligations import Obligation
from verifier.play import Visits, play_again, spell
from verifier.replay import first_failing
from verifier.survey import values_of
from verifier.triggers import triggers

#: Steps of random play; requirements are asked in one state of so many, with so many arguments for one action.
STEPS, EVERY, ARGUMENTS = 6000, 30, 24
#: Legal moves of an action, each of whose arguments is replaced by others: so they get further than any arguments do.
NEAR = 2
#: In recorded plays, which are few, requirements are asked more often.
OFTEN = 6


def seen(
    ground: Ground, asked: Sequence[Obligation], plays: Iterable[tuple[str, Sequence[str]]] = ()
) -> dict[str, str]:
    """Return where the lines matter, by the name of the obligation: in random play, in recorded plays, in examples."""
    look = _Look(Visits(ground.code, ground.survey), asked)
    look.along(_wander(look.visits), EVERY, "random play")
    for name, moves in plays:
        look.along(_recorded(look.visits, name, moves), OFTEN, f"the recorded play `{name}`")
    for example in ground.game.examples:
        look.at_example(ground, example)
    return look.found


def _recorded(visits: Visits, name: str, moves: Sequence[str]) -> Iterator[bytes]:
    """Yield the states of a recorded play, as far as its moves are legal."""
    state = visits.compiled.start
    for move in play_again(visits, name, moves):
        yield state
        state = visits.compiled.apply(state, *move)
    yield state


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

    def along(self, states: Iterable[bytes], every: int, play: str) -> None:
        """Look at the states of a play, at the requirements in one of so many."""
        for number, state in enumerate(states):
            if not self.requirements and not self.implications:
                break
            self.at_implications(state, play)
            if number % every == 0:
                self.at_requirements(state, play)

    def at_implications(self, state: bytes, play: str) -> None:
        """Note the implications that apply here."""
        for name in list(self.implications):
            if self._probe.holds(name, state):
                del self.implications[name]
                self.found[name] = f"it applies in a state of {play}"

    def at_requirements(self, state: bytes, play: str) -> None:
        """Note the requirements because of which a move is refused here, all before them being satisfied."""
        survey, position = self.visits.survey, self.visits.compiled.layout.decode(state)
        for action in survey.game.actions:
            if position["stage"][0] in action.stages and not self.requirements.keys().isdisjoint(_keys(action)):
                chosen, self.generator = _arguments(action, self.generator)
                for args in (*chosen, *self._near(state, action)):
                    key = first_failing(survey.world, position, action, args)
                    if key in self.requirements:
                        move = spell(survey.game, (action.name, args))
                        name = self.requirements.pop(key)
                        self.found[name] = f"`{move}` is refused because of it in a state of {play}"

    def at_example(self, ground: Ground, example: Example) -> None:
        """Note the requirements because of which an example says that a move is refused.

        Its position need not be reachable, but it satisfies the invariants, like a state that the solver would give.
        """
        actions = ground.survey.world.actions
        refused = {step.action for step in example.steps if isinstance(step, Refuse)}
        if not any(not self.requirements.keys().isdisjoint(_keys(actions[name])) for name in refused):
            return
        telling = Telling(ground.under(ground.game), ())
        if telling.tell(example.steps).wrong:
            return  # an obligation of its own
        for position, name, args in telling.refused:
            key = first_failing(ground.survey.world, position, actions[name], args)
            if key in self.requirements:
                move = spell(ground.game, (name, args))
                self.found[self.requirements.pop(key)] = f"`{move}` is refused because of it in `{example.name}`"

    def _near(self, state: bytes, action: Action) -> Iterator[Args]:
        """Yield arguments that differ from those of a legal move in one place."""
        legal = list(self.visits.compiled.legal(state, action.name))
        for _ in range(min(NEAR, len(legal))):
            at, self.generator = below(self.generator, len(legal))
            for place, param in enumerate(action.params):
                for code in range(param.type.lo, min(param.type.hi, param.type.lo + ARGUMENTS) + 1):
                    yield (*legal[at][:place], code, *legal[at][place + 1 :])


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
