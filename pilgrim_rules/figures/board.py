"""Board: one figure of a state as SVG.

Reads:  the items of a figure and the places that moves concern.   Writes: the ground, which is the same in every state,
        and what lies upon it.
After:  layers lie upon each other by kind (areas, ways, outlines, pieces), each kind in the order of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import ceil

from pilgrim_rules.core.ir import Canvas, Figure
from pilgrim_rules.core.values import show, unpair
from pilgrim_rules.figures import shapes
from pilgrim_rules.figures.geometry import Geometry, geometry
from pilgrim_rules.figures.layer_items import PictureItem
from pilgrim_rules.figures.markup import element, group, text, width_of
from pilgrim_rules.figures.move_places import MovePlaces
from pilgrim_rules.figures.node_contents import contents
from pilgrim_rules.prose.words import label as readable

MARGIN = 6.0
HEADING = 18.0  #: room for the labels of rows and columns
_HEAD_SIZE = 11.0  #: of their letters


def shape_of(figure: Figure, *, labels: bool) -> Geometry:
    """Return the figure's canvas on paper, with room for the labels of rows and columns where it has such."""
    found = _headings(figure.canvas) if labels else None
    if found is None:
        return geometry(figure.canvas, MARGIN)
    widest = max(width_of(readable(said), _HEAD_SIZE) for said in found[1].values())
    return geometry(figure.canvas, MARGIN + HEADING, float(ceil(max(0.0, widest + 2 * MARGIN - HEADING))))


def fixed_svg(figure: Figure, ground: Sequence[PictureItem], *, labels: bool) -> str:
    """Return what is the same in every state."""
    canvas, shape = figure.canvas, shape_of(figure, labels=labels)
    names = _names(shape, canvas) if labels else ""
    return group(
        _links(shape, canvas), _cells(shape, canvas, ground), _rivers_and_roads(shape, ground), names, class_="ground"
    )


def changing_svg(
    figure: Figure,
    ground: Sequence[PictureItem],
    pieces: Sequence[PictureItem],
    places: MovePlaces,
    changed: Iterable[int],
    *,
    labels: bool,
) -> str:
    """Return what lies on the ground; `changed` are the nodes to mark as changed."""
    return group(*changing_layers(figure, ground, pieces, places, changed, labels=labels), class_="pieces")


def changing_layers(
    figure: Figure,
    ground: Sequence[PictureItem],
    pieces: Sequence[PictureItem],
    places: MovePlaces,
    changed: Iterable[int],
    *,
    labels: bool,
) -> tuple[str, ...]:
    """Return what lies on the ground, layer upon layer: what is marked stands apart from what lies there."""
    shape = shape_of(figure, labels=labels)
    named = labels and _headings(figure.canvas) is None
    hidden = {item.node: None for item in pieces if item.kind == "area" and item.tint is not None} if named else {}
    names = "".join(_name(shape, figure.canvas, node) for node in hidden)  # an area lies upon the name on the ground
    return (
        _areas(shape, pieces) + names + _rivers_and_roads(shape, pieces),
        _outlines(shape, places, changed),
        _all_contents(shape, [*ground, *pieces], named=named),
        _refusals(shape, places),
    )


def name_of(canvas: Canvas, node: int) -> str:
    """Return how the rules spell a node."""
    return show(canvas.type, canvas.type.lo + node)


# ------------------------------------------------------------------------------------------------------------- ground


def _cell(shape: Geometry, node: int, class_: str, *inside: str, grow: float = 0) -> str:
    if shape.outline == "point":
        x, y = shape.centres[node]
        return element("circle", *inside, class_=class_, cx=x, cy=y, r=shape.reach + grow)
    return element("polygon", *inside, class_=class_, points=shape.corners(node, grow))


def _cells(shape: Geometry, canvas: Canvas, ground: Sequence[PictureItem]) -> str:
    areas = {item.node: item for item in ground if item.kind == "area"}
    made = []
    for node in range(len(shape.centres)):
        area = areas.get(node)
        label = "" if area is None or area.tint is None else f", {area.tint.label}"
        title = element("title", f"{name_of(canvas, node)}{label}")
        made.append(_cell(shape, node, "cell", title) if area is None else _area(shape, area, title))
    return "".join(made)


def _area(shape: Geometry, item: PictureItem, *inside: str) -> str:
    if item.tint is None:
        return _cell(shape, item.node, "tile", *inside, grow=-3)
    return _cell(shape, item.node, f"area c-{item.tint.colour} is-{item.tint.label}", *inside)


def _areas(shape: Geometry, items: Sequence[PictureItem]) -> str:
    return "".join(_area(shape, item) for item in items if item.kind == "area")


def _links(shape: Geometry, canvas: Canvas) -> str:
    links = set(canvas.links)
    made = []
    for start, end in canvas.links:
        back = (end, start) in links
        if not back or start < end:
            from_, to = shape.link(start, end)
            made.append(element("line", class_="link", x1=from_[0], y1=from_[1], x2=to[0], y2=to[1]))
            made.append("" if back else element("path", class_="tip", d=shape.tip(from_, to)))
    return "".join(made)


def _rivers_and_roads(shape: Geometry, items: Sequence[PictureItem]) -> str:
    """Return rivers below roads, and of roads first what lies around them, so that crossings stay open."""
    bands, casings, roads, middles, edges = [], [], [], [], []
    for item in items:
        colour = "" if item.tint is None else f" c-{item.tint.colour}"
        if item.kind == "edge":
            edges.append(element("path", class_=f"side{colour}", d=shape.edge(item.node, item.sides[0])))
        elif item.kind == "path":
            way = shape.way(item.node, item.sides)
            if item.tint is None or item.tint.seat is None:
                bands.append(element("path", class_=f"band{colour}", d=way))
                continue
            casings.append(element("path", class_="casing", d=way))
            roads.append(element("path", class_=f"road{colour}", d=way))
            dashes = shapes.dashes(item.tint)
            if dashes:
                middles.append(element("path", class_=f"dash{colour}", d=way, stroke_dasharray=dashes))
    return "".join((group(*bands, class_="bands"), *edges, *casings, *roads, *middles))


def _headings(canvas: Canvas) -> tuple[dict[int, str], dict[int, str]] | None:
    """Return what to write above columns and beside rows of a grid over pairs; None if the nodes form no such grid."""
    if canvas.outline != "square" or canvas.type.kind != "pair":
        return None
    for first in (0, 1):
        across: dict[int, set[str]] = {}
        down: dict[int, set[str]] = {}
        for code, (x, y) in enumerate(canvas.places):
            parts = [
                show(part, value) for part, value in zip(canvas.type.parts, unpair(canvas.type, code), strict=True)
            ]
            across.setdefault(x, set()).add(parts[first])
            down.setdefault(y, set()).add(parts[1 - first])
        if all(len(said) == 1 for said in (*across.values(), *down.values())):
            return {x: said.pop() for x, said in across.items()}, {y: said.pop() for y, said in down.items()}
    return None


def _names(shape: Geometry, canvas: Canvas) -> str:
    found = _headings(canvas)
    if found is not None:
        by_x = {x: centre[0] for (x, _), centre in zip(canvas.places, shape.centres, strict=True)}
        by_y = {y: centre[1] for (_, y), centre in zip(canvas.places, shape.centres, strict=True)}
        room = 2 * shape.reach
        left = min(x for x, _ in shape.centres) - shape.reach
        above = [_head(readable(said), by_x[x], HEADING, room) for x, said in found[0].items()]
        beside = [_head(readable(said), left / 2, by_y[y] + 4, left) for y, said in found[1].items()]
        return "".join((*above, *beside))
    return "".join(_name(shape, canvas, node) for node in range(len(shape.centres)))


def _name(shape: Geometry, canvas: Canvas, node: int) -> str:
    """Return the name of a node, written at its lower edge."""
    (x, y), words = shape.centres[node], _short_name(canvas, node)
    room = {"square": 1.8, "point": 1.3}.get(shape.outline, 1.1) * shape.reach
    size = min(9.0, 9.0 * room / max(width_of(words, 9.0), 1))
    return text(words, x, y + shape.reach - (7 if shape.outline != "square" else 5), size, "name")


def _head(said: str, x: float, y: float, room: float) -> str:
    """Return the label of a row or a column, as large as fits."""
    return text(said, x, y, min(_HEAD_SIZE, 0.9 * _HEAD_SIZE * room / max(width_of(said, _HEAD_SIZE), 1)), "muted")


def _short_name(canvas: Canvas, node: int) -> str:
    """Return what is written in a node: of a pair the second part, since its area or its row shows the first."""
    type_, code = canvas.type, canvas.type.lo + node
    said = show(type_.parts[1], unpair(type_, code)[1]) if type_.kind == "pair" else show(type_, code)
    return said.replace("_", " ")


# ------------------------------------------------------------------------------------------------------- what lies upon it


def _outlines(shape: Geometry, places: MovePlaces, changed: Iterable[int]) -> str:
    marked = [_cell(shape, node, "changed", grow=-2) for node in sorted(set(changed))]
    legal = [
        _cell(shape, node, "legal", element("title", ", ".join(moves)), grow=-3.5)
        for node, moves in sorted(places.legal.items())
    ]
    chosen = [_cell(shape, node, "chosen", grow=-2) for node in places.chosen]
    return "".join((*marked, *legal, *chosen))


def _refusals(shape: Geometry, places: MovePlaces) -> str:
    made = []
    for node, why in sorted(places.refused.items()):
        x, y = shape.centres[node]
        half = shape.reach * 0.45
        cross = f"M{x - half:.1f} {y - half:.1f}L{x + half:.1f} {y + half:.1f}M{x + half:.1f} {y - half:.1f}L{x - half:.1f} {y + half:.1f}"
        size = min(9.0, 9.0 * 1.7 * shape.reach / max(width_of(why.clause, 9.0), 1))
        said = text(why.clause, x, y + shape.reach * 0.75, size, "because") if why.clause else ""
        made.append(group(element("path", element("title", escape(str(why))), class_="refused", d=cross), said))
    return "".join(made)


def _all_contents(shape: Geometry, items: Sequence[PictureItem], *, named: bool) -> str:
    crossed = {
        item.node for item in items if item.kind == "path" and item.tint is not None and item.tint.seat is not None
    }
    by_node: dict[int, list[PictureItem]] = {}
    for item in items:
        if item.kind in ("mark", "pieces", "label"):
            by_node.setdefault(item.node, []).append(item)
    high = shape.reach * (0.78 if shape.outline == "point" else 0.88)
    room = (-high, high - (9 if named else 0))
    made = []
    for node, inside in sorted(by_node.items()):
        # What stands on a road is smaller, so that the road can be seen; a circle is narrower than it is wide.
        scale = 0.74 if node in crossed else 1
        half = shape.reach * scale * (0.9 if shape.outline == "point" else 1)
        made.append(group(contents(inside, half, (room[0] * scale, room[1] * scale)), at=shape.centres[node]))
    return "".join(made)
