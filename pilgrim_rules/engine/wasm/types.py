"""Types: how numbers are held and stored in WebAssembly.

Reads:  intervals.   Writes: the type of a number, the instructions that load and store it.
After:  every number of the interval can be held.
"""

from __future__ import annotations

from pilgrim_rules.core.intervals import Interval, inside
from pilgrim_rules.core.ir import OPEN_END
from pilgrim_rules.util.fast_dataclass import dataclass

I32: Interval = (-(2**31), 2**31 - 1)
I64: Interval = (-(2**63), 2**63 - 1)
_WIDTHS = (1, 2, 4, 8)


class Unprintable(Exception):
    """Something cannot be written in WebAssembly: a number of more than 64 bits, a question about a network, too long a function."""


def type_of(range_: Interval) -> str:
    """Return the type of a number."""
    if inside(range_, I32):
        return "i32"
    if inside(range_, I64) or is_open(range_):
        return "i64"
    raise Unprintable("a number may need more than 64 bits")


def is_open(range_: Interval) -> bool:
    """Tell whether a range has no end. Its numbers are held in 64 bits, and sums of them are looked at: see `Values`."""
    return range_[0] <= -OPEN_END or range_[1] >= OPEN_END


@dataclass(frozen=True, slots=True)
class Stored:
    """How a number is stored: its bytes, and whether the first bit is a sign."""

    width: int
    signed: bool = False

    @property
    def type(self) -> str:
        """The type of the number once it is loaded."""
        full = 4
        return "i32" if self.width < full or (self.width == full and self.signed) else "i64"

    def load(self, offset: int = 0) -> str:
        """Return the instruction that loads it."""
        bits = 8 * self.width
        kind = "" if f"i{bits}" == self.type else f"{bits}_{'s' if self.signed else 'u'}"
        return f"{self.type}.load{kind}{_at(offset)}"

    def store(self, type_: str, offset: int = 0) -> str:
        """Return the instruction that stores a number of a type."""
        bits = 8 * self.width
        return f"{type_}.store{'' if f'i{bits}' == type_ else bits}{_at(offset)}"


def _at(offset: int) -> str:
    return f" offset={offset}" if offset else ""


def stored(range_: Interval) -> Stored:
    """Return how a number is stored in as few bytes as possible."""
    for width in _WIDTHS:
        if inside(range_, (0, 256**width - 1)):
            return Stored(width)
        if inside(range_, (-(256**width) // 2, 256**width // 2 - 1)):
            return Stored(width, signed=True)
    raise Unprintable("a number may need more than 64 bits")
