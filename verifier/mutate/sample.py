"""Sample: some states of a game that has too many, to see what a changed game does in them.

Reads:  a core game.   Writes: states that random play and examples visit, those near an action, and where another game
        differs.
After:  a difference found is real; that none was found proves nothing, and the words say so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from pilgrim_rules.core.ir import Arrange, Game, Make
from pilgrim_rules.engine.python.compile import Compiled, compiled
from pilgrim_rules.examples.run import first_claim, lines_in
from pilgrim_rules.language.instances import non_default_options
from pilgrim_rules.semantics.effects import perform
from pilgrim_rules.semantics.errors import STOPS
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.walk.random_source import RandomSource
from pilgrim_rules.walk.random_walk import walk
from verifier.fuzz.game_under_test import GameUnderTest, ProblemFound
from verifier.fuzz.play_coverage import PlayCoverage
from verifier.fuzz.player import swarm_policy
from verifier.mutate.prepared_examples import PreparedExample

Place: TypeAlias = tuple[int, int]  #: number of a play, and how many moves of it have been made


@dataclass(frozen=True, slots=True)
class SampledPlay:
    """A play with the states it visits: from the start, or from the position that an example arranges."""

    moves: tuple[Coded, ...]
    states: tuple[bytes, ...]
    example: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """Plays of a game. Those of examples come first: they have been chosen with care."""

    subject: GameUnderTest
    plays: tuple[SampledPlay, ...]

    def near(self, actions: Collection[str], limit: int) -> list[Place]:
        """Return some states in whose stages one of the actions may happen, those first in which it was made next.

        They are spread over the plays, and are the same each time.
        """
        numbers = {at for at, action in enumerate(self.subject.core.actions) if action.name in actions}
        told, made, due = list[Place](), list[Place](), list[Place]()
        for play, line in enumerate(self.plays):
            for at, state in enumerate(line.states):
                if at < len(line.moves) and line.moves[at][0] in numbers:
                    (told if line.example else made).append((play, at))
                elif not numbers.isdisjoint(self.subject.runner.row(state).actions):
                    due.append((play, at))
        random = RandomSource(limit)
        chosen = random.sample(told, limit // 3)
        chosen += random.sample(made, limit // 3)
        return chosen + random.sample(due, limit - len(chosen))

    def at(self, place: Place) -> tuple[bytes, tuple[Coded, ...], str]:
        """Return the state at a place, the moves that lead there, and the example that they are of."""
        line = self.plays[place[0]]
        return line.states[place[1]], line.moves[: place[1]], line.example

    @classmethod
    def from_play(
        cls, game: Game, *, games: int, longest: int, examples: Iterable[PreparedExample] = (), seed: int = 0
    ) -> Sample:
        """Return what examples and some guided games visit."""
        subject, coverage = GameUnderTest(game), PlayCoverage()
        told = [_example_play(subject, each) for each in examples if each.under == non_default_options(game)]
        played = [_play(subject, coverage, longest, RandomSource(f"{seed}/{at}")) for at in range(games)]
        return cls(subject, (*told, *played))

    @property
    def count(self) -> int:
        """How many states there are, each counted as often as it was visited."""
        return sum(len(line.states) for line in self.plays)

    def difference(self, other: Game, actions: Collection[str]) -> tuple[str, tuple[str, ...], bool]:
        """Return where another game does something else, the play that leads there, and whether it was seen at all."""
        theirs = compiled(other, ghosts=True)
        for line in self.plays:
            for at, state in enumerate(line.states):
                says = self._differs(theirs, state, actions)
                if says:
                    return says, tuple(self.subject.move(coded) for coded in line.moves[:at]), True
        return f"not seen to differ in {self.count:,} states", (), False

    def _differs(self, theirs: Compiled, state: bytes, actions: Collection[str]) -> str:
        mine = self.subject.code
        if mine.by(state) != theirs.by(state):
            return "somebody else decides"
        for number, action in enumerate(self.subject.core.actions):
            if action.name not in actions:
                continue
            here, there = (set(code.legal(state, action.name)) for code in (mine, theirs))
            for args in sorted(here ^ there):
                where = "the original" if args in here else "the changed game"
                return f"`{self.subject.move((number, args))}` is legal in {where} only"
            for args in sorted(here):
                if _after(mine, state, action.name, args) != _after(theirs, state, action.name, args):
                    return f"`{self.subject.move((number, args))}` leads to different states"
        return ""


def _after(code: Compiled, state: bytes, action: str, args: tuple[int, ...]) -> bytes | None:
    try:
        return code.apply(state, action, args)
    except STOPS:
        return None


def _example_play(subject: GameUnderTest, prepared: PreparedExample) -> SampledPlay:
    """Return what an example visits after everything that it arranges; what it arranges later ends the line."""
    numbers = {action.name: at for at, action in enumerate(subject.core.actions)}
    layout, moves = subject.code.layout, list[Coded]()
    states = [layout.encode(prepared.position)]

    def make(coded: Coded) -> None:
        states.append(subject.make(states[-1], coded))
        moves.append(coded)

    def run_autos() -> None:
        while subject.runner.row(states[-1]).kind == "auto":
            make(subject.options(states[-1])[0][0])

    for step in lines_in(subject.core, prepared.example, prepared.under)[first_claim(prepared.example.steps) :]:
        if isinstance(step, Arrange):
            if moves:
                break
            states = [layout.encode(perform(step.body, subject.reference.declared, layout.decode(states[-1]), {}))]
        if isinstance(step, Make):
            run_autos()
            make((numbers[step.action], step.args))
    run_autos()
    return SampledPlay(tuple(moves), tuple(states), prepared.example.name)


def _play(subject: GameUnderTest, coverage: PlayCoverage, longest: int, random: RandomSource) -> SampledPlay:
    policy = swarm_policy(subject.core, coverage, random)
    moves: list[Coded] = []
    states = [subject.code.start]
    try:
        for step in walk(states[0], subject.options, subject.make, policy, random, longest):
            states.append(step.after)
            moves.append(step.move)
            coverage.made(subject.core.actions[step.move[0]], step.move[1])
    except ProblemFound:
        pass  # the game itself has a mistake; what was visited before is good enough
    return SampledPlay(tuple(moves), tuple(states))
