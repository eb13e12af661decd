"""Visibility: which cells of a state somebody may see.

Reads:  the audiences of variables.   Writes: nothing.
After:  what an observer is told are the cells whose audience the observer belongs to. A spectator is told what every player sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.ir import Variable
from pilgrim_rules.semantics.cells import Visible
from pilgrim_rules.semantics.observation import sees
from pilgrim_rules.semantics.state_layout import Field, StateLayout


class HiddenCell(Exception):
    """A cell was read that the observer may not see."""


class MaskedCells(Sequence[int]):
    """The codes of a variable, of which only some may be read: `HiddenCell` for any other.

    What is evaluated with masked cells gives a value only if it needs no hidden cell. Whether it does is decided by
    visible cells alone, so that nothing can be told from a missing value either.
    """

    __slots__ = ("_codes", "_mask")

    def __init__(self, codes: Sequence[int], mask: bytes) -> None:
        """Hide each cell whose byte of the mask is 0."""
        self._codes = codes
        self._mask = mask

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[int]: ...
    def __getitem__(self, at: int | slice) -> int | Sequence[int]:
        """Return a cell, or `HiddenCell`."""
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        if not self._mask[at]:
            raise HiddenCell
        return self._codes[at]

    def __len__(self) -> int:
        return len(self._codes)


@dataclass(frozen=True, slots=True)
class Observer:
    """Somebody who looks at a game: a player by code, or None for a spectator."""

    player: int | None

    def visible(self, declared: Declarations, layout: StateLayout, state: bytes, variable: Variable) -> Visible | None:
        """Return which cells of a variable may be seen in this state; None: all of them."""
        if variable.seen is None:
            return None
        position = layout.decode(state)
        players = range(declared.game.players) if self.player is None else (self.player,)
        return lambda index: all(sees(declared, position, variable, index, player) for player in players)

    def mask(self, declared: Declarations, layout: StateLayout, state: bytes, field: Field) -> bytes | None:
        """Return a byte for each cell of a field, 0 for a hidden one; None if all may be seen."""
        visible = self.visible(declared, layout, state, field.variable)
        return None if visible is None else bytes(visible(index) for index in field.indices())
