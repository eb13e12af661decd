"""Sites: the places in the rules where a contradiction can show, by number.

Reads:  a core game.   Writes: a number for each assignment and each `Checked` expression.
After:  the numbers depend on the game alone, so a compiled module read from the cache means the same places.
"""

from __future__ import annotations

from collections.abc import Iterator

from pilgrim_rules.core.ir import Assign, Checked, Game, Stmt
from pilgrim_rules.core.rule_walk import assignments, rule_expressions
from pilgrim_rules.core.walk import subexpressions


class Sites:
    """The assignments and checked expressions of a game."""

    def __init__(self, game: Game) -> None:
        blocks: list[tuple[Stmt, ...]] = [*(each.body for each in game.actions), *(each.body for each in game.effects)]
        self.assigns: list[Assign] = [stmt for block in blocks for stmt in assignments(block)]
        self.checks: list[Checked] = list(_checks(game))
        self._assign_numbers = {id(stmt): at for at, stmt in enumerate(self.assigns)}
        self._check_numbers = {_place(expr): at for at, expr in enumerate(self.checks)}

    def assign(self, stmt: Assign) -> int:
        """Return the number of an assignment of the game."""
        return self._assign_numbers[id(stmt)]

    def checked(self, expr: Checked) -> int:
        """Return the number of a checked expression of the game, or of one simplified from it."""
        return self._check_numbers[_place(expr)]


def _place(expr: Checked) -> tuple[object, ...]:
    return expr.span, expr.type


def _checks(game: Game) -> Iterator[Checked]:
    for expr in (*(definition.body for definition in game.defs), *rule_expressions(game)):
        for node in subexpressions(expr):
            if isinstance(node, Checked):
                yield node
