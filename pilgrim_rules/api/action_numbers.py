"""ActionNumbers: every move of a game as a number, for libraries whose actions are numbers.

Reads:  the actions of a game.   Writes: numbers for moves, moves for numbers.
After:  a number means the same move in every position of every play of the same rules.

Moves are numbered through all values of all arguments, action by action in the order of the rules, the last argument
fastest. Most of them are not legal in a given position: that is what a mask is for. The alternative, to number the legal
moves of each position, would give shorter masks, but numbers from which nothing can be learned.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from math import prod

from pilgrim_rules.core.ir import ActionKind
from pilgrim_rules.engine.rules import Rules, StateLike
from pilgrim_rules.semantics.errors import BadMove
from pilgrim_rules.semantics.moves import Coded, Move
from pilgrim_rules.semantics.reference import Args

MOST = 1_000_000  #: a mask of more entries would be slower than any game


class ActionNumbers:
    """The moves of one kind, players' or chance's; `len` says how many there are."""

    __slots__ = ("_actions", "_book", "_decides", "_name", "_numbers", "_order", "_runner", "_starts")

    def __init__(self, game: Rules, kind: ActionKind = "action") -> None:
        actions = [(at, action) for at, action in enumerate(game.core.actions) if action.kind == kind]
        sizes = [tuple(param.type.size for param in action.params) for _, action in actions]
        self._name, self._runner, self._book = game.core.name, game.runner, game.runner.book
        self._decides = "player" if kind == "action" else "chance"
        self._starts = (0, *accumulate(map(prod, sizes)))
        self._actions = {
            at: (start, tuple((param.type.lo, param.type.size) for param in action.params))
            for (at, action), start in zip(actions, self._starts, strict=False)
        }
        self._order = tuple(self._actions)
        self._numbers: dict[str, int] = {}  # of the moves met so far
        if len(self) > MOST:
            raise ValueError(f"{game.title} has {len(self):,} moves; at most {MOST:,} can be numbered")

    def __repr__(self) -> str:
        return f"<ActionNumbers of {self._name}: {len(self):,} moves of {self._who}>"

    @property
    def _who(self) -> str:
        return "players" if self._decides == "player" else "chance"

    def __len__(self) -> int:
        return self._starts[-1]

    def places(self) -> Iterator[tuple[int, int, int]]:
        """Yield for each action, given by its number, the number of its first move and of the first move behind it."""
        yield from zip(self._order, self._starts, self._starts[1:], strict=False)

    def number(self, move: str) -> int:
        """Return the number of a move, legal or not; `BadMove` if somebody else makes such moves."""
        found = self._numbers.get(move)
        if found is None:
            action, args = self._book.codes(move)
            if action not in self._actions:
                raise BadMove(f"`{move}` has no number among the moves of {self._who}")
            start, places = self._actions[action]
            offset = 0
            for (lo, size), code in zip(places, args, strict=True):
                offset = offset * size + code - lo
            found = self._numbers[move] = start + offset
        return found

    def legal(self, state: StateLike) -> list[int]:
        """Return the numbers of the moves that are legal in a state, in ascending order; none while somebody else decides."""
        runner = self._runner
        if runner.row(state.data).kind != self._decides:
            return []
        offered = runner.moves(state.data) if self._decides == "player" else map(self._book.move, self._outcomes(state))
        return sorted(map(self.number, offered))

    def mask(self, state: StateLike) -> bytes:
        """Return a byte for each number: 1 if the move is legal in a state. `numpy.frombuffer(mask, bool)` makes an array of it."""
        found = bytearray(len(self))
        for number in self.legal(state):
            found[number] = 1
        return bytes(found)

    def _outcomes(self, state: StateLike) -> Iterator[Coded]:
        return (coded for coded, _ in self._runner.chance_outcomes(state.data))

    def move(self, number: int) -> Move:
        """Return the move with a number; IndexError if there is none."""
        if not 0 <= number < len(self):
            raise IndexError(f"moves are numbered from 0 to {len(self) - 1}, not {number}")
        action = self._order[bisect_right(self._starts, number) - 1]
        start, places = self._actions[action]
        offset = number - start
        args: Args = ()
        for lo, size in reversed(places):
            offset, code = divmod(offset, size)
            args = (code + lo, *args)
        return self._book.move((action, args))
