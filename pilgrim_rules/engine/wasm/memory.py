"""Memory: where the tables, arrays and copies of a program lie.

Reads:  a program of cell code.   Writes: `Memory`, and the bytes of the constant part.
After:  nothing overlaps; what is constant comes first.

Memory begins with `RESERVED` bytes: what `$stop` notes, and room so that no address that is computed is ever negative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import accumulate

from pilgrim_rules.engine.cells.cell_code import WORK, Array, Copy, Function, Numbers, Program
from pilgrim_rules.engine.cells.cell_walk import statements
from pilgrim_rules.engine.wasm.types import Stored, stored
from pilgrim_rules.util.fast_dataclass import dataclass

RESERVED = 1 << 16
_ALIGNED = 8


@dataclass(frozen=True, slots=True)
class Placed:
    """Numbers in memory: the address of the first, and how each is stored."""

    address: int
    item: Stored


@dataclass(frozen=True, slots=True)
class PlacedRows:
    """Rows in memory: the numbers of all rows one after the other, and where each begins, or how long every row is."""

    numbers: Placed
    starts: Placed | None
    length: int


@dataclass(frozen=True, slots=True)
class Memory:
    """Where things lie, the bytes of the tables (from `RESERVED` on), the size of a state, and the first free address."""

    tables: dict[str, Placed]
    rows: dict[str, PlacedRows]
    arrays: dict[str, Placed]
    sizes: dict[str, int]  #: of the arrays, in bytes
    copies: dict[str, int]
    constant: bytes
    state_size: int
    free: int


def aligned(address: int) -> int:
    """Return the first address from here on at which a number of any width may lie."""
    return -(-address // _ALIGNED) * _ALIGNED


def placed(program: Program, functions: Iterable[Function], state_size: int) -> Memory:
    """Return where everything lies that some functions of a program use."""
    constant = bytearray()

    def put(values: Numbers) -> Placed:
        constant.extend(bytes(aligned(len(constant)) - len(constant)))
        item = stored((min(values, default=0), max(values, default=0)))
        at = RESERVED + len(constant)
        signed = 256**item.width
        constant.extend(b"".join((value % signed).to_bytes(item.width, "little") for value in values))
        return Placed(at, item)

    tables = {name: put(values) for name, values in program.tables.items()}
    rows = {name: _rows(each, put) for name, each in program.rows.items()}
    free = aligned(RESERVED + len(constant))
    arrays: dict[str, Placed] = {}
    sizes: dict[str, int] = {}
    copies: dict[str, int] = {}
    for function in functions:
        for array in function.arrays:
            arrays[array.name], sizes[array.name] = Placed(free, stored(array.range)), _bytes(array)
            free = aligned(free + sizes[array.name])
        for statement in statements(function.body):
            if isinstance(statement, Copy) and statement.state != WORK:
                copies[statement.state] = free
                free = aligned(free + state_size)
    return Memory(tables, rows, arrays, sizes, copies, bytes(constant), state_size, free)


def _rows(rows: tuple[Numbers, ...], put: Callable[[Numbers], Placed]) -> PlacedRows:
    numbers = put(tuple(value for row in rows for value in row))
    lengths = {len(row) for row in rows}
    if len(lengths) == 1:
        return PlacedRows(numbers, None, lengths.pop())
    return PlacedRows(numbers, put((0, *accumulate(map(len, rows)))), 0)


def _bytes(array: Array) -> int:
    return array.size * stored(array.range).width
