"""The figures of a page: what never changes, drawn; and how to draw what does, once for each kind of thing.

Reads:  the figures of a game.   Writes: data for the page, SVG in it.
After:  the page draws a state by putting ready parts at ready places; it knows no figure of any game.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from pilgrim_rules.core.ir import Figure, Layer, Parameter, Type
from pilgrim_rules.core.type_order import fits
from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.figures import shapes
from pilgrim_rules.figures.board import changing_svg, fixed_svg, shape_of
from pilgrim_rules.figures.layer_items import PictureItem, fixed_items, palette
from pilgrim_rules.figures.markup import element
from pilgrim_rules.figures.move_places import MovePlaces
from pilgrim_rules.figures.palette import Tint
from pilgrim_rules.play_pages.page_game import shown_parts

_TINT = Tint("any", "TINT", 0, "")  #: stands in drawings for the colour that the page puts there
_INSET = 2.0  #: of the outline of a place, so that neighbours do not cover each other
_NAME = 14.0  #: room for the name of a node at its bottom


def drawn_figure(rules: Rules, figure: Figure) -> dict[str, Any]:
    """Return a figure without what changes: its ground, its places, and the outline of each to be pointed at."""
    shape = shape_of(figure, labels=True)
    below = fixed_items(rules, figure.name)
    pair = figure.canvas.type.kind == "pair"
    ground = [item for item in below if item.kind not in ("mark", "pieces", "label")]
    return {
        "name": figure.name,
        "title": figure.title,
        "note": figure.note.doc,
        "width": round(shape.width),
        "height": round(shape.height),
        "ground": fixed_svg(figure, ground, labels=True),
        "centres": [[round(x, 1), round(y, 1)] for x, y in shape.centres],
        "reach": round(shape.reach, 1),
        "below": 3 if pair and shape.outline == "square" else _NAME,
        "lying": [[item.node, *_still(item, shape.reach)] for item in below if item not in ground],
        "cell": _cell(figure),
    }


def _still(item: PictureItem, reach: float) -> tuple[str, str, str]:
    """Return a thing that never moves: its kind, its drawing and its words."""
    if item.kind == "label":
        return "label", "", item.words
    size = reach
    drawn = shapes.mark(item.shape, size, item.tint) if item.shape else ""
    return "mark", drawn, item.count if item.kind == "pieces" else item.words


def _cell(figure: Figure) -> str:
    """Return the outline of a node around the origin."""
    shape = shape_of(figure, labels=True)
    if shape.outline == "point":
        return element("circle", r=shape.reach - _INSET)
    x, y = shape.centres[0]
    return element("polygon", points=shape.corners(0, -_INSET), transform=f"translate({-x:.1f} {-y:.1f})")


def drawn_layer(rules: Rules, figure: Figure, layer: Layer) -> dict[str, Any]:
    """Return how the items of a layer are drawn: one drawing for each colour, or for each direction if it fills the node."""
    colours = palette(rules)
    found: dict[str, Any] = {
        "kind": layer.kind, "sides": len(layer.at) - 1, "by": layer.by is not None, "value": layer.value is not None, "text": layer.text,
        "says": layer.says,
    }  # fmt: skip
    tints: list[Tint | None] = [None]
    if layer.by is not None:
        tints = [colours.tint(figure, layer.by.type, code) for code in range(layer.by.type.lo, layer.by.type.hi + 1)]
    found["colours"] = [None if tint is None else tint.colour for tint in tints]
    found["owners"] = ["" if tint is None else tint.label.replace("_", " ") for tint in tints]
    if layer.kind in ("area", "edge", "path"):
        sides = [range(each.type.size) for each in shown_parts(layer)[1 : len(layer.at)]]
        found["drawn"] = {" ".join(map(str, place)): _around_origin(figure, layer, place) for place in product(*sides)}
        return found
    found["marks"] = [_mark(layer, 100.0, tint) for tint in tints]
    return found


def _around_origin(figure: Figure, layer: Layer, sides: tuple[int, ...]) -> str:
    """Return what a layer draws in one node, moved to the origin: it looks the same in every node."""
    x, y = shape_of(figure, labels=True).centres[0]
    drawn = changing_svg(figure, (), (_item(layer, sides),), MovePlaces(), (), labels=True)
    return element("g", drawn, transform=f"translate({-x:.1f} {-y:.1f})")


def _item(layer: Layer, sides: tuple[int, ...]) -> PictureItem:
    tint = _TINT if layer.by is not None else None
    return PictureItem(layer.kind, 0, sides, layer.shape, 0, "", tint, layer.says)


def _mark(layer: Layer, size: float, tint: Tint | None) -> str:
    """Return a mark of this size, which the page shrinks into its place."""
    if layer.shape:
        return shapes.mark(layer.shape, size, tint)
    if layer.kind == "pieces" and tint is not None:
        return shapes.piece(size, tint, " ")
    return ""


def figure_colours(rules: Rules) -> set[str]:
    """Return the colours that occur in the figures of a game."""
    known = palette(rules)
    found = {tint.colour for tint in known.seats}
    for figure in rules.core.figures:
        for layer in figure.layers:
            if layer.by is not None:
                codes = range(layer.by.type.lo, layer.by.type.hi + 1)
                found |= {
                    tint.colour for code in codes if (tint := known.tint(figure, layer.by.type, code)) is not None
                }
        found |= {item.tint.colour for item in fixed_items(rules, figure.name) if item.tint is not None}
    return found


def places_of(rules: Rules, param: Parameter) -> dict[int, list[int]]:
    """Return in which figures an argument of a move is a place, by their numbers: what to add to its code to get the node.

    In a figure over pairs whose first part is a player, the second part is a place of the player who moves: then the number of places of each player
    follows.
    """
    type_ = param.type.parts[0] if param.type.kind == "optional" else param.type
    found: dict[int, list[int]] = {}
    for number, figure in enumerate(rules.core.figures):
        whole = figure.canvas.type
        if _is_place(type_, whole):
            found[number] = [param.type.lo - whole.lo]
        elif (own := _own_part(whole, rules.core.player)) and _is_place(type_, own):
            found[number] = [param.type.lo - own.lo, own.size]
    return found


def _is_place(type_: Type, whole: Type) -> bool:
    """Tell whether values of a type are places; a number is one only where its type has a name, and that one."""
    if type_.kind == "int" and (type_.name != whole.name or ".." in type_.name):
        return False
    return fits(type_, whole)


def _own_part(type_: Type, player: Type) -> Type | None:
    return type_.parts[1] if type_.kind == "pair" and type_.parts[0] == player else None
