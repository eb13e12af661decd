"""Tables: the constants of a compiled module.

Reads:  constant tables of a game, and lists worked out by the compiler.   Writes: assignments such as `T3 = (0, 1, 2)`.
After:  each table stands once in the module, and holds integers, or tuples of integers, only.
"""

from __future__ import annotations

from itertools import product

from pilgrim_rules.core.ir import Binder, Constant
from pilgrim_rules.engine.scene import World

Numbers = tuple[int, ...]
_SHORTEST_NAMED = 17  #: a list shorter than this stands where it is used


class Tables:
    """The constants used so far, each under a name of its own."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._names: dict[tuple[object, ...], str] = {}

    def constant(self, name: str) -> str:
        """Return the name of a constant table of the game, laid out row by row."""
        return self._named(self._world.constants[name].values, "T")

    def numbers(self, values: Numbers) -> str:
        """Return an expression for a list of numbers that is gone through often."""
        if len(values) < _SHORTEST_NAMED:
            return repr(values)
        if values == tuple(range(values[0], values[-1] + 1)):
            return f"range({values[0]}, {values[-1] + 1})"
        return self._named(values, "L")

    def rows(self, rows: tuple[Numbers, ...]) -> str:
        """Return the name of a table of lists."""
        return self._named(rows, "M")

    def members(self, binder: Binder, table: str) -> str:
        """Return the table of the values that stand in a relation, one list for each index of the relation."""
        constant = self._world.constants[table]
        return self.rows(tuple(_members(constant, binder)))

    def turns(self, binder: Binder) -> str:
        """Return the table of the orders of a domain, one for each value to begin with."""
        domain = tuple(range(binder.type.lo, binder.type.hi + 1))
        return self.rows(tuple(domain[at:] + domain[:at] for at in range(len(domain))))

    def lines(self) -> list[str]:
        """Return the assignments that make the tables."""
        return [f"{name} = {values!r}" for values, name in self._names.items()]

    def _named(self, values: tuple[int, ...] | tuple[Numbers, ...], letter: str) -> str:
        return self._names.setdefault(values, f"{letter}{len(self._names)}")


def _members(constant: Constant, binder: Binder) -> list[Numbers]:
    *outer, own = constant.index
    found: list[Numbers] = []
    for row, _ in enumerate(product(*(range(type_.size) for type_ in outer))):
        inside = (own.lo + at for at in range(own.size) if constant.values[row * own.size + at])
        values = tuple(value for value in inside if binder.type.lo <= value <= binder.type.hi)
        found.append(values[::-1] if binder.descending else values)
    return found
