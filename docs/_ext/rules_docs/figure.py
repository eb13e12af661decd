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

__all__ = ["FigureError", "picture"]


class FigureError(Exception):
    """A play that cannot be drawn."""


def picture(
    name: str, players: int | None, rulings: str, seed: int, moves: Sequence[str], figure: str | None, *, outline: bool
) -> nodes.Node:
    """Return the position after some moves; `outline` marks where the next move may happen."""
    try:
        chosen = tuple(sorted(_choice(each) for each in rulings.replace(",", " ").split()))
        state = _game(name, players, chosen).start(seed).play(*moves)
        svg = state.svg(figure=figure, moves=outline)
    except (RulesGameError, pilgrim_rules.RulesError, ValueError) as problem:
        raise FigureError(str(problem)) from problem
    return nodes.raw("", str(svg), format="html")


def _choice(text: str) -> tuple[str, str]:
    name, equals, option = text.partition("=")
    if not equals:
        raise FigureError(f"a ruling is written `name=option`, not `{text}`")
    return name, option


@cache
def _game(name: str, players: int | None, rulings: tuple[tuple[str, str], ...]) -> pilgrim_rules.Game:
    return pilgrim_rules.load(name, players, dict(rulings) or None)
