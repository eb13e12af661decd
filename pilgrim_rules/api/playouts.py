"""Playouts: many whole games, and what came of them.

Reads:  a game, a policy, seeds.   Writes: `Playouts`: results, lengths, scores and coverage, as NumPy arrays.
After:  game number k is the one that the library plays with the seed plus k; results are the same with and without
        WebAssembly, and with any number of threads.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from pilgrim_rules.api.policies import veiled_variables
from pilgrim_rules.api.scores import Points, points
from pilgrim_rules.api.veiled_player import VeiledPlayer
from pilgrim_rules.engine import bulk_play
from pilgrim_rules.engine.bulk_play import BulkPolicy, BulkResults, play_games
from pilgrim_rules.engine.machines.choose import machines
from pilgrim_rules.engine.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Playout(NamedTuple):
    """One game: its seed, how many decisions were made, whether it ended, who won, and everybody's points."""

    seed: int
    decisions: int
    over: bool
    winners: tuple[str, ...]
    points: dict[str, Points]


class Playouts:
    """Games that were played. A sequence of `Playout`; the arrays have an entry, or a row, for each game.

    players  the players' names, in seating order: the columns of `scores` and `winners`
    seed     of the first game
    used     how often each action was used in all games
    """

    def __init__(self, rules: Rules, seed: int, results: BulkResults) -> None:
        self.players = rules.players
        self.seed = seed
        self.used = {action.name: count for action, count in zip(rules.core.actions, results.used, strict=True)}
        self._per = 1 if rules.core.score is None else rules.core.score.per
        self._rows = results.rows
        self._row = struct.Struct(f"<IIII{len(self.players)}q")

    def __len__(self) -> int:
        return len(self._rows) // self._row.size

    def __getitem__(self, at: int) -> Playout:
        if not -len(self) <= at < len(self):
            raise IndexError(f"there are {len(self)} games")
        at %= len(self)
        decisions, _, over, winners, *units = self._row.unpack_from(self._rows, at * self._row.size)
        names = tuple(name for seat, name in enumerate(self.players) if winners >> seat & 1)
        scores = {name: points(each, self._per) for name, each in zip(self.players, units, strict=True)}
        return Playout(self.seed + at, decisions, bool(over), names, scores)

    def __iter__(self) -> Iterator[Playout]:
        return (self[at] for at in range(len(self)))

    def __repr__(self) -> str:
        return f"<Playouts: {len(self):,} games>"

    @cached_property
    def lengths(self) -> npt.NDArray[np.uint32]:
        """How many decisions each game took."""
        return self._numbers[:, 0]

    @cached_property
    def over(self) -> npt.NDArray[np.bool_]:
        """Whether each game came to its end."""
        return self._numbers[:, 2].astype(bool)

    @cached_property
    def winners(self) -> npt.NDArray[np.bool_]:
        """Whether each player won, alone or together with others."""
        import numpy as np  # noqa: PLC0415  (an extra)

        return (self._numbers[:, 3:4] >> np.arange(len(self.players), dtype=np.uint32) & 1).astype(bool)

    @cached_property
    def scores(self) -> npt.NDArray[np.float64]:
        """The points of each player."""
        import numpy as np  # noqa: PLC0415  (an extra)

        units = np.frombuffer(self._rows, np.uint8).reshape(len(self), -1)[:, 16:].copy().view("<i8")
        return units / self._per

    @cached_property
    def _numbers(self) -> npt.NDArray[np.uint32]:
        import numpy as np  # noqa: PLC0415  (an extra)

        return np.frombuffer(self._rows, np.uint8).reshape(len(self), -1)[:, :16].copy().view("<u4")


def playouts(
    rules: Rules, games: int, *, seed: int, start: bytes | None, policy: BulkPolicy, longest: int | None, threads: int
) -> Playouts:
    """Play games from a state, or from the start."""
    if games < 0 or threads < 1:
        raise ValueError("there are at least 0 games and 1 thread")
    found = play_games(
        rules.code,
        machines(rules.code),
        games,
        seed=seed,
        start=start,
        policy=policy,
        longest=longest,
        threads=min(threads, max(games, 1)),
        player=partial(VeiledPlayer, rules) if _searches(policy) and veiled_variables(rules.core) else None,
    )
    return Playouts(rules, seed, found)


def _searches(policy: BulkPolicy) -> bool:
    return any(each.kind == "mcts" for each in (policy, *policy.seats))


def perft(rules: Rules, depth: int, start: bytes | None = None) -> int:
    """Return how many plays of exactly this many decisions there are."""
    if depth < 0:
        raise ValueError("a depth is at least 0")
    return bulk_play.perft(rules.code, machines(rules.code)(), depth, start)
