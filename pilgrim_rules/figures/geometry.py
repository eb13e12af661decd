"""Geometry: where the nodes of a canvas lie on paper, how they are outlined, and how ways run through them.

Reads:  a canvas.   Writes: points and paths, in pixels, y downwards.
After:  what runs through neighbouring cells meets at their common side without a corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import cos, hypot, pi, sin, sqrt

from pilgrim_rules.core.ir import Canvas
from pilgrim_rules.figures.markup import shown

Point = tuple[float, float]

_HEX = 34.0  #: radius of a hexagon
_FAR = 118.0  #: distance of the two nearest points
_SQUARES = ((6, 64.0), (10, 48.0), (1 << 30, 34.0))  #: up to this many columns, squares are so wide
_BEND = 0.62  #: how far towards the middle a curve is pulled
_FIRST_SIDE = {"flat": -pi / 2, "pointy": -pi / 3, "square": -pi / 2, "point": -pi / 2}


@dataclass(frozen=True, slots=True)
class Geometry:
    """The canvas on paper. `reach` is the distance from the middle of a node to its nearest side."""

    outline: str
    centres: tuple[Point, ...]
    reach: float
    sides: int
    width: float
    height: float

    def corners(self, node: int, grow: float = 0) -> str:
        """Return the outline of a node as points, a little larger if `grow` is given; points are drawn as circles."""
        x, y = self.centres[node]
        if self.outline == "square":
            half = self.reach + grow
            return _points([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])
        return _points([self._corner(node, at, grow) for at in range(6)])

    def _corner(self, node: int, at: int, grow: float = 0) -> Point:
        """Return the corner before a side of a hexagon."""
        x, y = self.centres[node]
        turn = _FIRST_SIDE[self.outline] + (at - 0.5) * pi / 3
        radius = (self.reach + grow) * 2 / sqrt(3)
        return x + radius * cos(turn), y + radius * sin(turn)

    def side(self, node: int, side: int) -> Point:
        """Return the middle of a side."""
        x, y = self.centres[node]
        turn = _FIRST_SIDE[self.outline] + side * 2 * pi / max(self.sides, 1)
        return x + self.reach * cos(turn), y + self.reach * sin(turn)

    def edge(self, node: int, side: int) -> str:
        """Return the line along a side, a little inside."""
        if self.outline in ("flat", "pointy"):
            ends = [self._corner(node, at % 6, -2.5) for at in (side, side + 1)]
        else:
            (x, y), (ax, ay) = self.centres[node], self.side(node, side)
            across = (-(ay - y) * 0.5, (ax - x) * 0.5)
            ends = [(ax - across[0], ay - across[1]), (ax + across[0], ay + across[1])]
        return f"M{_pair(ends[0])}L{_pair(ends[1])}"

    def way(self, node: int, sides: tuple[int, ...]) -> str:
        """Return the way from side to side, or from a side to the middle; it crosses a side at a right angle."""
        middle = self.centres[node]
        start = self.side(node, sides[0])
        if len(sides) == 1:
            return f"M{_pair(start)}L{_pair(middle)}"
        end = self.side(node, sides[1])
        if abs(sides[0] - sides[1]) * 2 == self.sides:
            return f"M{_pair(start)}L{_pair(end)}"
        pulled = [(x + (middle[0] - x) * _BEND, y + (middle[1] - y) * _BEND) for x, y in (start, end)]
        return f"M{_pair(start)}C{_pair(pulled[0])} {_pair(pulled[1])} {_pair(end)}"

    def link(self, start: int, end: int) -> tuple[Point, Point]:
        """Return the ends of the line between two points, at their outlines."""
        (x, y), (to_x, to_y) = self.centres[start], self.centres[end]
        length = hypot(to_x - x, to_y - y) or 1
        over = ((to_x - x) * self.reach / length, (to_y - y) * self.reach / length)
        return (x + over[0], y + over[1]), (to_x - over[0], to_y - over[1])

    def tip(self, start: Point, end: Point) -> str:
        """Return the head of an arrow."""
        length = hypot(end[0] - start[0], end[1] - start[1]) or 1
        along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
        back = (end[0] - 9 * along[0], end[1] - 9 * along[1])
        wings = [(back[0] - 5 * along[1], back[1] + 5 * along[0]), (back[0] + 5 * along[1], back[1] - 5 * along[0])]
        return f"M{_pair(end)}L{_pair(wings[0])}L{_pair(wings[1])}Z"


@lru_cache(maxsize=64)
def geometry(canvas: Canvas, margin: float, more_left: float = 0.0) -> Geometry:
    """Return the canvas on paper, with a margin around it, and more of it at the left."""
    at = [(x / 1000, y / 1000) for x, y in canvas.places]
    match canvas.outline:
        case "flat" | "pointy":
            scale, reach = _HEX, _HEX * sqrt(3) / 2
            half = (_HEX, reach) if canvas.outline == "flat" else (reach, _HEX)
        case "square":
            columns = len({x for x, _ in at})
            scale = next(size for most, size in _SQUARES if columns <= most)
            reach = scale / 2
            half = (reach, reach)
        case "point":
            nearest = min((hypot(a[0] - b[0], a[1] - b[1]) for a, b in combinations(at, 2)), default=1) or 1
            scale, reach = _FAR / nearest, _FAR * 0.38
            half = (reach, reach)
    left, top = (
        min(x for x, _ in at) * scale - half[0] - margin - more_left,
        min(y for _, y in at) * scale - half[1] - margin,
    )
    centres = tuple((x * scale - left, y * scale - top) for x, y in at)
    sides = 0 if canvas.sides is None else canvas.sides.size
    width = max(x for x, _ in centres) + half[0] + margin
    height = max(y for _, y in centres) + half[1] + margin
    return Geometry(canvas.outline, centres, reach, sides, width, height)


def _pair(point: Point) -> str:
    return f"{shown(float(point[0]))} {shown(float(point[1]))}"


def _points(points: list[Point]) -> str:
    return " ".join(f"{shown(float(x))},{shown(float(y))}" for x, y in points)
