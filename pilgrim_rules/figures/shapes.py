"""Shapes: what marks look like.

Reads:  the name of a shape, a size, a colour.   Writes: SVG at the origin.
After:  every name in `SHAPES` has a drawing; a player's piece has a form and a letter of its own besides its colour.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from pilgrim_rules.core.ir import SHAPES
from pilgrim_rules.figures.markup import element, shown, text
from pilgrim_rules.figures.palette import Tint

#: Closed forms, filled; and where on them, and how large, a letter fits.
_FILLED: dict[str, tuple[str, float, float]] = {
    "disc": ("M1 0A1 1 0 1 1-1 0A1 1 0 1 1 1 0Z", 0, 1.15),
    "square": ("M-.88-.88H.88V.88H-.88Z", 0, 1.15),
    "diamond": ("M0-1.12L1.12 0L0 1.12L-1.12 0Z", 0, 0.95),
    "triangle": ("M0-1.05L1.08 .85H-1.08Z", 0.3, 0.9),
    "star": ("", 0.05, 0.8),
    "house": ("M0-1.1L1.1-.2H.85V1H-.85V-.2H-1.1Z", 0.35, 1.05),
    "meeple": (
        "M0-1C.4-1 .6-.7 .46-.42C1-.3 1.2 .34 .56 .34L.8 1H.2L0 .6L-.2 1H-.8L-.56 .34C-1.2 .34-1-.3-.46-.42C-.6-.7-.4-1 0-1Z", 0.12, 0.85,
    ),
    "ship": ("M-1.1 .35H1.1L.75 .95H-.75ZM-.08 .2V-1.05L-.9 .2ZM.1 .2V-.9L.95 .2Z", 0.83, 0.62),
}  # fmt: skip
#: Forms made of lines.
_DRAWN: dict[str, str] = {
    "ring": "M.78 0A.78 .78 0 1 1-.78 0A.78 .78 0 1 1 .78 0Z",
    "cross": "M-.7-.7L.7 .7M.7-.7L-.7 .7",
    "anchor": "M0-.5V.9M-.5-.2H.5M-.85 .25C-.8 .75-.4 .9 0 .9C.4 .9 .8 .75 .85 .25M.2-.72A.2 .2 0 1 1-.2-.72A.2 .2 0 1 1 .2-.72Z",
    "flag": "M-.55 1V-.95L.75-.5L-.55-.05",
}
assert {*_FILLED, *_DRAWN} == {*SHAPES}, "every shape of the language has a drawing"

#: The form of a player's pieces by seat; from the fifth seat on the letter alone tells them apart.
_PIECES = ("disc", "square", "diamond", "house")
#: How a player's roads are dashed by seat; none: a plain line.
_DASHES = ("", "7 5", "1.5 4.5", "9 3.5 1.5 3.5")
MOST_SEEDS = 24  #: of more pieces only the number is shown


def mark(shape: str, size: float, tint: Tint | None, letter: str = "") -> str:
    """Return a mark of half-width `size`, with a letter on it if there is room for one."""
    colour = "" if tint is None else f" c-{tint.colour}"
    if shape in _DRAWN:
        return element("path", class_=f"drawn{colour}", d=_DRAWN[shape], transform=f"scale({shown(float(size))})")
    form, down, tall = _FILLED[shape]
    drawn = element("path", class_="token", d=form or _star(), transform=f"scale({shown(float(size))})")
    said = letter or ("" if tint is None else tint.letter)
    narrow = 1 if len(said) < 2 else 0.8  # noqa: PLR2004  (two digits)
    letters = text(said, 0, size * (down + 0.36 * tall * narrow), size * tall * narrow, "on strong") if said else ""
    return element("g", drawn, letters, class_=colour.strip() or None)


def piece(size: float, tint: Tint, count: str) -> str:
    """Return pieces of one colour with their number: in the form of the player's seat, or as those of no player."""
    form = "triangle" if tint.seat is None else _PIECES[min(tint.seat, len(_PIECES) - 1)]
    return mark(form, size, tint, count)


def seeds(size: float, number: int | None, count: str) -> str:
    """Return a heap of pieces that nobody owns, closely packed, and their number below."""
    dot = size * 0.17
    shown_ones = min(number or 0, MOST_SEEDS)
    spread = min(2.1 * dot, size * 0.72 / sqrt(max(shown_ones, 1)))
    dots = [
        element(
            "circle",
            class_="seed",
            cx=spread * sqrt(at + 0.3) * cos(at * 2.39996),
            cy=spread * sqrt(at + 0.3) * sin(at * 2.39996) - size * 0.18,
            r=dot,
        )
        for at in range(shown_ones)
    ]
    return element("g", *dots, text(count, 0, size * 1.02, size * 0.5, "strong"))


def dashes(tint: Tint) -> str:
    """Return how the middle line of a player's road is dashed; nothing for a plain road."""
    return _DASHES[(tint.seat or 0) % len(_DASHES)]


def _star() -> str:
    corners = [(1.1 if at % 2 == 0 else 0.5, pi * at / 5) for at in range(10)]
    points = [f"{r * sin(turn):.2f} {-r * cos(turn):.2f}" for r, turn in corners]
    return f"M{'L'.join(points)}Z"
