"""Past: how a position of OpenSpiel came about, and what each player has seen of it.

Reads:  steps as they are made.   Writes: texts for information states; beliefs, from which a past can be drawn.
After:  a past never changes; what was worked out of it once is kept, and copies share it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pilgrim_rules.api.beliefs import Belief, Played
from pilgrim_rules.api.game import Game, State
from pilgrim_rules.api.looks import Looks
from pilgrim_rules.api.observations import Observations


class Past:
    """Everything that has happened up to a position: what came before, and the steps of the last decision."""

    __slots__ = ("_beliefs", "_first", "_texts", "before", "played")

    def __init__(self, first: bytes, played: Sequence[Played], before: Past | None = None) -> None:
        self.before = before
        self.played = tuple(played)
        self._first = first
        self._texts: dict[int, tuple[str, ...]] = {}
        self._beliefs: dict[int, Belief] = {}

    def then(self, played: Sequence[Played]) -> Past:
        """Return the past after a decision and what followed by itself."""
        return Past(self.last, played, self)

    @property
    def last(self) -> bytes:
        """The state now."""
        return self.played[-1][1] if self.played else self._first

    def seen(self, game: Game, observations: Observations, looks: Looks, player: int) -> tuple[str, ...]:
        """Return what a player has seen, step by step: each move as seen, what it told, and which cells look different."""
        if player not in self._texts:
            begin = (_changes(game, observations, player, self._first, None),)
            told = begin if self.before is None else self.before.seen(game, observations, looks, player)
            data = self._first
            for coded, after in self.played:
                told = (
                    *told,
                    f"{looks.step(data, coded, player)}; {_changes(game, observations, player, after, data)}",
                )
                data = after
            self._texts[player] = told
        return self._texts[player]

    def belief(self, game: Game, player: int) -> Belief:
        """Return which states the player must reckon with; `CannotSample` if they cannot be followed."""
        if player not in self._beliefs:
            known = (
                Belief(game, self._first, player) if self.before is None else self.before.belief(game, player).copy()
            )
            self._beliefs[player] = known.see(self.played)
        return self._beliefs[player]

    def __deepcopy__(self, memo: dict[int, object]) -> Past:
        return self


def _changes(game: Game, observations: Observations, player: int, now: bytes, before: bytes | None) -> str:
    row = observations.row(State(game, now), player)
    last = np.full_like(row, -1) if before is None else observations.row(State(game, before), player)
    return " ".join(f"{observations.names[at]}={row[at]}" for at in np.flatnonzero(row != last))
