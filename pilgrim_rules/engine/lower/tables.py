"""Tables: the constants of a program.

Reads:  constant tables of a game, and lists worked out by the compiler.   Writes: tables of numbers and of rows.
After:  each table stands once in the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.ir import Binder
from pilgrim_rules.core.loops import members, turns
from pilgrim_rules.engine.cells.cell_code import NumberRange, Numbers, TableRow
from pilgrim_rules.engine.cells.cell_values import ZERO


class Tables:
    """The constants used so far, each under a name of its own."""

    def __init__(self, declared: Declarations) -> None:
        self._declared = declared
        self._names: dict[tuple[object, ...], str] = {}
        self._of_constant: dict[str, str] = {}
        self.numbers: dict[str, Numbers] = {}
        self.rows: dict[str, tuple[Numbers, ...]] = {}

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Forget the tables that are used inside for the first time: the code is not kept."""
        kept = (dict(self._names), dict(self._of_constant), dict(self.numbers), dict(self.rows))
        yield
        self._names, self._of_constant, self.numbers, self.rows = kept

    def constant(self, name: str) -> str:
        """Return the name of a constant table of the game, laid out row by row."""
        if name not in self._of_constant:
            values = self._declared.constants[name].values
            found = self._names.setdefault(values, f"T{len(self._names)}")
            self._of_constant[name] = found
            self.numbers[found] = values
        return self._of_constant[name]

    def domain(self, values: Numbers) -> NumberRange | TableRow:
        """Return a list of numbers as something to loop over."""
        if values:
            first, last = values[0], values[-1]
            if values == tuple(range(first, last + 1)) or values == tuple(range(first, last - 1, -1)):
                return NumberRange(first, last)
        return TableRow(self.table_of(((values),)), ZERO)

    def table_of(self, rows: tuple[Numbers, ...]) -> str:
        """Return the name of a table of rows."""
        found = self._names.setdefault(rows, f"M{len(self._names)}")
        self.rows[found] = rows
        return found

    def members(self, binder: Binder, table: str) -> str:
        """Return the table of the values that stand in a relation, one row for each index of the relation."""
        return self.table_of(members(self._declared.constants[table], binder))

    def turns(self, binder: Binder) -> str:
        """Return the table of the orders of a domain, one for each value to begin with."""
        return self.table_of(turns(binder))
