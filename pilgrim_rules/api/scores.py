"""Scores: points with their parts, and the order of the players.

Reads:  a compiled game and a state.   Writes: `Score` values and groups of players.
After:  a total is the sum of its parts; players in one group agree on every tie-break.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType

from pilgrim_rules.engine.python.compile import Compiled

Points = int | Fraction  #: whole points are `int`


@dataclass(frozen=True, slots=True)
class Score:
    """The points of a player: the total, and each line of the score sheet by its label."""

    total: Points
    parts: Mapping[str, Points]


def score(code: Compiled, state: bytes, player: int) -> Score:
    """Return the score of a player; nothing if the game keeps none."""
    sheet = code.game.score
    if sheet is None:
        return Score(0, MappingProxyType({}))
    values = code.score(state, player)
    parts = {line.label: points(value, sheet.per) for line, value in zip(sheet.lines, values, strict=True)}
    return Score(points(sum(values), sheet.per), MappingProxyType(parts))


def ranking(code: Compiled, state: bytes) -> list[list[int]]:
    """Return the players from first to last; those who tie stand together, in the order of their seats."""
    keys = {player: code.rank(state, player) for player in range(code.game.player.size)}
    return [list(tied) for _, tied in groupby(sorted(keys, key=keys.__getitem__), key=keys.__getitem__)]


def points(units: int, per: int) -> Points:
    """Return points from units of 1/`per`."""
    points = Fraction(units, per)
    return points.numerator if points.denominator == 1 else points
