"""Variable tables: the variables of a state that no figure shows, as rows and columns of text, and drawn as SVG.

Reads:  a state, or what a player may see of it.   Writes: `Table`s, and `Block`s of SVG.
After:  every variable is in a table, except that of many variables those rows are left out that hold nothing and have
        not changed: zero, false, none. In the drawing no text runs into another; long lists are broken into lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from pilgrim_rules.core.ir import Type, Variable
from pilgrim_rules.core.values import show
from pilgrim_rules.engine.rules import StateLike
from pilgrim_rules.figures import shapes
from pilgrim_rules.figures.markup import Block, element, group, text, width_of
from pilgrim_rules.figures.palette import Tint
from pilgrim_rules.semantics import python_values
from pilgrim_rules.semantics.cells import axes_of, leaves, read_cells
from pilgrim_rules.semantics.python_values import Value
from pilgrim_rules.semantics.visibility import Observer

_NOTHING = (0, False, None)
_MANY = 12  #: of more variables, only those are shown that hold something
SIZE = 12.0
ROW = 17.0
_GAP = 14.0


@dataclass(frozen=True, slots=True)
class ValueCell:
    """The text of one value, and whether it has changed."""

    words: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class VariableTable:
    """Rows of text. `players`: its columns are the players; otherwise each row has one cell."""

    title: str
    rows: tuple[tuple[str, tuple[ValueCell, ...]], ...]
    players: bool = False


def variable_tables(
    now: StateLike, before: StateLike | None, variables: Sequence[Variable], observer: Observer | None = None
) -> list[VariableTable]:
    """Return the tables of some variables, as far as an observer may see them; what differs from before is marked."""
    of_players: list[tuple[str, tuple[ValueCell, ...]]] = []
    single: list[tuple[str, tuple[ValueCell, ...]]] = []
    others: list[tuple[str, tuple[ValueCell, ...]]] = []
    many = len(variables) > _MANY
    for variable in variables:
        values = _values(now, variable, observer)
        old = values if before is None else _values(before, variable, observer)
        cells = [ValueCell(_words(value), value != was) for value, was in zip(values, old, strict=True)]
        axes = axes_of(variable.index)
        name = variable.name.replace("_", " ")
        if many and all(value in _NOTHING and not cell.changed for value, cell in zip(values, cells, strict=True)):
            continue
        if not axes:
            single.append((name, (cells[0],)))
        elif axes[0] == now.game.core.player:
            of_players += _by_player(name, axes, cells, values)
        else:
            others.append((name, (_listed(axes, cells, values),)))
    made = [
        VariableTable("Players", tuple(of_players), players=True),
        VariableTable("Game", tuple(single)),
        VariableTable("Tables", tuple(others)),
    ]
    return [table for table in made if table.rows or table.players]


def _by_player(
    name: str, axes: tuple[Type, ...], cells: list[ValueCell], values: list[Value]
) -> Iterator[tuple[str, tuple[ValueCell, ...]]]:
    """Yield a row for each value of the other indices; those in which nobody has anything are left out, but one row there is."""
    rows = list(product(*map(_labels, axes[1:])))
    shown = [
        (" ".join((name, *labels)), tuple(cells[each] for each in picked))
        for at, labels in enumerate(rows)
        for picked in [range(at, len(cells), len(rows))]
        if len(rows) == 1 or any(values[each] not in _NOTHING or cells[each].changed for each in picked)
    ]
    yield from shown or [(name, (ValueCell("·", changed=False),) * axes[0].size)]


def _listed(axes: tuple[Type, ...], cells: list[ValueCell], values: list[Value]) -> ValueCell:
    """Return a table of the game in one line: what is not nothing, each with its index."""
    labels = product(*map(_labels, axes))
    shown = [
        f"{' '.join(where)}: {cell.words}" if value is not True else " ".join(where)
        for where, cell, value in zip(labels, cells, values, strict=True)
        if value not in _NOTHING
    ]
    return ValueCell(", ".join(shown) or "·", any(cell.changed for cell in cells))


def _values(state: StateLike, variable: Variable, observer: Observer | None) -> list[Value]:
    layout = state.game.layout
    visible = None if observer is None else observer.visible(state.game.declared, layout, state.data, variable)
    return list(leaves(read_cells(layout, state.data, variable.name, visible=visible)))


def _labels(index: Type) -> list[str]:
    return [show(index, code).replace("_", " ") for code in range(index.lo, index.hi + 1)]


def _words(value: Value) -> str:
    if value is None or value is False:
        return "·"
    return "✓" if value is True else python_values.text(value).replace("_", " ")


# ------------------------------------------------------------------------------------------------------------ as SVG


def players_svg(table: VariableTable, seats: Sequence[Tint], to_move: str | None) -> Block:
    """Return a table with a column for each player; whoever is to move stands out."""
    heads = [f"{tint.label.replace('_', ' ')}" for tint in seats]
    first = max((width_of(label, SIZE) for label, _ in table.rows), default=0) + _GAP
    columns = [
        max([width_of(head, SIZE) + 26, *(width_of(cells[at].words, SIZE) for _, cells in table.rows)]) + _GAP
        for at, head in enumerate(heads)
    ]
    lefts = [first + sum(columns[:at]) for at in range(len(columns))]
    width = first + sum(columns)
    made = []
    for left, wide, tint, head in zip(lefts, columns, seats, heads, strict=True):
        made.append(_head(tint, head, left + wide / 2, turn=tint.label == to_move))
    if table.rows:
        made.append(element("line", class_="rule", x1=0.0, y1=ROW + 5, x2=width, y2=ROW + 5))
    y = 2 * ROW + 5
    for label, cells in table.rows:
        made.append(text(label, 0, y, SIZE, "muted", None))
        made += [_cell_svg(cell, left + wide / 2, y) for cell, left, wide in zip(cells, lefts, columns, strict=True)]
        y += ROW
    return Block(group(*made, class_="cells"), width, y - ROW + 8)


def _head(tint: Tint, words: str, x: float, *, turn: bool) -> str:
    wide = width_of(words, SIZE)
    sign = group(shapes.mark("disc", 7.5, tint), at=(x - wide / 2 - 4, ROW - 4.5))
    arrow = text("▸", x - wide / 2 - 19, ROW, SIZE, "strong") if turn else ""
    return arrow + sign + text(words, x + 8, ROW, SIZE, "strong" if turn else "")


def _cell_svg(cell: ValueCell, x: float, y: float) -> str:
    wide = width_of(cell.words, SIZE) + 8
    back = (
        element("rect", class_="changed", x=x - wide / 2, y=y - SIZE, width=wide, height=ROW - 1)
        if cell.changed
        else ""
    )
    return back + text(cell.words, x, y, SIZE, "strong" if cell.changed else "")


def facts_svg(table: VariableTable, width: float) -> Block:
    """Return a table of one cell a row as running text, each name with its value; a list stands on lines of its own."""
    made = []
    x, y, used = 0.0, ROW, 0.0
    for label, (cell, *_) in table.rows:
        lead = width_of(label, SIZE) + 6
        lines = _broken(cell.words, width - lead)
        wide = lead + max(width_of(line, SIZE) for line in lines)
        if x > 0 and (x + wide > width or len(lines) > 1):
            x, y = 0.0, y + ROW
        made.append(text(label, x, y, SIZE, "muted", None))
        for at, line in enumerate(lines):
            made.append(_fact(line, x + lead, y + at * ROW, changed=cell.changed))
        used = max(used, x + wide)
        x, y = (x + wide + _GAP, y) if len(lines) == 1 else (0.0, y + len(lines) * ROW)
    return Block(group(*made, class_="cells"), used, y + (6 if x > 0 else 6 - ROW))


def _fact(words: str, x: float, y: float, *, changed: bool) -> str:
    wide = width_of(words, SIZE) * 1.08 + 6
    back = element("rect", class_="changed", x=x - 3, y=y - SIZE, width=wide, height=ROW - 1) if changed else ""
    return back + text(words, x, y, SIZE, "strong" if changed else "", None)


def _broken(words: str, width: float) -> list[str]:
    """Return a list in lines that fit the width."""
    lines = [""]
    for part in words.split(", "):
        longer = f"{lines[-1]}, {part}" if lines[-1] else part
        if lines[-1] and width_of(longer, SIZE) > width:
            lines.append(part)
        else:
            lines[-1] = longer
    return lines
