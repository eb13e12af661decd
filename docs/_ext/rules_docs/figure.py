"""Pictures of positions: a play that is run while the page is built, drawn as the rules say.

Reads:  the name of a game, a seed for chance, moves.   Writes: one SVG with a caption.
After:  a move that the rules refuse stops the build; a picture never shows a position that cannot arise.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from docutils import nodes

import pilgrim_rules
from pilgrim_rules.engine.errors import RulesGameError
from pilgrim_rules.engine.state import State
from pilgrim_rules.figures.album import Album
from pilgrim_rules.figures.items import figure_of
from pilgrim_rules.figures.places import places
from rules_docs import pictures

__all__ = ["FigureError", "picture", "position"]


class FigureError(Exception):
    """A play that cannot be drawn."""


def position(name: str, players: int | None, rulings: str, seed: int, moves: Sequence[str]) -> State:
    """Return the position after some moves."""
    try:
        chosen = tuple(sorted(_choice(each) for each in rulings.replace(",", " ").split()))
        return _game(name, players, chosen).start(seed).play(*moves)
    except (RulesGameError, pilgrim_rules.RulesError, ValueError) as problem:
        raise FigureError(str(problem)) from problem


def picture(album: Album, state: State, figure: str | None, *, outline: bool) -> nodes.Node:
    """Return a position, one figure of it or all; `outline` marks where the next move may happen."""
    try:
        if figure is None:
            return nodes.raw("", str(state.svg(moves=outline)), format="html")
        drawn = figure_of(state.game, figure)
    except KeyError as problem:
        raise FigureError(problem.args[0]) from problem
    found = places(state, drawn.canvas, moves=outline, highlight=(), cross_out=())
    return pictures.one(album, state, drawn, f"{drawn.title}, {state.stage.replace('_', ' ')}", found)


def _choice(text: str) -> tuple[str, str]:
    name, equals, option = text.partition("=")
    if not equals:
        raise FigureError(f"a ruling is written `name=option`, not `{text}`")
    return name, option


@cache
def _game(name: str, players: int | None, rulings: tuple[tuple[str, str], ...]) -> pilgrim_rules.Game:
    return pilgrim_rules.load(name, players, dict(rulings) or None)
