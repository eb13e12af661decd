"""Vacuity as far as play shows it: lines of the rules that matter in some state.

Reads:  a compiled game.   Writes: for each obligation about a line that matters, a witness: where it does.
After:  whatever is listed was evaluated in a state that a play reaches, or that an example arranges and the invariants
        allow. What is not listed is left to the solver. A witness of an earlier run counts only if it is evaluated again, and
        its state satisfies every current invariant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from math import prod

from pilgrim_rules.core.footprint import Footprints, values_of
from pilgrim_rules.core.ir import Action, Claim, Example, Refuse, Require
from pilgrim_rules.engine.machines.choose import wasm_is_installed
from pilgrim_rules.engine.probes import refusal_probe
from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.engine.python.compile import compiled as made
from pilgrim_rules.examples import CompiledReadings, run_reading
from pilgrim_rules.examples.run import lines_in
from pilgrim_rules.language.instances import non_default_options
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.reference import Args
from pilgrim_rules.walk.policies import ByAction
from pilgrim_rules.walk.random_source import RandomSource
from pilgrim_rules.walk.random_walk import random_arguments, walk
from verifier.claims.implication_premises import triggers
from verifier.claims.obligations import Obligation
from verifier.play.directed_hunt import states_that_meet
from verifier.play.replay import first_failing
from verifier.play.visits import Visits, replay_recorded
from verifier.prove.hints import Witness

#: Steps of random play; every how many states requirements are asked, and with how many arguments for one action.
STEPS, EVERY, ARGUMENTS = 6000, 30, 24
#: Legal moves of an action, each of whose arguments is replaced by others: so they get further than any arguments do.
NEAR = 2
#: In recorded plays, which are few, requirements are asked more often.
OFTEN = 6
#: For fewer lines than this no machine is made to play on: of a state of more bytes than that, a few states of random play are looked
#: at, and then examples and the solver tell sooner.
WORTH_A_MACHINE, LARGE, LITTLE = 16, 200, 120
RANDOM_PLAY = "random play"


def lines_that_matter(
    readings: CompiledReadings, asked: Sequence[Obligation], plays: Iterable[tuple[str, Sequence[str]]] = ()
) -> dict[str, Witness]:
    """Return where the lines matter, by the name of the obligation: in random play, in recorded plays, in examples."""
    look = _Look(Visits(readings.code, readings.footprints), asked)
    lines, large = len(look.requirements) + len(look.implications), readings.code.layout.size > LARGE
    if wasm_is_installed() and lines >= WORTH_A_MACHINE:
        look.in_bulk()
    elif lines:
        states = _random_game_states(look.visits)
        little = wasm_is_installed() and large
        look.along(islice(states, LITTLE) if little else states, EVERY, RANDOM_PLAY)
    for name, moves in plays:
        look.along(_recorded(look.visits, name, moves), OFTEN, f"the recorded play `{name}`")
    for example in readings.game.examples:
        look.at_example(readings, example)
    return look.found


@dataclass(slots=True)
class StillMatters:
    """Evaluates witnesses of earlier runs."""

    compiled: Compiled
    footprints: Footprints
    _allowed: dict[bytes, bool] = field(default_factory=dict)

    def shows(self, obligation: Obligation, witness: Witness) -> bool:
        """Return whether the invariants allow the state, and the line matters there."""
        if not self._is_allowed(witness.state):
            return False
        position, declared = self.compiled.layout.decode(witness.state), self.footprints.declared
        if obligation.kind == "triggered":
            return _applies(self.footprints, obligation, witness.state, self.compiled)
        action = declared.actions.get(str(witness.action))
        if action is None or len(action.params) != len(witness.args):
            return False
        inside = all(
            param.type.lo <= code <= param.type.hi for param, code in zip(action.params, witness.args, strict=True)
        )
        return inside and first_failing(declared, position, action, witness.args) == obligation.line

    def _is_allowed(self, state: bytes) -> bool:
        if state not in self._allowed:
            self._allowed[state] = self._is_well_typed(state) and all(
                self.compiled.holds(claim.name, state)
                for claim in self.compiled.game.claims
                if claim.kind in ("invariant", "conserved")
            )
        return self._allowed[state]

    def _is_well_typed(self, state: bytes) -> bool:
        layout = self.compiled.layout
        if len(state) != layout.size:
            return False
        try:
            return layout.encode(layout.decode(state)) == state
        except (ValueError, OverflowError):
            return False


def _applies(footprints: Footprints, obligation: Obligation, state: bytes, code: Compiled) -> bool:
    found = triggers(footprints.declared.claims[str(obligation.subject)].formula, footprints)
    number = int(str(obligation.line)) - 1
    position = code.layout.decode(state)
    return number < len(found) and bool(evaluate(found[number], Environment(footprints.declared, position, {})))


def _recorded(visits: Visits, name: str, moves: Sequence[str]) -> Iterator[bytes]:
    """Yield the states of a recorded play, as far as its moves are legal."""
    state = visits.compiled.start
    for move in replay_recorded(visits, name, moves):
        yield state
        state = visits.compiled.apply(state, *move)
    yield state


def _random_game_states(visits: Visits) -> Iterator[bytes]:
    """Yield the states of some random games, each played to its end: every action that is possible is as likely."""
    generator, left = RandomSource(7), STEPS
    while left > 0:
        yield visits.compiled.start
        before = left
        for step in walk(visits.compiled.start, visits.equally_weighted, visits.step, ByAction[str](), generator, left):
            left -= 1
            yield step.after
        if left == before:
            return
        left -= 1


class _Look:
    """What has been seen so far; `implications` and `requirements` are what is left, by name and by key."""

    def __init__(self, visits: Visits, asked: Sequence[Obligation]) -> None:
        self.visits = visits
        self.found: dict[str, Witness] = {}
        self.implications = {each.name: each for each in asked if each.kind == "triggered"}
        self.requirements = {str(each.line): each.name for each in asked if each.kind == "can_refuse"}
        self.generator = RandomSource(7)

    @cached_property
    def _probe(self) -> Compiled:
        """The implications as claims of a game without anything else, so that many states can be asked."""
        claims, footprints = self.visits.footprints.declared.claims, self.visits.footprints
        probes = tuple(
            Claim(name, "reachable", triggers(claims[str(each.subject)].formula, footprints)[int(str(each.line)) - 1])
            for name, each in self.implications.items()
        )
        bare = replace(footprints.game, claims=probes, actions=(), rankings=(), examples=(), score=None)
        return made(bare, ghosts=True)

    def in_bulk(self) -> None:
        """Play many games, and note what is met in them."""
        footprints = self.visits.footprints
        game, claims = footprints.game, footprints.declared.claims
        probes = {
            name: triggers(claims[str(each.subject)].formula, footprints)[int(str(each.line)) - 1]
            for name, each in self.implications.items()
        }
        refused = {
            f"{name} {action.name}": (name, action)
            for action in game.actions
            for line in action.guard
            if isinstance(line, Require) and (name := self.requirements.get(line.key)) is not None
        }
        keys = {name: key for key, name in self.requirements.items()}
        probes |= {each: refusal_probe(game, action, keys[name]) for each, (name, action) in refused.items()}
        for each, state in states_that_meet(self.visits.compiled, probes).items():
            if each in self.implications:
                del self.implications[each]
                self.found[each] = Witness(RANDOM_PLAY, state)
            else:
                self._refuse(state, refused[each][1], RANDOM_PLAY)

    def along(self, states: Iterable[bytes], every: int, play: str) -> None:
        """Look at the states of a play, every so often at the requirements."""
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
                self.found[name] = Witness(play, state)

    def at_requirements(self, state: bytes, play: str) -> None:
        """Note the requirements because of which a move is refused here, all before them being satisfied."""
        stage = self.visits.compiled.stage(state).code
        for action in self.visits.footprints.game.actions:
            if stage in action.stages and not self.requirements.keys().isdisjoint(_keys(action)):
                self._refuse(state, action, play)

    def _refuse(self, state: bytes, action: Action, play: str) -> None:
        """Note the requirements because of which the action is refused here with some arguments."""
        footprints, position = self.visits.footprints, self.visits.compiled.layout.decode(state)
        for args in (*_arguments(action, self.generator), *self._near(state, action)):
            key = first_failing(footprints.declared, position, action, args)
            if key in self.requirements:
                self.found[self.requirements.pop(key)] = Witness(play, state, action.name, args)

    def at_example(self, readings: CompiledReadings, example: Example) -> None:
        """Note the requirements because of which an example says that a move is refused in the reading at hand.

        Its position need not be reachable, but it satisfies the invariants, like a state that the solver would give.
        """
        actions, under = readings.footprints.declared.actions, non_default_options(readings.game)
        refused = {line.action for line in lines_in(readings.game, example, under) if isinstance(line, Refuse)}
        if not any(not self.requirements.keys().isdisjoint(_keys(actions[name])) for name in refused):
            return
        run = run_reading(readings.reading(readings.game), example, under)
        if run.says:
            return  # an obligation of its own
        for step in run.steps:
            if isinstance(step.line, Refuse):
                action, args = actions[step.line.action], step.line.args
                key = first_failing(readings.footprints.declared, step.before, action, args)
                if key in self.requirements:
                    state = self.visits.compiled.encoded(step.before)
                    name = self.requirements.pop(key)
                    self.found[name] = Witness(f"the example `{example.name}`", state, action.name, args)

    def _near(self, state: bytes, action: Action) -> Iterator[Args]:
        """Yield arguments that differ from those of a legal move in one place."""
        legal = list(self.visits.compiled.legal(state, action.name))
        for args in self.generator.sample(legal, NEAR):
            for place, param in enumerate(action.params):
                for code in range(param.type.lo, min(param.type.hi, param.type.lo + ARGUMENTS) + 1):
                    yield (*args[:place], code, *args[place + 1 :])


def _arguments(action: Action, generator: RandomSource) -> list[Args]:
    """Return all argument tuples if there are few, otherwise some."""
    types = [param.type for param in action.params]
    if prod(type_.size for type_ in types) <= ARGUMENTS:
        return list(values_of(types))
    return [random_arguments(types, generator) for _ in range(ARGUMENTS)]


def _keys(action: Action) -> Iterator[str]:
    return (line.key for line in action.guard if isinstance(line, Require))
