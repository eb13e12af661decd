"""Observing: a state as a row of numbers, as one player may see it.

Reads:  states.   Writes: NumPy arrays, each entry from 0 to `highest`.
After:  nothing of a cell that the player may not see can be told from the row.

The first entry is the player's seat, from 1; then comes every cell, in the order of `names`, as its place among the
values of its type. A cell that is not seen has the number after the last value.
"""

from __future__ import annotations

from functools import cached_property
from itertools import groupby

import numpy as np
import numpy.typing as npt

from pilgrim_rules.engine.cells import cell_name
from pilgrim_rules.engine.game import Game
from pilgrim_rules.engine.state import State

Row = npt.NDArray[np.int64]


class Observing:
    """How the states of a game are seen."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._fields = game.layout.fields
        self._starts = [1 + start for start in game.layout.starts()]
        self._veiled = [at for at, field in enumerate(self._fields) if field.variable.sight != "open"]
        self._runs: list[tuple[int, int, str]] = []  # cells of the same width are read at once: from byte, count, type
        for width, group in groupby(self._fields, key=lambda field: field.width):
            run = list(group)
            self._runs.append((run[0].offset, sum(field.count for field in run), f"<u{width}"))

    @property
    def size(self) -> int:
        """How many entries a row has."""
        return self._starts[-1]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each entry stands for: `seat`, and the cells as the rules spell them."""
        cells = (cell_name(field, index) for field in self._fields for index in field.indices())
        return ("seat", *cells)

    @cached_property
    def highest(self) -> Row:
        """The greatest value of each entry."""
        found = np.empty(self.size, np.int64)
        found[0] = len(self._game.players)
        for field, start in zip(self._fields, self._starts, strict=False):
            unseen = field.variable.sight != "open"
            # At least 1, where a type has one value only: no library likes an entry that cannot vary.
            found[start : start + field.count] = max(1, field.variable.type.size - 1 + unseen)
        return found

    def row(self, state: State, seat: int | None) -> Row:
        """Return what the player in a seat, counted from 0, sees; None for somebody who sees everything."""
        found = np.empty(self.size, np.int64)
        found[0] = 0 if seat is None else seat + 1
        at = 1
        for offset, count, width in self._runs:
            found[at : at + count] = np.frombuffer(state.data, width, count, offset)
            at += count
        if seat is not None and self._veiled:
            self._veil(found, state, seat)
        return found

    def _veil(self, row: Row, state: State, seat: int) -> None:
        view = state.view(self._game.players[seat])
        for at in self._veiled:
            field = self._fields[at]
            seen = view.seen(field.variable)
            if seen is not None:
                for cell, index in enumerate(field.indices(), self._starts[at]):
                    if not seen(index):
                        row[cell] = field.variable.type.size
