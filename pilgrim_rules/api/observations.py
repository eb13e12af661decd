"""Observations: a state as a row of numbers, as one player may see it.

Reads:  states.   Writes: NumPy arrays, each entry from 0 to `highest`; or planes of zeros and ones.
After:  nothing of a cell that the player may not see can be told from the row.

The first entry is the player's seat, from 1; then comes every cell, in the order of `names`, as its place among the
values of its type. A cell that is not seen has the number after the last value. The bookkeeping of a set-up, which nothing reads or
writes any more once a player decides, can be left out.
"""

from __future__ import annotations

from functools import cached_property
from itertools import groupby
from typing import Final

import numpy as np
import numpy.typing as npt

from pilgrim_rules.core.footprint import reads
from pilgrim_rules.core.ir import Game
from pilgrim_rules.core.live_variables import live_variables
from pilgrim_rules.engine.rules import Rules, StateLike
from pilgrim_rules.semantics import python_values
from pilgrim_rules.semantics.cells import cell_name
from pilgrim_rules.semantics.visibility import Observer

Row = npt.NDArray[np.int64]
Planes = npt.NDArray[np.float32]
MOST_PLANES: Final = 64  #: of one entry; one with more values is a single number from 0 to 1
MOST_KEPT: Final = 4096  #: of what was found out about who sees what


class Observations:
    """How the states of a game are seen; with `bookkeeping`, every cell, as in `Batch.observations`."""

    def __init__(self, game: Rules, *, bookkeeping: bool = True) -> None:
        self._game = game
        self._fields = game.layout.fields
        self._starts = [1 + start for start in game.layout.starts()]
        self._veiled = [at for at, field in enumerate(self._fields) if field.variable.seen is not None]
        self._hidden: dict[tuple[int, int, bytes], Row] = {}  # by field, seat and what the audience is found out from
        self._runs: list[tuple[int, int, str]] = []  # cells of the same width are read at once: from byte, count, type
        for width, group in groupby(self._fields, key=lambda field: field.width):
            run = list(group)
            self._runs.append((run[0].offset, sum(field.count for field in run), f"<u{width}"))
        live = None if bookkeeping else variables_of_play(game.core)
        kept = [live is None or field.variable.name in live for field in self._fields for _ in range(field.count)]
        #: which entries of a row with every cell are entries of ours
        self.columns: Row = np.flatnonzero([True, *kept])
        self._all = len(self.columns) == self._starts[-1]

    def __repr__(self) -> str:
        return f"<Observations of {self._game.core.name}: {self.size} entries>"

    @property
    def size(self) -> int:
        """How many entries a row has."""
        return len(self.columns)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each entry stands for: `seat`, and the cells as the rules spell them."""
        cells = [cell_name(field, index) for field in self._fields for index in field.indices()]
        return tuple(np.array(["seat", *cells], dtype=object)[self.columns])

    @cached_property
    def highest(self) -> Row:
        """The greatest value of each entry."""
        found = np.empty(self._starts[-1], np.int64)
        found[0] = len(self._game.players)
        for field, start in zip(self._fields, self._starts, strict=False):
            unseen = field.variable.seen is not None
            # At least 1, where a type has one value only: no library likes an entry that cannot vary.
            found[start : start + field.count] = max(1, field.highest - field.variable.type.lo + unseen)
        return found[self.columns]

    def row(self, state: StateLike, player: str | int | None) -> Row:
        """Return what a player sees, by name or by seat, counted from 0; None is somebody who sees everything."""
        seat = self._seat(player)
        found = np.empty(self._starts[-1], np.int64)
        found[0] = 0 if seat is None else seat + 1
        at = 1
        for offset, count, width in self._runs:
            found[at : at + count] = np.frombuffer(state.data, width, count, offset)
            at += count
        if seat is not None and self._veiled:
            self._hide_cells(found, state, seat)
        return found if self._all else found[self.columns]

    def _seat(self, player: str | int | None) -> int | None:
        if player is None or (isinstance(player, int) and 0 <= player < len(self._game.players)):
            return player
        try:
            return python_values.code(self._game.core.player, player)
        except ValueError as problem:
            raise KeyError(str(problem)) from None

    # ---------------------------------------------------------------------------------------------------------- planes

    @cached_property
    def plane_names(self) -> tuple[str, ...]:
        """What each plane stands for: `turn = 1` is one if the entry `turn` is 1; a name alone is a number from 0 to 1."""
        return tuple(
            name if self.highest[at] >= MOST_PLANES else f"{name} = {value}"
            for at, name in enumerate(self.names)
            for value in (range(1) if self.highest[at] >= MOST_PLANES else range(int(self.highest[at]) + 1))
        )

    @cached_property
    def _plane_starts(self) -> Row:
        widths = np.where(self.highest >= MOST_PLANES, 1, self.highest + 1)
        return np.concatenate(([0], np.cumsum(widths)))

    def planes(self, rows: Row) -> Planes:
        """Return rows, one or many, with a plane for each value of each entry: one where the entry has it, and zero elsewhere."""
        table = np.atleast_2d(rows)
        found = np.zeros((len(table), int(self._plane_starts[-1])), np.float32)
        wide = self.highest >= MOST_PLANES
        starts = self._plane_starts[:-1]
        found[:, starts[wide]] = table[:, wide] / self.highest[wide]
        places = starts[~wide] + table[:, ~wide]
        np.put_along_axis(found, places, 1.0, axis=1)
        return found[0] if rows.ndim == 1 else found

    def _hide_cells(self, row: Row, state: StateLike, seat: int) -> None:
        for at, parts in self._audiences.items():
            key = (at, seat, b"".join(state.data[part] for part in parts))
            if key not in self._hidden:
                if len(self._hidden) >= MOST_KEPT:
                    self._hidden.clear()
                self._hidden[key] = self._hidden_cells(at, state, seat)
            field = self._fields[at]
            row[self._hidden[key]] = field.highest - field.variable.type.lo + 1

    @cached_property
    def _audiences(self) -> dict[int, tuple[slice, ...]]:
        """For each field that not everybody sees, the bytes of a state that say who does."""
        declared, layout = self._game.declared, self._game.layout
        found = {}
        for at in self._veiled:
            audience = self._fields[at].variable.seen
            assert audience is not None, "a veiled field has an audience"
            asked = reads((audience.test,), declared.defs, declared.networks)
            fields = (layout.by_name[name] for name in sorted(asked))
            found[at] = tuple(slice(each.offset, each.end) for each in fields)
        return found

    def _hidden_cells(self, at: int, state: StateLike, seat: int) -> Row:
        """Return which entries of a row a player does not see, of the cells of a field."""
        game, field = self._game, self._fields[at]
        visible = Observer(seat).visible(game.declared, game.layout, state.data, field.variable)
        cells = enumerate(field.indices(), self._starts[at])
        return np.array([cell for cell, index in cells if visible is not None and not visible(index)], np.int64)


def variables_of_play(core: Game) -> frozenset[str]:
    """Return the variables that can matter once a player decides, whoever it is and whatever has happened before."""
    stages = [stage.code for stage in core.stages if stage.kind == "player"]
    return frozenset[str]().union(*(live_variables(core, code) for code in stages))
