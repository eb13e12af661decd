"""Reel: a whole play as pictures that a page can step through, each step as what it changes.

Reads:  a trace, and the album of the page.   Writes: markup of the first pictures, and the steps as data.
After:  every picture of the play can be made from the first one by the changes of the steps; a node that looks the same
        twice is in the store of the page once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import TypedDict

from pilgrim_rules.core.ir import Figure
from pilgrim_rules.engine import plain
from pilgrim_rules.engine.state import State
from pilgrim_rules.engine.trace import Trace
from pilgrim_rules.figures.album import Album
from pilgrim_rules.figures.board import shape_of, upon
from pilgrim_rules.figures.items import Item, ground, palette, pieces
from pilgrim_rules.figures.legend import entries, legend
from pilgrim_rules.figures.markup import element, group
from pilgrim_rules.figures.places import Places


class Frame(TypedDict):
    """One step: who did what, which nodes of which figure look how from then on, and what changed in words."""

    by: str
    move: str
    draw: list[tuple[int, int, str]]  #: the number of the figure, the node, the part
    said: list[str]


@dataclass(frozen=True, slots=True)
class Reel:
    """A play to step through: the figures at the beginning, the outline of each node that changes, and the steps."""

    first: str
    marks: dict[str, str]  #: by `figure-node`, the part that marks a node as changed
    frames: list[Frame]


@dataclass(slots=True)
class _Drawing:
    """One figure of the play as it looks now: the part of each node."""

    figure: Figure
    below: tuple[Item, ...]
    now: dict[int, str] = field(default_factory=dict)
    known: dict[tuple[int, tuple[Item, ...]], str] = field(default_factory=dict)


def reel(trace: Trace, album: Album) -> Reel:
    """Return the play; its parts go into the album."""
    game = trace.game
    drawings = [_Drawing(figure, ground(game, figure.name)) for figure in game.core.figures]
    for drawing in drawings:
        _changes(drawing, trace.states[0], album)
    first = "".join(_figure(trace.states[0], drawing, album) for drawing in drawings)
    frames: list[Frame] = []
    marks: dict[str, str] = {}
    for before, step, after in trace:
        drawn = [
            (number, node, part)
            for number, drawing in enumerate(drawings)
            for node, part in _changes(drawing, after, album).items()
        ]
        for number, node, _ in drawn:
            mark = upon(drawings[number].figure, (), (), Places(), (node,), labels=True)
            marks[f"{number}-{node}"] = album.keep(mark)
        frames.append({"by": step.by, "move": str(step.move), "draw": drawn, "said": _said(before, after)})
    return Reel(first, dict(sorted(marks.items())), frames)


def _said(before: State, after: State) -> list[str]:
    return [f"{cell}: {plain.text(old)} → {plain.text(new)}" for cell, (old, new) in before.diff(after).items()]


def _changes(drawing: _Drawing, state: State, album: Album) -> dict[int, str]:
    """Return the nodes that look different now, each with its part, and remember them."""
    lying = pieces(state, drawing.figure.name)
    album.uses(state.game, (*drawing.below, *lying))
    marked = tuple(item for item in drawing.below if item.kind in ("mark", "pieces", "label"))
    by_node = _by_node((*marked, *lying))
    found = {node: _part(drawing, node, items, album) for node, items in by_node.items()}
    found |= {node: "" for node in drawing.now if node not in found}
    changed = {node: part for node, part in sorted(found.items()) if drawing.now.get(node, "") != part}
    drawing.now |= changed
    return changed


def _by_node(items: Iterable[Item]) -> dict[int, tuple[Item, ...]]:
    found: dict[int, list[Item]] = {}
    for item in items:
        found.setdefault(item.node, []).append(item)
    return {node: tuple(inside) for node, inside in found.items()}


def _part(drawing: _Drawing, node: int, items: tuple[Item, ...], album: Album) -> str:
    key = (node, items)
    if key not in drawing.known:
        drawing.known[key] = album.keep(upon(drawing.figure, (), items, Places(), (), labels=True))
    return drawing.known[key]


def _figure(state: State, drawing: _Drawing, album: Album) -> str:
    """Return a figure at the beginning: what is below, one reference a node, and room for marks above."""
    figure = drawing.figure
    shape = shape_of(figure, labels=True)
    explained = legend(
        entries(figure, drawing.below, Places(), palette(state.game).seats, changed=True), max(shape.width, 240)
    )
    width, height = max(shape.width, explained.width), shape.height + explained.height
    below = element("use", href=f"#{album.floor(state.game, figure, drawing.below)}")
    nodes = "".join(
        element("use", href=f"#{part}" if (part := drawing.now.get(node)) else None, data_node=node)
        for node in range(len(shape.centres))
    )
    key = album.keep(group(explained.markup, at=(6, shape.height)))
    svg = element(
        "svg",
        element("title", escape(figure.title)),
        below,
        element("g", nodes, class_="reel-nodes"),
        element("g", " ", class_="reel-marks"),
        element("use", href=f"#{key}") if key else "",
        class_="pr-figure",
        role="img",
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=f"{width:.0f}",
        height=f"{height:.0f}",
    )
    return element("figure", element("figcaption", escape(figure.title)), svg)
