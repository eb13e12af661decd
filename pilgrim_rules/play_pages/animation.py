"""Animation: a whole play as pictures that a page can step through, each step as what it changes.

Reads:  a trace, and the sprite sheet of the page.   Writes: markup of the first pictures, and the steps as data.
After:  every picture of the play can be made from the first one by the changes of the steps; a node that looks the same
        twice is in the store of the page once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import TypedDict

from pilgrim_rules.api.game import State
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.core.ir import Figure, Layer
from pilgrim_rules.figures.board import changing_svg, shape_of
from pilgrim_rules.figures.layer_items import PictureItem, changing_items, fixed_items, layer_items, palette
from pilgrim_rules.figures.legend import legend, legend_entries
from pilgrim_rules.figures.markup import element, group
from pilgrim_rules.figures.move_places import MovePlaces
from pilgrim_rules.figures.sprite_sheet import SpriteSheet
from pilgrim_rules.play_pages.changes import changes_in_words
from pilgrim_rules.prose.moves import say_move, value_words


class Frame(TypedDict):
    """One step: who did what, which nodes of which figure look how from then on, and what changed in words."""

    by: str
    move: str
    action: str
    words: str  #: the move in words
    heads: list[str]  #: how far the game is: where the marks are that belong to nobody
    event: bool  #: whether those have changed, so that a round or a season has begun
    draw: list[tuple[int, int, str]]  #: the number of the figure, the node, the part
    said: list[str]


@dataclass(frozen=True, slots=True)
class Animation:
    """A play to step through: the figures at the beginning, the outline of each node that changes, and the steps."""

    first: str
    marks: dict[str, str]  #: by `figure-node`, the part that marks a node as changed
    frames: list[Frame]


@dataclass(slots=True)
class _Drawing:
    """One figure of the play as it looks now: the part of each node."""

    figure: Figure
    below: tuple[PictureItem, ...]
    now: dict[int, str] = field(default_factory=dict)
    known: dict[tuple[int, tuple[PictureItem, ...]], str] = field(default_factory=dict)


def animate(trace: Trace, sprites: SpriteSheet) -> Animation:
    """Return the play; its parts go into the sprites."""
    game = trace.game
    drawings = [_Drawing(figure, fixed_items(game, figure.name)) for figure in game.core.figures]
    for drawing in drawings:
        _changes(drawing, trace.states[0], sprites)
    first = "".join(_figure(trace.states[0], drawing, sprites) for drawing in drawings)
    frames: list[Frame] = []
    heads = headlines(trace.states[0])
    marks: dict[str, str] = {}
    for before, step, after in trace:
        drawn = [
            (number, node, part)
            for number, drawing in enumerate(drawings)
            for node, part in _changes(drawing, after, sprites).items()
        ]
        for number, node, _ in drawn:
            mark = changing_svg(drawings[number].figure, (), (), MovePlaces(), (node,), labels=True)
            marks[f"{number}-{node}"] = sprites.keep(mark)
        number, args = game.runner.book.codes(step.move)
        action, now = game.core.actions[number], headlines(after)
        frames.append({
            "by": step.by, "move": str(step.move), "action": action.name, "words": say_move(action, args), "heads": now, "event": now != heads,
            "draw": drawn, "said": changes_in_words(game.core, before, after),
        })  # fmt: skip
        heads = now
    return Animation(first, dict(sorted(marks.items())), frames)


def headlines(state: State) -> list[str]:
    """Return where the marks are that are always somewhere and belong to nobody: the round, the season, a common marker."""
    found: list[str] = []
    for figure in state.game.core.figures:
        for at, layer in enumerate(figure.layers):
            if tells_progress(layer):
                found += [
                    f"{layer.says or figure.title}: {value_words(figure.canvas.type, figure.canvas.type.lo + item.node)}"
                    for item in layer_items(state, figure.name, at)
                ]
    return found


def tells_progress(layer: Layer) -> bool:
    """Tell whether a layer is one mark that is always somewhere and belongs to nobody: it tells how far the game is."""
    return layer.kind == "mark" and not layer.binders and layer.where is None and layer.by is None


def _changes(drawing: _Drawing, state: State, sprites: SpriteSheet) -> dict[int, str]:
    """Return the nodes that look different now, each with its part, and remember them."""
    lying = changing_items(state, drawing.figure.name)
    sprites.uses(state.game, (*drawing.below, *lying))
    marked = tuple(item for item in drawing.below if item.kind in ("mark", "pieces", "label"))
    by_node = _by_node((*marked, *lying))
    found = {node: _part(drawing, node, items, sprites) for node, items in by_node.items()}
    found |= {node: "" for node in drawing.now if node not in found}
    changed = {node: part for node, part in sorted(found.items()) if drawing.now.get(node, "") != part}
    drawing.now |= changed
    return changed


def _by_node(items: Iterable[PictureItem]) -> dict[int, tuple[PictureItem, ...]]:
    found: dict[int, list[PictureItem]] = {}
    for item in items:
        found.setdefault(item.node, []).append(item)
    return {node: tuple(inside) for node, inside in found.items()}


def _part(drawing: _Drawing, node: int, items: tuple[PictureItem, ...], sprites: SpriteSheet) -> str:
    key = (node, items)
    if key not in drawing.known:
        drawing.known[key] = sprites.keep(changing_svg(drawing.figure, (), items, MovePlaces(), (), labels=True))
    return drawing.known[key]


def _figure(state: State, drawing: _Drawing, sprites: SpriteSheet) -> str:
    """Return a figure at the beginning: what is below, one reference a node, and room for marks above."""
    figure = drawing.figure
    shape = shape_of(figure, labels=True)
    explained = legend(
        legend_entries(figure, drawing.below, MovePlaces(), palette(state.game).seats, changed=True),
        max(shape.width, 240),
    )
    width, height = max(shape.width, explained.width), shape.height + explained.height
    below = element("use", href=f"#{sprites.floor(state.game, figure, drawing.below)}")
    nodes = "".join(
        element("use", href=f"#{part}" if (part := drawing.now.get(node)) else None, data_node=node)
        for node in range(len(shape.centres))
    )
    key = sprites.keep(group(explained.markup, at=(6, shape.height)))
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
