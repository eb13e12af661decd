"""A state as tables in the terminal, for any game.

Reads:  the variables of a core game and the codes of their cells.   Writes: rich renderables.
After:  every open variable is shown; a table with too many cells is shown only where it differs from the start.

Variables with one cell stand in one line; tables over the same index stand side by side; a table over two indices, or
over pairs, is a grid. What a variable means is not known here: games that want a picture have `State.svg`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pilgrim_rules.core.ir import Type, Variable
from pilgrim_rules.core.values import show

Codes = Mapping[str, Sequence[int]]  #: of every variable shown, row by row

MOST_CELLS = 120  #: a larger table is shown by its differences
MOST_COLUMNS = 16


def board(variables: Iterable[Variable], now: Codes, start: Codes) -> Group:
    """Return the variables of `now` as tables; `start` holds the codes of the first state."""
    single: list[Variable] = []
    tables: dict[Type, list[Variable]] = {}
    grids: list[Variable] = []
    large: list[Variable] = []
    for variable in variables:
        axes = _axes(variable.index)
        if not axes:
            single.append(variable)
        elif len(now[variable.name]) > MOST_CELLS or axes[-1].size > MOST_COLUMNS:
            large.append(variable)
        elif len(axes) == 1:
            tables.setdefault(axes[0], []).append(variable)
        else:
            grids.append(variable)
    parts: list[RenderableType] = [_line(single, now)] if single else []
    parts += [_side_by_side(index, group, now) for index, group in tables.items()]
    parts += [_grid(variable, now[variable.name]) for variable in grids]
    parts += [_differences(variable, now[variable.name], start[variable.name]) for variable in large]
    return Group(*parts)


def _line(variables: Sequence[Variable], now: Codes) -> Text:
    line = Text()
    for variable in variables:
        line.append(f"{variable.name} ", style="dim")
        line.append(show(variable.type, now[variable.name][0]) + "   ", style="bold")
    return line


def _side_by_side(index: Type, variables: Sequence[Variable], now: Codes) -> Table:
    """Return one-index tables with a row for each value of the index and a column for each variable."""
    table = _table(index.name, *(variable.name for variable in variables))
    for at, label in enumerate(_labels(index)):
        table.add_row(Text(label), *(_cell(variable.type, now[variable.name][at]) for variable in variables))
    return table


def _grid(variable: Variable, codes: Sequence[int]) -> Table:
    """Return a table with a column for each value of the last index and a row for each value of the others."""
    *rows, columns = _axes(variable.index)
    table = _table(variable.name, *_labels(columns))
    for at, labels in enumerate(product(*map(_labels, rows))):
        cells = codes[at * columns.size : (at + 1) * columns.size]
        table.add_row(Text(", ".join(labels)), *(_cell(variable.type, code) for code in cells))
    return table


def _differences(variable: Variable, codes: Sequence[int], start: Sequence[int]) -> Text:
    line = Text()
    line.append(f"{variable.name} ", style="dim")
    indices = product(*map(_labels, variable.index))
    changed = [
        f"[{', '.join(labels)}] {show(variable.type, code)}"
        for labels, code, first in zip(indices, codes, start, strict=True)
        if code != first
    ]
    line.append("   ".join(changed) or "as at the start")
    return line


def _table(corner: str, *columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="dim")
    table.add_column(Text(corner), style="dim")
    for name in columns:
        table.add_column(Text(name), justify="center")
    return table


def _axes(index: tuple[Type, ...]) -> tuple[Type, ...]:
    """Return the index with each pair as two; the cells lie in the same order either way."""
    return tuple(axis for type_ in index for axis in (_axes(type_.parts) if type_.kind == "pair" else (type_,)))


def _labels(index: Type) -> list[str]:
    return [show(index, code) for code in range(index.lo, index.hi + 1)]


def _cell(type_: Type, code: int) -> Text:
    """Return the text of a cell; what is absent is a dot, so that what is there stands out."""
    absent = (type_.kind == "optional" and code == type_.hi) or (type_.kind == "bool" and not code)
    return Text("·", style="dim") if absent else Text(show(type_, code))
