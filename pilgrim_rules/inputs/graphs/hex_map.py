"""Maps from TOML files: boards of hexagons here, plain graphs in `plainmap`.

Reads:  a map file.   Writes: `GraphData`, or diagnostics and None.
After:  names and coordinates are unique, neighbours are mutual and at opposite sides.

    kind = "hex"
    orientation = "flat"                               # or "pointy"
    sides = ["n", "ne", "se", "s", "sw", "nw"]         # clockwise from the top; these are the default
    radius = 5                                         # or size = [11, 11], or rows = ["LL.", "LWW"] with [legend]
    cut = [["a6", "b5"]]                               # neighbours that are not linked

    [defaults]                                         # of columns
    terrain = "land"

    [[cell]]
    name = "b4"                                        # q and r, unless the short form has a cell of that name
    terrain = "sea"

Axial coordinates: `q` grows to the right, `r` downwards. A cell of a short form is named by the letter of its column
and the number of its row.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.codes import PR704, PR705, PR708, PR709, PR714
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.inputs.data.toml_file import Document, Table, check_keys, read_toml
from pilgrim_rules.inputs.data.toml_places import KeyPath
from pilgrim_rules.inputs.graphs.graph import GraphData
from pilgrim_rules.inputs.graphs.hex_short_forms import Axial, short_form
from pilgrim_rules.inputs.graphs.map_parts import choice, columns_of, names_of, sides_of, size_is_right
from pilgrim_rules.inputs.graphs.plain_map import load_plain

Orientation: TypeAlias = Literal["flat", "pointy"]

_KEYS = frozenset(
    {"kind", "note", "orientation", "sides", "cut", "radius", "size", "rows", "legend", "defaults", "cell"}
)
_OWN = frozenset({"name", "q", "r"})
_ROOT3 = 3**0.5

#: The six steps to a neighbour, clockwise. A flat top begins at the top side, a pointed top at the side right of it.
_STEPS: dict[Orientation, tuple[Axial, ...]] = {
    "flat": ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)),
    "pointy": ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)),
}
_SIDES: dict[Orientation, tuple[str, ...]] = {
    "flat": ("n", "ne", "se", "s", "sw", "nw"),
    "pointy": ("ne", "e", "se", "sw", "w", "nw"),
}


def load_map(path: Path, span: Span | None, bag: Bag) -> GraphData | None:
    """Load a map; `span` is the place in the rules that names the file."""
    document = read_toml(path, span, bag)
    if document is None:
        return None
    if "kind" not in document.data:
        bag.add(
            PR704, "the map does not say its `kind`", document.span(), help='write `kind = "hex"` or `kind = "graph"`'
        )
        return None
    before = len(bag.errors)
    kind = choice(document, "kind", ("hex", "graph"), bag)
    if kind is None:
        return None
    graph = _load_hex(document, bag) if kind == "hex" else load_plain(document, bag)
    return graph if len(bag.errors) == before else None


def _load_hex(document: Document, bag: Bag) -> GraphData | None:
    check_keys(document, (), document.data, _KEYS, bag)
    orientation: Orientation = (
        "pointy" if choice(document, "orientation", ("flat", "pointy"), bag) == "pointy" else "flat"
    )
    sides = sides_of(document, _SIDES[orientation], 6, bag)
    entries = _entries(document, bag)
    if sides is None or entries is None or not size_is_right(document, "cells", len(entries), bag):
        return None
    names = names_of(document, entries, bag)
    at = _coordinates(document, entries, bag)
    if names is None or at is None:
        return None
    cut = _cuts(document, names, at, bag)
    where = {place: cell for cell, place in enumerate(at)}
    beside = tuple(
        tuple(
            None if (found := where.get((q + dq, r + dr))) is None or frozenset((cell, found)) in cut else found
            for dq, dr in _STEPS[orientation]
        )
        for cell, (q, r) in enumerate(at)
    )
    return GraphData(
        nodes=tuple(names),
        arcs=tuple(sorted((cell, to) for cell, around in enumerate(beside) for to in around if to is not None)),
        sides=sides,
        beside=beside,
        columns=columns_of(document, entries, _OWN, bag),
        places=tuple(_centre(orientation, *place) for place in at),
        outline=orientation,
    )


def _centre(orientation: Orientation, q: int, r: int) -> tuple[float, float]:
    return (1.5 * q, _ROOT3 * (r + q / 2)) if orientation == "flat" else (_ROOT3 * (q + r / 2), 1.5 * r)


def _entries(document: Document, bag: Bag) -> list[tuple[KeyPath, Table]] | None:
    """Return the cells as tables with name, coordinates and columns: short form first, then `[[cell]]` entries."""
    made = short_form(document, bag)
    if made is None:
        return None
    cells = {str(table["name"]): (path, table) for path, table in made}
    entries: list[tuple[KeyPath, Table]] = list(cells.values())
    for path, table in document.tables("cell", bag):
        known = cells.get(str(table.get("name")))
        if known is not None and not table.keys() & {"q", "r"}:
            known[1].update(table)
        else:
            entries.append((path, table))
    defaults = document.data.get("defaults", {})
    if not isinstance(defaults, dict):
        bag.add(PR705, "`defaults` is not a table of columns", document.span("defaults"))
        return None
    return [(path, {**defaults, **table}) for path, table in entries]


def _coordinates(document: Document, entries: list[tuple[KeyPath, Table]], bag: Bag) -> list[Axial] | None:
    first: dict[Axial, KeyPath] = {}
    found: list[Axial] = []
    for path, table in entries:
        q, r = table.get("q"), table.get("r")
        if type(q) is not int or type(r) is not int:
            bag.add(PR704, "this cell has no whole numbers `q` and `r`", document.span(*path))
            continue
        found.append((q, r))
        if (before := first.setdefault((q, r), path)) is not path:
            related = ((document.span(*before), "the other cell"),)
            bag.add(PR708, f"two cells at q = {q}, r = {r}", document.span(*path), related=related)
    return found if len(found) == len(first) == len(entries) else None


def _cuts(document: Document, names: list[str], at: list[Axial], bag: Bag) -> set[frozenset[int]]:
    """Return the pairs of neighbours that `cut` separates."""
    pairs = document.data.get("cut", [])
    if not isinstance(pairs, list):
        bag.add(PR705, "`cut` is not a list of pairs of cells", document.span("cut"))
        return set()
    number = {name: cell for cell, name in enumerate(names)}
    found: set[frozenset[int]] = set()
    for place, pair in enumerate(pairs):
        span = document.span("cut", place)
        if not isinstance(pair, list) or len(pair) != 2:  # noqa: PLR2004  (a pair)
            bag.add(PR705, "a cut names two cells", span, help='write `cut = [["a1", "a2"]]`')
            continue
        unknown = [str(name) for name in pair if not isinstance(name, str) or name not in number]
        for name in unknown:
            bag.add(PR709, f"there is no cell `{name}`", span, help=did_you_mean(name, names))
        if not unknown:
            one, other = number[pair[0]], number[pair[1]]
            step = (at[other][0] - at[one][0], at[other][1] - at[one][1])
            if step not in _STEPS["flat"]:
                bag.add(PR714, f"`{pair[0]}` and `{pair[1]}` are not neighbours", span)
            found.add(frozenset((one, other)))
    return found
