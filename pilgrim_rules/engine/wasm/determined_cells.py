"""Determined cells: those that a conserved sum makes superfluous in a set of many states.

Reads:  the conserved sums of a core game, its layout.   Writes: for each of them at most one cell, and how its value follows from others.
After:  nothing is taken for granted: whoever leaves a cell out asks of every state whether it is what the others say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product
from math import prod
from typing import TypeAlias

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.ir import Apply, Binder, Bound, Call, Expr, Fold, Game, Lit, Lookup, Read
from pilgrim_rules.semantics.state_layout import StateLayout
from pilgrim_rules.util.fast_dataclass import dataclass

Place: TypeAlias = tuple[int, int]  #: offset and width of a cell in a state
#: Cells of a sum that is worked out again with every state.
_MOST_CELLS = 64


@dataclass(frozen=True, slots=True)
class DeterminedCell:
    """A cell whose number in a state is `base` and the numbers of other cells, each as often as it says."""

    place: Place
    base: int
    others: tuple[tuple[Place, int], ...]

    def number(self, state: bytes | bytearray) -> int:
        """Return what it must be in a state."""
        return self.base + sum(times * number_at(state, place) for place, times in self.others)


def number_at(state: bytes | bytearray, place: Place) -> int:
    """Return the number that a cell has in a state."""
    offset, width = place
    return int.from_bytes(state[offset : offset + width], "little")


def determined_cells(game: Game, layout: StateLayout, written: Collection[str]) -> tuple[DeterminedCell, ...]:
    """Return cells that are determined by others, none of which is determined itself; all are of variables that are written."""
    sums = _Sums(game, layout)
    changing = {
        (field.offset + at * field.width, field.width)
        for field in layout.fields
        if field.variable.name in written and not field.variable.type.is_open
        for at in range(field.count)
    }
    found: list[DeterminedCell] = []
    asked: set[Place] = set()
    equations = (
        each for claim in game.claims if claim.kind == "conserved" for each in sums.equations(claim.formula, {})
    )
    for made in equations:
        if len(made.cells) > _MOST_CELLS or not asked.isdisjoint(made.cells):
            continue
        left_out = next((each for each, times in made.cells.items() if abs(times) == 1 and each in changing), None)
        if left_out is None:
            continue
        sign = -made.cells[left_out]
        others = tuple((each, sign * times) for each, times in made.cells.items() if each != left_out)
        found.append(DeterminedCell(left_out, sign * made.constant, others))
        asked.update(made.cells)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Sum:
    """A number, and the numbers of cells, each as often as it says; never 0 times."""

    constant: int
    cells: Mapping[Place, int]

    def plus(self, other: _Sum, times: int = 1) -> _Sum:
        cells = dict(self.cells)
        for cell, often in other.cells.items():
            cells[cell] = cells.get(cell, 0) + times * often
        return _Sum(self.constant + times * other.constant, {cell: often for cell, often in cells.items() if often})


_NOTHING = _Sum(0, {})


class _Sums:
    """Formulas as sums of cells; None of what is no such sum, or none that is understood here."""

    def __init__(self, game: Game, layout: StateLayout) -> None:
        self._declared = Declarations(game)
        self._layout = layout

    def equations(self, formula: Expr, names: Mapping[str, int]) -> Iterator[_Sum]:
        """Yield left side less right side, which is 0, of each equation that a formula says to hold."""
        match formula:
            case Apply(op="==", args=(first, second)):
                left, right = self._sum(first, names), self._sum(second, names)
                if left is not None and right is not None:
                    yield left.plus(right, -1)
            case Fold(op="all", binders=binders, where=None, body=body):
                for bound in _bindings(binders):
                    yield from self.equations(body, {**names, **bound})
            case _:  # nothing is known of it
                return

    def _sum(self, expr: Expr, names: Mapping[str, int]) -> _Sum | None:
        match expr:
            case Lit(value=value):
                return _Sum(value, {})
            case Bound(name=name) if name in names:
                return _Sum(names[name], {})
            case Apply(op="+" | "-" | "*" as op, args=args):
                parts = [self._sum(each, names) for each in args]
                known = [each for each in parts if each is not None]
                return None if len(known) < len(parts) or len(known) != 2 else _combined(op, *known)  # noqa: PLR2004  (two operands)
            case Fold(op="sum", binders=binders, where=None, body=body) if not any(each.among for each in binders):
                total = _NOTHING
                for bound in _bindings(binders):
                    part = self._sum(body, {**names, **bound})
                    if part is None:
                        return None
                    total = total.plus(part)
                return total
            case Call(definition=name, args=args):
                definition = self._declared.defs[name]
                given = [self._constant(each, names) for each in args]
                params = [param.name for param in definition.params]
                return self._sum(
                    definition.body, {key: code for key, code in zip(params, given, strict=True) if code is not None}
                )
            case Lookup(table=name, index=index):
                table = self._declared.constants[name]
                at = self._at(index, [(each.lo, each.hi) for each in table.index], names)
                return None if at is None else _Sum(table.values[at], {})
            case Read(variable=name, index=index, when="now"):
                field = self._layout.by_name[name]
                at = self._at(index, [(each.lo, each.hi) for each in field.variable.index], names)
                place = None if at is None else (field.offset + at * field.width, field.width)
                return None if place is None else _Sum(field.variable.type.lo, {place: 1})
            case _:  # anything else is not looked into
                return None

    def _constant(self, expr: Expr, names: Mapping[str, int]) -> int | None:
        found = self._sum(expr, names)
        return None if found is None or found.cells else found.constant

    def _at(self, index: tuple[Expr, ...], ranges: list[tuple[int, int]], names: Mapping[str, int]) -> int | None:
        """Return the number of a cell of a table, row by row; None if it is not the same in all states, or does not exist."""
        at = 0
        for expr, (lo, hi), rest in zip(index, ranges, range(1, len(ranges) + 1), strict=True):
            code = self._constant(expr, names)
            if code is None or not lo <= code <= hi:
                return None
            at += (code - lo) * prod(high - low + 1 for low, high in ranges[rest:])
        return at


def _bindings(binders: tuple[Binder, ...]) -> Iterator[dict[str, int]]:
    """Yield what binders can stand for; nothing of those that go through a list, which leaves cells where they are."""
    if all(each.among is None for each in binders):
        names = [each.name for each in binders]
        for codes in product(*(range(each.type.lo, each.type.hi + 1) for each in binders)):
            yield dict(zip(names, codes, strict=True))


def _combined(op: str, left: _Sum, right: _Sum) -> _Sum | None:
    if op != "*":
        return left.plus(right, 1 if op == "+" else -1)
    if left.cells and right.cells:  # a product of two cells
        return None
    return _NOTHING.plus(right, left.constant) if not left.cells else _NOTHING.plus(left, right.constant)
