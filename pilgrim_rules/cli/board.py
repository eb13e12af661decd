"""A state as tables in the terminal, for any game.

Reads:  the variables of a core game, and what a player may see of them.   Writes: rich renderables.
After:  every variable is shown; a table with many cells only where it differs from the start.

Variables with one cell stand in one line; tables over the same index stand side by side; a table over two indices, or
over pairs, is a grid. What a variable means is not known here: games that want a picture have `State.svg`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pilgrim_rules.core.ir import Type, Variable
from pilgrim_rules.core.values import show
from pilgrim_rules.engine import plain
from pilgrim_rules.engine.cells import Table as Cells
from pilgrim_rules.engine.plain import Value
from pilgrim_rules.engine.view import View

MOST_CELLS = 120  #: a larger table is shown by its differences
MOST_COLUMNS = 16


def board(variables: Iterable[Variable], now: View, start: View) -> Group:
    """Return what can be seen of the variables; `start` is the same player's view of the first state."""
    single: list[Variable] = []
    tables: dict[Type, list[Variable]] = {}
    grids: list[Variable] = []
    large: list[Variable] = []
    for variable in variables:
        axes = _axes(variable.index)
        if not axes:
            single.append(variable)
        elif prod(axis.size for axis in axes) > MOST_CELLS or axes[-1].size > MOST_COLUMNS:
            large.append(variable)
        elif len(axes) == 1:
            tables.setdefault(axes[0], []).append(variable)
        else:
            grids.append(variable)
    parts: list[RenderableType] = [_line(single, now)] if single else []
    parts += [_side_by_side(index, group, now) for index, group in tables.items()]
    parts += [_grid(variable, now) for variable in grids]
    parts += [_differences(variable, now, start) for variable in large]
    return Group(*parts)


def _line(variables: Sequence[Variable], now: View) -> Text:
    line = Text()
    for variable in variables:
        line.append(f"{variable.name} ", style="dim")
        line.append(" ".join(map(plain.text, _leaves(now[variable.name]))) + "   ", style="bold")
    return line


def _side_by_side(index: Type, variables: Sequence[Variable], now: View) -> Table:
    """Return one-index tables with a row for each value of the index and a column for each variable."""
    table = _table(index.name, *(variable.name for variable in variables))
    columns = [list(_leaves(now[variable.name])) for variable in variables]
    for at, label in enumerate(_labels(index)):
        table.add_row(Text(label), *(_cell(column[at]) for column in columns))
    return table


def _grid(variable: Variable, now: View) -> Table:
    """Return a table with a column for each value of the last index and a row for each value of the others."""
    *rows, columns = _axes(variable.index)
    table = _table(variable.name, *_labels(columns))
    values = list(_leaves(now[variable.name]))
    for at, labels in enumerate(product(*map(_labels, rows))):
        cells = values[at * columns.size : (at + 1) * columns.size]
        table.add_row(Text(", ".join(labels)), *map(_cell, cells))
    return table


def _differences(variable: Variable, now: View, start: View) -> Text:
    cells = zip(
        product(*map(_labels, variable.index)),
        _leaves(now[variable.name]),
        _leaves(start[variable.name]),
        strict=True,
    )
    changed = [f"[{', '.join(labels)}] {plain.text(value)}" for labels, value, first in cells if value != first]
    line = Text(f"{variable.name} ", style="dim")
    line.append("   ".join(changed) or "as at the start", style="not dim")
    return line


def _leaves(value: Value | Cells) -> Iterator[Value]:
    """Yield the cells of a table row by row, or the one value."""
    if isinstance(value, dict):
        for part in value.values():
            yield from _leaves(part)
    else:
        yield value


def _axes(index: tuple[Type, ...]) -> tuple[Type, ...]:
    """Return the index with each pair as two; the cells lie in the same order either way."""
    return tuple(axis for type_ in index for axis in (_axes(type_.parts) if type_.kind == "pair" else (type_,)))


def _labels(index: Type) -> list[str]:
    return [show(index, code) for code in range(index.lo, index.hi + 1)]


def _table(corner: str, *columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="dim")
    table.add_column(Text(corner), style="dim")
    for name in columns:
        table.add_column(Text(name), justify="center")
    return table


def _cell(value: Value) -> Text:
    """Return the text of a cell; what is absent is a dot, so that what is there stands out."""
    return Text("·", style="dim") if value is None or value is False else Text(plain.text(value))
