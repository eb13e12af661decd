"""Cost: about how large an expression is, and how much there is to do in it.

Reads:  core expressions.   Writes: numbers of nodes.
After:  nothing is changed; the numbers guide the compiler and mean nothing else.
"""

from __future__ import annotations

from math import prod

from pilgrim_rules.core.declarations import Declarations, definition_table
from pilgrim_rules.core.ir import Call, Expr
from pilgrim_rules.core.walk import binders_of, children


class CostModel:
    """Estimates for one game, if definitions of up to `inline` nodes are written out where they are called."""

    def __init__(self, declared: Declarations, inline: int) -> None:
        self._declared = declared
        self._inline = inline
        self._costs: dict[str, int] = {}

    def cost(self, expr: Expr) -> int:
        """Return about how many nodes the expression has once it is simplified."""
        times = prod(binder.type.size for binder in binders_of(expr))
        own = 1
        if isinstance(expr, Call) and definition_table(expr.definition) not in self._declared.constants:
            own = self._def_cost(expr.definition) if self.is_small(expr.definition) else 1
        return own + times * sum(map(self.cost, children(expr)))

    def work(self, expr: Expr) -> int:
        """Return about how many nodes are gone through when the expression is evaluated, in what it calls as well."""
        times = prod(binder.type.size for binder in binders_of(expr))
        inside = self._def_cost(expr.definition) if isinstance(expr, Call) else 0
        return 1 + inside + times * sum(map(self.work, children(expr)))

    def _def_cost(self, name: str) -> int:
        if name not in self._costs:
            self._costs[name] = self.cost(self._declared.defs[name].body)
        return self._costs[name]

    def is_small(self, name: str) -> bool:
        """Return whether a definition is written out where it is called."""
        return self._def_cost(name) <= self._inline


def node_count(expr: Expr) -> int:
    """Return how many nodes an expression has."""
    return 1 + sum(map(node_count, children(expr)))
