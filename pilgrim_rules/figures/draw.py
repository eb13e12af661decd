"""Draw: a picture of a state, as one SVG text.

Reads:  a state, or what a player may see of it.   Writes: `Picture`, a str that notebooks show as a picture.
After:  the picture needs nothing outside itself, has a title and a description in plain text, and the same arguments give
        the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from pilgrim_rules.core.ir import Figure
from pilgrim_rules.engine.state import State
from pilgrim_rules.engine.view import View
from pilgrim_rules.figures.board import floor, shape_of, upon
from pilgrim_rules.figures.items import Item, figure_of, ground, palette, pieces, undrawn
from pilgrim_rules.figures.legend import entries, legend
from pilgrim_rules.figures.looks import Picture
from pilgrim_rules.figures.markup import Block, element, group, text
from pilgrim_rules.figures.palette import style
from pilgrim_rules.figures.places import Places, places
from pilgrim_rules.figures.sheet import facts, players_table
from pilgrim_rules.figures.tables import tables
from pilgrim_rules.figures.text import picture_text

GUTTER = 26.0
TITLE = 22.0
_NARROW = 380.0  #: a sheet of tables is at least so wide
_TALL = 260.0  #: beside a board of this height there is room for others


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is wanted of a picture; `draw` explains each."""

    highlight: tuple[str, ...] = ()
    cross_out: tuple[str, ...] = ()
    moves: bool = True
    since: State | None = None
    labels: bool = True
    viewer: View | None = None


def draw(
    state: State,
    *,
    figure: str | None = None,
    highlight: Iterable[str] = (),
    cross_out: Iterable[str] = (),
    moves: bool = True,
    since: State | None = None,
    size: float | None = None,
    labels: bool = True,
    viewer: View | None = None,
) -> Picture:
    """Return a picture of the state.

    figure     one figure of the rules alone; without it all of them, and the rest of the state in tables beside them
    highlight  nodes to outline, or moves whose nodes to outline
    cross_out  nodes, refused moves, or actions: all places in which the action is refused, each with its clause
    moves      outline the places of legal moves
    since      an earlier state: what has changed since is marked
    size       width of the picture; without it, as wide as it is
    labels     write the names of nodes
    viewer     show only what this view shows
    """
    looks = _Wanted(tuple(highlight), tuple(cross_out), moves, since, labels, viewer)
    game = state.game
    chosen = game.core.figures if figure is None else (figure_of(game, figure),)
    colours: set[str] = {tint.colour for tint in palette(game).seats}
    blocks: list[Block] = []
    found = {each.name: _places(state, each, looks) for each in chosen}
    for each in chosen:
        used, block = _figure(state, each, looks, found[each.name], alone=figure is not None)
        colours |= used
        blocks.append(block)
    if figure is None:
        blocks += _tables(state, looks, max([_NARROW, *(block.width for block in blocks)]))
    title = game.title if figure is None else f"{game.title}: {chosen[0].title}"
    page = _compose(blocks)
    described = picture_text(state, figure=figure, viewer=viewer, places=found)
    return _svg(page, f"{title}, {_moment(state)}", described, colours, size)


def _moment(state: State) -> str:
    stage = state.stage.replace("_", " ")
    return f"{stage}, {state.to_move} to move" if state.to_move else stage


def _svg(page: Block, title: str, described: str, colours: Iterable[str], size: float | None) -> Picture:
    width = page.width if size is None else size
    return Picture(
        element(
            "svg",
            element("title", escape(title)),
            element("desc", escape(described)),
            element("style", style(colours)),
            page.markup,
            xmlns="http://www.w3.org/2000/svg",
            class_="pr-figure",
            role="img",
            viewBox=f"0 0 {page.width:.0f} {page.height:.0f}",
            width=f"{width:.0f}",
            height=f"{page.height * width / page.width:.0f}",
        )
    )


# ------------------------------------------------------------------------------------------------------------ its parts


def _places(state: State, figure: Figure, looks: _Wanted) -> Places:
    """Return what moves concern; whoever is not to move is not told."""
    if looks.viewer is not None and looks.viewer.player != state.to_move:
        return Places()
    return places(state, figure.canvas, moves=looks.moves, highlight=looks.highlight, cross_out=looks.cross_out)


def _figure(state: State, figure: Figure, looks: _Wanted, found: Places, *, alone: bool) -> tuple[set[str], Block]:
    """Return a figure with its title and legend, and the colours in it."""
    view = looks.viewer
    below, lying = ground(state.game, figure.name), pieces(state, figure.name, view)
    changed = frozenset() if looks.since is None else changed_nodes(lying, pieces(looks.since, figure.name, view))
    shape = shape_of(figure, labels=looks.labels)
    seats = palette(state.game).seats if alone else ()
    explained = legend(entries(figure, (*below, *lying), found, seats, changed=bool(changed)), max(shape.width, 240))
    markup = "".join((
        text(figure.title, 6, 14, 13, "strong", None),
        group(
            floor(figure, below, labels=looks.labels),
            upon(figure, below, lying, found, changed, labels=looks.labels),
            at=(0, TITLE),
        ),
        group(explained.markup, at=(6, TITLE + shape.height)),
    ))  # fmt: skip
    width = max(shape.width, explained.width if explained.height else 0)
    colours = {item.tint.colour for item in (*below, *lying) if item.tint is not None}
    return colours, Block(group(markup, class_=f"figure-{figure.name}"), width, TITLE + shape.height + explained.height)


def changed_nodes(now: tuple[Item, ...], before: tuple[Item, ...]) -> frozenset[int]:
    """Return the nodes whose items differ."""
    return frozenset(item.node for item in {*now} ^ {*before})


def _tables(state: State, looks: _Wanted, width: float) -> list[Block]:
    game, view = state.game, looks.viewer
    rest = undrawn(game)
    seen = state if view is None else view
    before = None if looks.since is None else looks.since if view is None else looks.since.view(view.player)
    made = [
        players_table(table, palette(game).seats, state.to_move) if table.players else facts(table, width)
        for table in tables(seen, before, rest, game.core.player)
    ]
    return [Block(group(block.markup, at=(6, 0)), block.width + 6, block.height) for block in made]


# ------------------------------------------------------------------------------------------------------------ all of them


def _compose(blocks: list[Block]) -> Block:
    """Return the blocks in one column; if the first is tall, in two, each further block where there is more room."""
    first, *rest = blocks
    columns = 2 if first.height >= _TALL else 1
    lefts, heights = (0.0, first.width + GUTTER), [first.height + GUTTER / 2, 0.0][:columns]
    placed = [first.markup]
    width = first.width
    for block in rest:
        fits = [at for at in range(columns) if at > 0 or columns == 1 or block.width <= first.width]
        at = min(fits, key=heights.__getitem__)
        placed.append(group(block.markup, at=(lefts[at], heights[at])))
        width = max(width, lefts[at] + block.width)
        heights[at] += block.height + GUTTER / 2
    return Block("".join(placed), width + 4, max(heights) - GUTTER / 2 + 4)
