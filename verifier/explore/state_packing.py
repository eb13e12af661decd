"""Packing: where each cell of the state lies in the few machine words that are a state during a search.

Reads:  the variables of a core game and its position at the start.   Writes: `Packing`.
After:  two positions of one search are equal exactly if their words are; `unpack(pack(position)) == position`.

A variable that no action writes keeps its first value for ever, and so does one whose type has a single value: both are
`fixed` and take no room. Any other cell takes as many bits as its type needs, and never lies across two words. A table
that fits into one word lies in one, evenly spaced, so that reading it at an index that differs from state to state is
one shift. Words have 63 bits, so that they are never negative. A counter without upper end is followed up to a cap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from pilgrim_rules.core.footprint import writes
from pilgrim_rules.core.ir import Game, Variable
from pilgrim_rules.core.smart_constructors import number
from pilgrim_rules.semantics.state_layout import Position

WORD = 63


class NeedsCap(Exception):
    """Counters without upper end cannot be searched unless somebody says how far."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        said = ", ".join(f"`{name}`" for name in names)
        super().__init__(f"{said} {'has' if len(names) == 1 else 'have'} no upper end: say how far to look")


@dataclass(frozen=True, slots=True)
class PackedCells:
    """Where the cells of a variable lie: cell `i` is `width` bits of word `words[i]`, `shifts[i]` from the right."""

    variable: Variable
    width: int
    words: tuple[int, ...]
    shifts: tuple[int, ...]

    @property
    def in_one_word(self) -> bool:
        """Whether all cells lie evenly spaced in one word."""
        return len(self.words) * self.width <= WORD

    @property
    def mask(self) -> int:
        """The bits of one cell, shifted to the right end."""
        return (1 << self.width) - 1


@dataclass(frozen=True, slots=True)
class StatePacking:
    """The cells of every variable that changes, and the values of those that do not."""

    cells: dict[str, PackedCells]
    fixed: dict[str, tuple[int, ...]]
    order: tuple[str, ...]  #: all variables, as the game declares them
    words: int
    bits: int  #: used in the last word; if there is one word, every state is less than `2 ** bits`

    @classmethod
    def from_game(cls, game: Game, start: Position, caps: Mapping[str, int] | None = None) -> StatePacking:
        """Return the packing of a game that starts in the position; `caps` say how far counters without end are followed."""
        capped = caps or {}
        missing = sorted(each.name for each in game.variables if each.type.is_open and each.name not in capped)
        if missing:
            raise NeedsCap(tuple(missing))
        written = frozenset[str]().union(*(writes(action.body) for action in game.actions))
        changing = [each for each in game.variables if each.name in written and each.type.size > 1]
        names = {each.name for each in changing}
        fixed = {each.name: tuple(start[each.name]) for each in game.variables if each.name not in names}
        used: list[int] = []  # bits taken in each word
        changing = [_capped(each, capped) for each in changing]
        cells = {each.name: _place(each, used) for each in sorted(changing, key=_room, reverse=True)}
        order = tuple(each.name for each in game.variables)
        return cls(cells, fixed, order, max(1, len(used)), used[-1] if used else 0)

    def pack(self, position: Position) -> tuple[int, ...]:
        """Return the words of a position."""
        words = [0] * self.words
        for name, cells in self.cells.items():
            for code, word, shift in zip(position[name], cells.words, cells.shifts, strict=True):
                words[word] |= (code - cells.variable.type.lo) << shift
        return tuple(words)

    def unpack(self, words: Sequence[int]) -> dict[str, list[int]]:
        """Return the position that the words hold."""
        return {name: self._codes(name, words) for name in self.order}

    def _codes(self, name: str, words: Sequence[int]) -> list[int]:
        if name in self.fixed:
            return list(self.fixed[name])
        cells = self.cells[name]
        lo = cells.variable.type.lo
        places = zip(cells.words, cells.shifts, strict=True)
        return [(int(words[word]) >> shift & cells.mask) + lo for word, shift in places]


def _capped(variable: Variable, caps: Mapping[str, int]) -> Variable:
    """Return a variable with the range that a search follows it in."""
    if not variable.type.is_open:
        return variable
    return replace(variable, type=number(variable.type.lo, max(variable.type.lo, caps[variable.name])))


def _width(variable: Variable) -> int:
    return (variable.type.size - 1).bit_length()


def _room(variable: Variable) -> int:
    return _width(variable) * prod(type_.size for type_ in variable.index)


def _place(variable: Variable, used: list[int]) -> PackedCells:
    """Find room for a variable: in the first word in which all of it fits, otherwise in as many new words as needed."""
    width = _width(variable)
    count = prod(type_.size for type_ in variable.index)
    fits = next((word for word, taken in enumerate(used) if taken + width * count <= WORD), None)
    first = len(used) if fits is None else fits
    start = 0 if fits is None else used[fits]
    each = WORD // width if fits is None else count  # cells in a word
    places = [(first + at // each, start + at % each * width) for at in range(count)]
    for word, shift in places:
        used.extend([0] * (word + 1 - len(used)))
        used[word] = shift + width
    return PackedCells(variable, width, tuple(word for word, _ in places), tuple(shift for _, shift in places))
