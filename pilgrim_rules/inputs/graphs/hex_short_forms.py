"""Short forms for boards of hexagons: a radius, a size, or a drawing in letters.

Reads:  the keys `radius`, `size`, `rows` and `legend` of a map.   Writes: one table a cell: name, q, r and columns.
After:  a cell is named by the letter of its column and the number of its row, such as `b4`; both count from the first
        column and row that the form has.
"""

from __future__ import annotations

from typing import TypeAlias

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.codes import PR703, PR704, PR705, PR711
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.inputs.data.toml_file import Document, Table
from pilgrim_rules.inputs.data.toml_places import KeyPath
from pilgrim_rules.inputs.graphs.map_parts import MOST_NODES

Axial: TypeAlias = tuple[int, int]

_FORMS = ("radius", "size", "rows")


def short_form(document: Document, bag: Bag) -> list[tuple[KeyPath, Table]] | None:
    """Return the cells of the map's short form, none if it has no short form, None if the form is wrong."""
    used = [form for form in _FORMS if form in document.data]
    if len(used) > 1:
        bag.add(PR705, f"a map has one short form, not both `{used[0]}` and `{used[1]}`", document.key(used[1]))
        return None
    if "legend" in document.data and used != ["rows"]:
        bag.add(PR704, "`legend` explains the letters of `rows`, and there are no `rows`", document.key("legend"))
        return None
    match used:
        case ["radius"]:
            return _hexagon(document, bag)
        case ["size"]:
            return _rhombus(document, bag)
        case ["rows"]:
            return _drawing(document, bag)
        case _:  # no short form: the cells are listed
            return []


def _hexagon(document: Document, bag: Bag) -> list[tuple[KeyPath, Table]] | None:
    radius = document.data["radius"]
    if type(radius) is not int or radius < 0:
        bag.add(PR705, "`radius` is not a whole number from 0", document.span("radius"))
        return None
    if not _fits(document, "radius", 3 * radius * (radius + 1) + 1, bag):
        return None
    span = range(-radius, radius + 1)
    return _cells("radius", [(q + radius, r + radius) for q in span for r in span if abs(q + r) <= radius])


def _rhombus(document: Document, bag: Bag) -> list[tuple[KeyPath, Table]] | None:
    match document.data["size"]:
        case [int(columns), int(rows)] if columns > 0 and rows > 0:
            if not _fits(document, "size", columns * rows, bag):
                return None
            return _cells("size", [(q, r) for q in range(columns) for r in range(rows)])
        case _:  # whatever else the file may say
            bag.add(
                PR705, "`size` is not a list of columns and rows", document.span("size"), help="write `size = [11, 11]`"
            )
            return None


def _drawing(document: Document, bag: Bag) -> list[tuple[KeyPath, Table]] | None:
    """Each string is a row, each character that is no blank a cell; `.` leaves a place empty."""
    rows = document.data["rows"]
    legend = document.data.get("legend", {})
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        bag.add(PR705, "`rows` is not a list of strings", document.span("rows"))
        return None
    if not isinstance(legend, dict) or not all(isinstance(entry, dict) for entry in legend.values()):
        bag.add(PR705, "`legend` does not give a table of columns for each letter", document.span("legend"))
        return None
    letters = ["".join(row.split()) for row in rows]
    if not _fits(document, "rows", sum(len(row) - row.count(".") for row in letters), bag):
        return None
    cells: list[tuple[KeyPath, Table]] = []
    for r, row in enumerate(letters):
        for q, letter in enumerate(row):
            if letter == ".":
                continue
            cells.append((("rows", r), {**_cell(q, r), **legend.get(letter, {})}))
            if letter not in legend:
                help_ = did_you_mean(letter, legend) or f'write `{letter} = {{ terrain = "land" }}` under `[legend]`'
                bag.add(PR703, f"the legend does not explain `{letter}`", document.span("rows", r), help=help_)
    return cells


def _fits(document: Document, key: str, number: int, bag: Bag) -> bool:
    if number > MOST_NODES:
        bag.add(PR711, f"{number} cells are too many: at most {MOST_NODES} are allowed", document.span(key))
    return number <= MOST_NODES


def _cells(form: str, places: list[Axial]) -> list[tuple[KeyPath, Table]]:
    return [((form,), _cell(q, r)) for q, r in places]


def _cell(q: int, r: int) -> Table:
    return {"name": f"{_letters(q)}{r + 1}", "q": q, "r": r}


def _letters(number: int) -> str:
    """Return a, b, … z, aa, ab, … as spreadsheets count their columns."""
    text = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        text = chr(ord("a") + letter) + text
    return text
