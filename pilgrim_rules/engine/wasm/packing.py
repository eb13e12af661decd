"""Packing: a move as one number.

Reads:  the actions of a game.   Writes: numbers below 2**63.
After:  packed moves are in the order of the actions, and of their arguments; every move can be packed, or the game is `Unprintable`.
"""

from __future__ import annotations

from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.wasm.types import Unprintable
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.util.fast_dataclass import dataclass

_MOST = 63  #: bits, so that no packed move looks negative


@dataclass(frozen=True, slots=True)
class MovePacking:
    """Where each argument of each action lies: its lowest value, its first bit, and how many bits it has.

    bits    below the number of the action.
    """

    bits: int
    fields: tuple[tuple[tuple[int, int, int], ...], ...]

    def pack(self, coded: Coded) -> int:
        """Return a move as one number."""
        number, args = coded
        packed = number << self.bits
        for (lo, shift, _), arg in zip(self.fields[number], args, strict=True):
            packed |= (arg - lo) << shift
        return packed

    def unpack(self, packed: int) -> Coded:
        """Return the codes of a packed move."""
        number = packed >> self.bits
        return number, tuple(((packed >> shift) & ((1 << bits) - 1)) + lo for lo, shift, bits in self.fields[number])


def move_packing(game: Game) -> MovePacking:
    """Return how the moves of a game are packed."""
    fields: list[tuple[tuple[int, int, int], ...]] = []
    most = 0
    for action in game.actions:
        shift, own = 0, []
        for param in reversed(action.params):  # the last argument changes fastest
            bits = (param.type.size - 1).bit_length()
            own.append((param.type.lo, shift, bits))
            shift += bits
        fields.append(tuple(reversed(own)))
        most = max(most, shift)
    if most + len(game.actions).bit_length() > _MOST:
        raise Unprintable(f"a move needs more than {_MOST} bits")
    return MovePacking(most, tuple(fields))
