"""Sample: some states of a game that has too many, to see what a changed game does in them.

Reads:  a core game.   Writes: states that random play visits, those near an action, and where another game differs.
After:  a difference found is real; that none was found proves nothing, and the words say so.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.compile import Compiled, compiled
from pilgrim_rules.engine.errors import Contradiction
from pilgrim_rules.engine.moves import Coded
from verifier.fuzz.coverage import Coverage
from verifier.fuzz.guide import Guide
from verifier.fuzz.subject import Broken, Subject

Place: TypeAlias = tuple[int, int]  #: number of a play, and how many moves of it have been made


@dataclass(frozen=True, slots=True)
class Sample:
    """Plays of a game, each with the states it visits."""

    subject: Subject
    plays: tuple[tuple[tuple[Coded, ...], tuple[bytes, ...]], ...]

    def near(self, actions: Collection[str], limit: int) -> list[Place]:
        """Return some states in whose stages one of the actions may happen, those first in which it was made next.

        They are spread over the plays, and are the same each time.
        """
        numbers = {at for at, action in enumerate(self.subject.core.actions) if action.name in actions}
        made, due = list[Place](), list[Place]()
        for play, (moves, states) in enumerate(self.plays):
            for at, state in enumerate(states):
                if at < len(moves) and moves[at][0] in numbers:
                    made.append((play, at))
                elif not numbers.isdisjoint(self.subject.runner.row(state).actions):
                    due.append((play, at))
        random = Random(limit)  # noqa: S311  (not for secrets)
        half = limit - min(len(due), limit // 2)
        chosen = random.sample(made, min(len(made), half))
        return chosen + random.sample(due, min(len(due), limit - len(chosen)))

    def at(self, place: Place) -> tuple[bytes, tuple[Coded, ...]]:
        """Return the state at a place, and the moves that lead there."""
        moves, states = self.plays[place[0]]
        return states[place[1]], moves[: place[1]]

    @classmethod
    def of(cls, game: Game, *, games: int, longest: int, seed: int = 0) -> Sample:
        """Return what some guided games visit."""
        subject, coverage = Subject(game), Coverage()
        return cls(subject, tuple(_play(subject, coverage, longest, Random(f"{seed}/{at}")) for at in range(games)))  # noqa: S311

    @property
    def count(self) -> int:
        """How many states there are, each counted as often as it was visited."""
        return sum(len(states) for _, states in self.plays)

    def difference(self, other: Game, actions: Collection[str]) -> tuple[str, tuple[str, ...], bool]:
        """Return where another game does something else, the play that leads there, and whether it was seen at all."""
        theirs = compiled(other, ghosts=True)
        for moves, states in self.plays:
            for at, state in enumerate(states):
                says = self._differs(theirs, state, actions)
                if says:
                    return says, tuple(self.subject.move(coded) for coded in moves[:at]), True
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


def _play(
    subject: Subject, coverage: Coverage, longest: int, random: Random
) -> tuple[tuple[Coded, ...], tuple[bytes, ...]]:
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
    return tuple(moves), tuple(states)
