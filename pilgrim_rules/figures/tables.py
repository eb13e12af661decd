"""Tables: the variables of a state that no figure shows, as rows and columns.

Reads:  a state, or what a player may see of it.   Writes: `Table`s of text.
After:  every variable is in a table, except that of many variables those rows are left out that hold nothing and have
        not changed: zero, false, none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from pilgrim_rules.core.ir import Type, Variable
from pilgrim_rules.core.values import show
from pilgrim_rules.engine import plain
from pilgrim_rules.engine.cells import Table as Cells
from pilgrim_rules.engine.plain import Value
from pilgrim_rules.engine.state import State
from pilgrim_rules.engine.view import View

Seen = State | View
_NOTHING = (0, False, None)
_MANY = 12  #: of more variables, only those are shown that hold something


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of one value, and whether it has changed."""

    words: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text. `players`: its columns are the players; otherwise each row has one cell."""

    title: str
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    players: bool = False


def tables(now: Seen, before: Seen | None, variables: Sequence[Variable], player: Type) -> list[Table]:
    """Return the tables of some variables; what differs from the state before is marked."""
    of_players: list[tuple[str, tuple[Cell, ...]]] = []
    single: list[tuple[str, tuple[Cell, ...]]] = []
    others: list[tuple[str, tuple[Cell, ...]]] = []
    many = len(variables) > _MANY
    for variable in variables:
        values = list(_leaves(now[variable.name]))
        old = values if before is None else list(_leaves(before[variable.name]))
        cells = [Cell(_words(value), value != was) for value, was in zip(values, old, strict=True)]
        axes = _axes(variable.index)
        name = variable.name.replace("_", " ")
        if many and all(value in _NOTHING and not cell.changed for value, cell in zip(values, cells, strict=True)):
            continue
        if not axes:
            single.append((name, (cells[0],)))
        elif axes[0] == player:
            of_players += _by_player(name, axes, cells, values)
        else:
            others.append((name, (_listed(axes, cells, values),)))
    made = [
        Table("Players", tuple(of_players), players=True),
        Table("Game", tuple(single)),
        Table("Tables", tuple(others)),
    ]
    return [table for table in made if table.rows or table.players]


def _by_player(
    name: str, axes: tuple[Type, ...], cells: list[Cell], values: list[Value]
) -> Iterator[tuple[str, tuple[Cell, ...]]]:
    """Yield a row for each value of the other indices; those in which nobody has anything are left out."""
    rows = list(product(*map(_labels, axes[1:])))
    for at, labels in enumerate(rows):
        picked = range(at, len(cells), len(rows))
        if len(rows) == 1 or any(values[each] not in _NOTHING or cells[each].changed for each in picked):
            yield " ".join((name, *labels)), tuple(cells[each] for each in picked)


def _listed(axes: tuple[Type, ...], cells: list[Cell], values: list[Value]) -> Cell:
    """Return a table of the game in one line: what is not nothing, each with its index."""
    labels = product(*map(_labels, axes))
    shown = [
        f"{' '.join(where)}: {cell.words}" if value is not True else " ".join(where)
        for where, cell, value in zip(labels, cells, values, strict=True)
        if value not in _NOTHING
    ]
    return Cell(", ".join(shown) or "·", any(cell.changed for cell in cells))


def _leaves(value: Value | Cells) -> Iterator[Value]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _leaves(part)
    else:
        yield value


def _axes(index: tuple[Type, ...]) -> tuple[Type, ...]:
    """Return the index with each pair as two; the cells lie in the same order either way."""
    return tuple(axis for type_ in index for axis in (_axes(type_.parts) if type_.kind == "pair" else (type_,)))


def _labels(index: Type) -> list[str]:
    return [show(index, code).replace("_", " ") for code in range(index.lo, index.hi + 1)]


def _words(value: Value) -> str:
    if value is None or value is False:
        return "·"
    return "✓" if value is True else plain.text(value).replace("_", " ")
