"""Known: definitions that look at no state, as constant tables.

Reads:  a core game.   Writes: the same game with one more constant for each such definition.
After:  the constant `name()` has, for every argument for which the definition `name` has a value, that value. A
        definition whose arguments have too many values gets no table.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod

from pilgrim_rules.core.ir import AskNetwork, Checked, Constant, Def, Game
from pilgrim_rules.core.walk import reads, subexpressions
from pilgrim_rules.engine.evaluate import evaluate
from pilgrim_rules.engine.scene import NotPositive, OutsideTable, Scene, World

_LARGEST = 4096  #: cells of a table


def table_of(definition: str) -> str:
    """Return the name of a definition's table; no constant of a game is spelled so."""
    return f"{definition}()"


def tabulated(game: Game) -> Game:
    """Return the game with the tables of its definitions."""
    world = World(game)
    return replace(
        game, constants=(*game.constants, *(_table(each, world) for each in game.defs if _known(each, world)))
    )


def _known(definition: Def, world: World) -> bool:
    return (
        prod(param.type.size for param in definition.params) <= _LARGEST
        and not reads((definition.body,), world.defs)
        and not any(isinstance(node, Checked | AskNetwork) for node in subexpressions(definition.body))
    )


def _table(definition: Def, world: World) -> Constant:
    index = tuple(param.type for param in definition.params)
    names = [param.name for param in definition.params]

    def value(codes: tuple[int, ...]) -> int:
        try:
            return evaluate(definition.body, Scene(world, {}, dict(zip(names, codes, strict=True))))
        except (OutsideTable, NotPositive):
            return 0  # nobody asks for it

    cells = product(*(range(type_.lo, type_.hi + 1) for type_ in index))
    return Constant(table_of(definition.name), index, definition.body.type, tuple(map(value, cells)), "column")
