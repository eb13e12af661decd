"""Sample: some states of a game that has too many, to see what a changed game does in them.

Reads:  a core game.   Writes: states that random play and examples visit, those near an action, and where another game
        differs.
After:  a difference found is real; that none was found proves nothing, and the words say so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from pilgrim_rules.core.ir import Arrange, Game, Make
from pilgrim_rules.engine.compile import Compiled, compiled
from pilgrim_rules.engine.effects import perform
from pilgrim_rules.engine.errors import Contradiction
from pilgrim_rules.engine.moves import Coded
from verifier.fuzz.coverage import Coverage
from verifier.fuzz.guide import Guide
from verifier.fuzz.subject import Broken, Subject
from verifier.mutate.rehearsal import Scene

Place: TypeAlias = tuple[int, int]  #: number of a play, and how many moves of it have been made


@dataclass(frozen=True, slots=True)
class Line:
    """A play with the states it visits: from the start, or from the position that an example arranges."""

    moves: tuple[Coded, ...]
    states: tuple[bytes, ...]
    example: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """Plays of a game. Those of examples come first: they have been chosen with care."""

    subject: Subject
    plays: tuple[Line, ...]

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
        random = Random(limit)  # noqa: S311  (not for secrets)
        chosen = random.sample(told, min(len(told), limit // 3))
        chosen += random.sample(made, min(len(made), limit // 3))
        return chosen + random.sample(due, min(len(due), limit - len(chosen)))

    def at(self, place: Place) -> tuple[bytes, tuple[Coded, ...], str]:
        """Return the state at a place, the moves that lead there, and the example that they are of."""
        line = self.plays[place[0]]
        return line.states[place[1]], line.moves[: place[1]], line.example

    @classmethod
    def of(cls, game: Game, *, games: int, longest: int, scenes: Iterable[Scene] = (), seed: int = 0) -> Sample:
        """Return what examples and some guided games visit."""
        subject, coverage = Subject(game), Coverage()
        told = [_told(subject, scene) for scene in scenes if not scene.under]
        played = [_play(subject, coverage, longest, Random(f"{seed}/{at}")) for at in range(games)]  # noqa: S311
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
    except Contradiction:
        return None


def _told(subject: Subject, scene: Scene) -> Line:
    """Return what an example visits after everything that it arranges; what it arranges later ends the line."""
    numbers = {action.name: at for at, action in enumerate(subject.core.actions)}
    layout, moves = subject.code.layout, list[Coded]()
    states = [layout.encode(scene.position)]

    def make(coded: Coded) -> None:
        states.append(subject.make(states[-1], coded))
        moves.append(coded)

    def happen() -> None:
        while subject.runner.row(states[-1]).kind == "auto":
            make(subject.options(states[-1])[0][0])

    for step in scene.steps:
        if isinstance(step, Arrange):
            if moves:
                break
            states = [layout.encode(perform(step.body, subject.reference.world, layout.decode(states[-1]), {}))]
        if isinstance(step, Make):
            happen()
            make((numbers[step.action], step.args))
    happen()
    return Line(tuple(moves), tuple(states), scene.name)


def _play(subject: Subject, coverage: Coverage, longest: int, random: Random) -> Line:
    guide = Guide.drawn(subject.core, random)
    moves: list[Coded] = []
    states = [subject.code.start]
    try:
        while len(moves) < longest and (options := subject.options(states[-1])):
            chosen = guide.choose(options, subject.core, coverage, random)
            states.append(subject.make(states[-1], chosen))
            moves.append(chosen)
            coverage.made(subject.core.actions[chosen[0]], chosen[1])
    except Broken:
        pass  # the game itself has a mistake; what was visited before is good enough
    return Line(tuple(moves), tuple(states))
