"""Tabulate: definitions that look at no state, as constant tables.

Reads:  a core game.   Writes: the same game with one more constant for each such definition.
After:  the constant `name()` has, for every argument for which the definition `name` has a value, that value. A
        definition whose arguments have too many values gets no table.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod

from pilgrim_rules.core.declarations import Declarations, definition_table
from pilgrim_rules.core.footprint import reads
from pilgrim_rules.core.ir import AskNetwork, Checked, Constant, Def, Game
from pilgrim_rules.core.walk import subexpressions
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.evaluate import evaluate

_LARGEST = 4096  #: cells of a table


def tabulated(game: Game) -> Game:
    """Return the game with the tables of its definitions."""
    declared = Declarations(game)
    return replace(
        game, constants=(*game.constants, *(_table(each, declared) for each in game.defs if _known(each, declared)))
    )


def _known(definition: Def, declared: Declarations) -> bool:
    return (
        prod(param.type.size for param in definition.params) <= _LARGEST
        and not reads((definition.body,), declared.defs)
        and not any(isinstance(node, Checked | AskNetwork) for node in subexpressions(definition.body))
    )


def _table(definition: Def, declared: Declarations) -> Constant:
    index = tuple(param.type for param in definition.params)
    names = [param.name for param in definition.params]

    def value(codes: tuple[int, ...]) -> int:
        try:
            return evaluate(definition.body, Environment(declared, {}, dict(zip(names, codes, strict=True))))
        except Contradiction:
            return 0  # nobody asks for it

    cells = product(*(range(type_.lo, type_.hi + 1) for type_ in index))
    return Constant(definition_table(definition.name), index, definition.body.type, tuple(map(value, cells)), "column")
