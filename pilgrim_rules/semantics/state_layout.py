"""Layout: where each cell of the state lies in the one `bytes` object that is a state.

Reads:  the variables of a core game.   Writes: `Layout`.
After:  `decode(encode(position)) == position` for every well-typed position, and equal positions are equal bytes.

A cell holds `code - lo` of its type, in 1, 2 or 4 bytes, little-endian, as the size of the type needs; a counter without upper
end has 4, and what does not fit into them is a limit of this program, not a mistake in the rules. Cells of a table
lie row by row; variables lie in the order of their declaration, ghosts after all others, so that the state without
ghosts is a prefix of the state with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import product
from math import prod

from pilgrim_rules.core.ir import Game, Type, Variable
from pilgrim_rules.semantics.errors import EngineLimit
from pilgrim_rules.util.fast_dataclass import dataclass

MOST_STORED = (1 << 31) - 1  #: in a cell of a counter without upper end
Position = Mapping[str, Sequence[int]]  #: the codes of every variable, row by row


@dataclass(frozen=True, slots=True)
class Field:
    """The cells of one variable. `steps` says how far apart, in cells, neighbours along each index lie."""

    variable: Variable
    offset: int
    width: int
    count: int
    steps: tuple[int, ...]

    @property
    def end(self) -> int:
        """The first byte after the field."""
        return self.offset + self.width * self.count

    @property
    def highest(self) -> int:
        """The largest code that a cell can hold."""
        return MOST_STORED if self.variable.type.is_open else self.variable.type.hi

    def indices(self) -> Iterator[tuple[int, ...]]:
        """Yield the index of each cell, in the order of the cells."""
        return product(*(range(type_.lo, type_.hi + 1) for type_ in self.variable.index))


@dataclass(frozen=True, slots=True)
class StateLayout:
    """The fields of a state, in the order of their bytes. The first `plain` bytes hold no ghosts."""

    fields: tuple[Field, ...]
    size: int
    plain: int
    by_name: dict[str, Field] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {each.variable.name: each for each in self.fields})

    def encode(self, position: Position) -> bytes:
        """Return the state with these codes; ValueError if one is outside its type or the number of cells is wrong."""
        out = bytearray()
        for each in self.fields:
            codes = position[each.variable.name]
            lo, hi = each.variable.type.lo, each.highest
            if each.variable.type.is_open and codes and max(codes) > hi:
                raise EngineLimit(too_large_message(each.variable.name, max(codes)))
            if len(codes) != each.count or (codes and not lo <= min(codes) <= max(codes) <= hi):
                raise ValueError(f"`{each.variable.name}` has {each.count} cells from {lo} to {hi}, not {list(codes)}")
            if each.width == 1:
                out += bytes(codes) if lo == 0 else bytes([code - lo for code in codes])
            else:
                out += b"".join([(code - lo).to_bytes(each.width, "little") for code in codes])
        return bytes(out)

    def encode_flat(self, codes: Sequence[int]) -> bytes:
        """Return the state whose cells have these codes, all variables in the order of `fields`."""
        starts = self.starts()
        if len(codes) != starts[-1]:
            raise ValueError(f"the state has {starts[-1]} cells, not {len(codes)}")
        return self.encode(
            {each.variable.name: codes[at : at + each.count] for each, at in zip(self.fields, starts, strict=False)}
        )

    def decode(self, state: bytes) -> dict[str, list[int]]:
        """Return the codes of every variable, row by row; ValueError if the bytes are no state."""
        if len(state) != self.size:
            raise ValueError(f"a state has {self.size} bytes, not {len(state)}")
        return {each.variable.name: decode_field(each, state) for each in self.fields}

    def decode_flat(self, state: bytes) -> list[int]:
        """Return the codes of all cells, all variables in the order of `fields`."""
        return [code for codes in self.decode(state).values() for code in codes]

    def starts(self) -> list[int]:
        """Return the number of the first cell of each field in a flat list of codes, and the number of all cells."""
        numbers = [0]
        for each in self.fields:
            numbers.append(numbers[-1] + each.count)
        return numbers


def decode_field(each: Field, state: bytes) -> list[int]:
    """Return the codes of the cells of one field; ValueError if one is outside its type."""
    lo, hi = each.variable.type.lo, each.highest
    raw = state[each.offset : each.end]
    if each.width == 1:
        codes = [byte + lo for byte in raw]
    else:
        step = each.width
        codes = [int.from_bytes(raw[at : at + step], "little") + lo for at in range(0, len(raw), step)]
    if codes and max(codes) > hi:
        raise ValueError(f"`{each.variable.name}` goes up to {hi}, not {max(codes)}")
    return codes


def layout(game: Game) -> StateLayout:
    """Return the layout of a game's state. Leave ghosts out with `without_ghosts(game)` before."""
    fields: list[Field] = []
    offset = plain = 0
    for variable in sorted(game.variables, key=lambda variable: variable.ghost):
        width = _width(variable.type)
        count = prod(type_.size for type_ in variable.index)
        fields.append(Field(variable, offset, width, count, steps_of(variable.index)))
        offset += width * count
        plain = plain if variable.ghost else offset
    return StateLayout(tuple(fields), offset, plain)


def steps_of(index: tuple[Type, ...]) -> tuple[int, ...]:
    """Return how far apart, in cells, neighbours along each index of a row-major table lie."""
    return tuple(prod(type_.size for type_ in index[at + 1 :]) for at in range(len(index)))


def too_large_message(variable: str, value: int) -> str:
    """Return what is said of a number that the rules allow and a cell cannot hold."""
    return f"`{variable}` would be {value:,}, and this program counts no farther than {MOST_STORED:,}"


def _width(type_: Type) -> int:
    if type_.is_open:
        return 4
    for width in (1, 2, 4):
        if type_.size <= 256**width:
            return width
    raise ValueError(f"`{type_.name}` has {type_.size} values; a cell holds at most {256**4}")
