"""Walking through a game by its compiled functions: what can happen, how many plays and positions there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.autoplay import Runner
from pilgrim_rules.engine.python.compile import compiled


class Walk:
    """A game as a graph of decisions: whatever happens by itself has happened."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.code = compiled(game)
        self.runner = Runner(self.code)
        self.start, _ = self.runner.settle(self.code.start, None, [])

    def number(self, action: str) -> int:
        """Return the number of an action, as moves name it."""
        return next(at for at, each in enumerate(self.code.game.actions) if each.name == action)

    def kind(self, state: bytes) -> str:
        """Return who decides: `player`, `chance` or `nobody`."""
        return self.runner.row(state).kind

    def steps(self, state: bytes) -> Iterator[tuple[tuple[int, tuple[int, ...]], bytes]]:
        """Yield each legal move with the state it leads to."""
        for coded in self.runner.candidates(state):
            yield coded, self.runner.make(state, coded, None, [])[0]

    def after(self, state: bytes) -> list[bytes]:
        """Return the states that the legal moves lead to, one for each move."""
        return [there for _, there in self.steps(state)]

    def levels(self, depth: int) -> list[int]:
        """Return how many different positions there are after 0, 1, … moves; each is counted where it is first met."""
        seen, level, counts = {self.start}, [self.start], [1]
        for _ in range(depth):
            level = list({there for state in level for there in self.after(state)} - seen)
            seen.update(level)
            counts.append(len(level))
        return counts

    def plays(self) -> Counter[tuple[int, bytes]]:
        """Return how many plays there are of each length and with each end; the game must be finite."""
        level: Counter[bytes] = Counter([self.start])
        done: Counter[tuple[int, bytes]] = Counter()
        length = 0
        while level:
            further: Counter[bytes] = Counter()
            for state, ways in level.items():
                following = self.after(state)
                if not following:
                    done[length, state] += ways
                for there in following:
                    further[there] += ways
            level, length = further, length + 1
        return done

    def values(self, outcome: Callable[[bytes], int], mover: Callable[[bytes], int]) -> dict[bytes, int]:
        """Return the value of each state of a finite game without chance: movers of sign +1 want much, of -1 little."""
        known: dict[bytes, int] = {}
        stack = [self.start]
        while stack:
            state = stack[-1]
            following = self.after(state) if state not in known else []
            waiting = [there for there in following if there not in known]
            if waiting:
                stack += waiting
                continue
            if state not in known:
                values = [known[there] for there in following]
                known[state] = outcome(state) if not values else max(values) if mover(state) > 0 else min(values)
            stack.pop()
        return known
