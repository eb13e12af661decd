"""Draw: a picture of a state, as one SVG text.

Reads:  a state, or what a player may see of it.   Writes: `Picture`, a str that notebooks show as a picture.
After:  the picture needs nothing outside itself, has a title and a description in plain text, and the same arguments give
        the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import TypedDict

from pilgrim_rules.core.ir import Figure
from pilgrim_rules.engine.rules import StateLike
from pilgrim_rules.figures.board import changing_svg, fixed_svg, shape_of
from pilgrim_rules.figures.board_text import picture_text, to_move
from pilgrim_rules.figures.layer_items import (
    PictureItem,
    changing_items,
    figure_of,
    fixed_items,
    palette,
    undrawn_variables,
)
from pilgrim_rules.figures.legend import legend, legend_entries
from pilgrim_rules.figures.markup import Block, element, group, text
from pilgrim_rules.figures.move_places import MovePlaces, places
from pilgrim_rules.figures.palette import style
from pilgrim_rules.figures.variable_tables import facts_svg, players_svg, variable_tables
from pilgrim_rules.semantics.visibility import Observer

GUTTER = 26.0
TITLE = 22.0
_NARROW = 380.0  #: a sheet of tables is at least so wide
_TALL = 260.0  #: beside a board of this height there is room for others


class Picture(str):
    """An SVG picture; notebooks show it as one."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


class PictureOptions(TypedDict, total=False):
    """What can be asked of a picture."""

    figure: str | None  #: one figure of the rules alone; without it all of them, and the rest of the state in tables
    highlight: Iterable[str]  #: nodes to outline, or moves whose nodes to outline
    cross_out: Iterable[str]  #: nodes, refused moves, or actions: all places in which the action is refused
    moves: bool  #: outline the places of legal moves
    since: StateLike | None  #: an earlier state; what has changed since is marked
    size: float | None  #: width of the picture; without it, as wide as it is
    labels: bool  #: write the names of nodes


@dataclass(frozen=True, slots=True)
class _Options:
    """What is wanted of a picture; `draw` explains each."""

    highlight: tuple[str, ...] = ()
    cross_out: tuple[str, ...] = ()
    moves: bool = True
    since: StateLike | None = None
    labels: bool = True
    observer: Observer | None = None


def draw(
    state: StateLike,
    *,
    figure: str | None = None,
    highlight: Iterable[str] = (),
    cross_out: Iterable[str] = (),
    moves: bool = True,
    since: StateLike | None = None,
    size: float | None = None,
    labels: bool = True,
    observer: Observer | None = None,
) -> Picture:
    """Return a picture of the state.

    figure     one figure of the rules alone; without it all of them, and the rest of the state in tables beside them
    highlight  nodes to outline, or moves whose nodes to outline
    cross_out  nodes, refused moves, or actions: all places in which the action is refused, each with its clause
    moves      outline the places of legal moves
    since      an earlier state: what has changed since is marked
    size       width of the picture; without it, as wide as it is
    labels     write the names of nodes
    observer   show only what this observer may see
    """
    options = _Options(tuple(highlight), tuple(cross_out), moves, since, labels, observer)
    game = state.game
    chosen = game.core.figures if figure is None else (figure_of(game, figure),)
    colours: set[str] = {tint.colour for tint in palette(game).seats}
    blocks: list[Block] = []
    found = {each.name: _places(state, each, options) for each in chosen}
    for each in chosen:
        used, block = _figure(state, each, options, found[each.name], alone=figure is not None)
        colours |= used
        blocks.append(block)
    if figure is None:
        blocks += _tables(state, options, max([_NARROW, *(block.width for block in blocks)]))
    title = game.title if figure is None else f"{game.title}: {chosen[0].title}"
    page = _compose(blocks)
    described = picture_text(state, figure=figure, observer=observer, places=found)
    return _svg(page, f"{title}, {_moment(state)}", described, colours, size)


def _moment(state: StateLike) -> str:
    stage, mover = state.game.runner.row(state.data).stage.name.replace("_", " "), to_move(state)
    return f"{stage}, {mover} to move" if mover else stage


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


def _places(state: StateLike, figure: Figure, options: _Options) -> MovePlaces:
    """Return what moves concern; whoever is not to move is not told."""
    game, observer = state.game, options.observer
    if observer is not None and (observer.player is None or game.players[observer.player] != to_move(state)):
        return MovePlaces()
    return places(state, figure.canvas, moves=options.moves, highlight=options.highlight, cross_out=options.cross_out)


def _figure(
    state: StateLike, figure: Figure, options: _Options, found: MovePlaces, *, alone: bool
) -> tuple[set[str], Block]:
    """Return a figure with its title and legend, and the colours in it."""
    observer = options.observer
    below, lying = fixed_items(state.game, figure.name), changing_items(state, figure.name, observer)
    before = lying if options.since is None else changing_items(options.since, figure.name, observer)
    changed = changed_nodes(lying, before)
    shape = shape_of(figure, labels=options.labels)
    seats = palette(state.game).seats if alone else ()
    explained = legend(
        legend_entries(figure, (*below, *lying), found, seats, changed=bool(changed)), max(shape.width, 240)
    )
    markup = "".join((
        text(figure.title, 6, 14, 13, "strong", None),
        group(
            fixed_svg(figure, below, labels=options.labels),
            changing_svg(figure, below, lying, found, changed, labels=options.labels),
            at=(0, TITLE),
        ),
        group(explained.markup, at=(6, TITLE + shape.height)),
    ))  # fmt: skip
    width = max(shape.width, explained.width if explained.height else 0)
    colours = {item.tint.colour for item in (*below, *lying) if item.tint is not None}
    return colours, Block(group(markup, class_=f"figure-{figure.name}"), width, TITLE + shape.height + explained.height)


def changed_nodes(now: tuple[PictureItem, ...], before: tuple[PictureItem, ...]) -> frozenset[int]:
    """Return the nodes whose items differ."""
    return frozenset(item.node for item in {*now} ^ {*before})


def _tables(state: StateLike, options: _Options, width: float) -> list[Block]:
    game = state.game
    made = [
        players_svg(table, palette(game).seats, to_move(state)) if table.players else facts_svg(table, width)
        for table in variable_tables(state, options.since, undrawn_variables(game), options.observer)
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
