"""Sheet: tables as SVG.

Reads:  tables of text, players.   Writes: `Block`s.
After:  no text runs into another; long lists are broken into lines.
"""

from __future__ import annotations

from collections.abc import Sequence

from pilgrim_rules.figures import shapes
from pilgrim_rules.figures.markup import Block, element, group, text, width_of
from pilgrim_rules.figures.palette import Tint
from pilgrim_rules.figures.tables import Cell, Table

SIZE = 12.0
ROW = 17.0
_GAP = 14.0


def players_table(table: Table, seats: Sequence[Tint], to_move: str | None) -> Block:
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
        made += [_cell(cell, left + wide / 2, y) for cell, left, wide in zip(cells, lefts, columns, strict=True)]
        y += ROW
    return Block(group(*made, class_="cells"), width, y - ROW + 8)


def _head(tint: Tint, words: str, x: float, *, turn: bool) -> str:
    wide = width_of(words, SIZE)
    sign = group(shapes.mark("disc", 7.5, tint), at=(x - wide / 2 - 4, ROW - 4.5))
    arrow = text("▸", x - wide / 2 - 19, ROW, SIZE, "strong") if turn else ""
    return arrow + sign + text(words, x + 8, ROW, SIZE, "strong" if turn else "")


def _cell(cell: Cell, x: float, y: float) -> str:
    wide = width_of(cell.words, SIZE) + 8
    back = (
        element("rect", class_="changed", x=x - wide / 2, y=y - SIZE, width=wide, height=ROW - 1)
        if cell.changed
        else ""
    )
    return back + text(cell.words, x, y, SIZE, "strong" if cell.changed else "")


def facts(table: Table, width: float) -> Block:
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
