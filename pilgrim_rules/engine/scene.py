"""Scene: everything an expression can see while it is evaluated.

Reads:  a core game and positions.   Writes: `World`, the game with its declarations by name, and `Scene`.
After:  nothing is changed; binding a name gives a new scene.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from pilgrim_rules.core.ir import Action, Claim, Constant, Def, Game, Network, Stage, Type, Variable
from pilgrim_rules.engine.layout import Position


class OutsideTable(Exception):
    """An index outside its table: the value of an optional was used though it is none."""


class NotPositive(Exception):
    """A divisor that is not positive."""


@dataclass(frozen=True)
class World:
    """A game, with its declarations found by name."""

    game: Game

    @cached_property
    def variables(self) -> dict[str, Variable]:
        """State variables by name."""
        return {each.name: each for each in self.game.variables}

    @cached_property
    def constants(self) -> dict[str, Constant]:
        """Constant tables by name."""
        return {each.name: each for each in self.game.constants}

    @cached_property
    def defs(self) -> dict[str, Def]:
        """Definitions by name."""
        return {each.name: each for each in self.game.defs}

    @cached_property
    def stages(self) -> dict[int, Stage]:
        """Stages by code."""
        return {each.code: each for each in self.game.stages}

    @cached_property
    def actions(self) -> dict[str, Action]:
        """Actions by name."""
        return {each.name: each for each in self.game.actions}

    @cached_property
    def claims(self) -> dict[str, Claim]:
        """Claims by name."""
        return {each.name: each for each in self.game.claims}

    @cached_property
    def networks(self) -> dict[str, Network]:
        """Networks by name."""
        return {each.name: each for each in self.game.networks}

    @cached_property
    def required(self) -> Callable[[str], Mapping[str, str]]:
        """What the requirements of an action ask for, in words, by their keys; said once."""
        from pilgrim_rules.prose import say_requirements  # noqa: PLC0415  (whoever plays legal moves needs no words)

        return cache(lambda name: say_requirements(self.game, self.actions[name]))


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything an expression can see: the game, the position now, before and after, and the names bound around."""

    world: World
    now: Position
    names: Mapping[str, int]
    old: Position | None = None
    next: Position | None = None

    def bind(self, name: str, value: int) -> Scene:
        """Return the scene in which the name stands for the value."""
        return replace(self, names={**self.names, name: value})


def cell(index: tuple[Type, ...], codes: Sequence[int]) -> int:
    """Return the number of a cell of a row-major table."""
    at = 0
    for type_, code in zip(index, codes, strict=True):
        if not type_.lo <= code <= type_.hi:
            raise OutsideTable
        at = at * type_.size + code - type_.lo
    return at
