"""Looks: what can be asked of a picture, and what a picture is.

Reads:  nothing.   Writes: nothing; this file only names the choices.
After:  `draw`, `State.svg` and `View.svg` take the same arguments.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from pilgrim_rules.engine.state import State


class Picture(str):
    """An SVG picture; notebooks show it as one."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


class Looks(TypedDict, total=False):
    """What can be asked of a picture."""

    figure: str | None  #: one figure of the rules alone; without it all of them, and the rest of the state in tables
    highlight: Iterable[str]  #: nodes to outline, or moves whose nodes to outline
    cross_out: Iterable[str]  #: nodes, refused moves, or actions: all places in which the action is refused
    moves: bool  #: outline the places of legal moves
    since: State | None  #: an earlier state; what has changed since is marked
    size: float | None  #: width of the picture; without it, as wide as it is
    labels: bool  #: write the names of nodes
