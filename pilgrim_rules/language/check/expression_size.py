"""Expression size: how large, how deep and how long to compute an expression is, its definitions included.

Reads:  a core expression, and the measures of the definitions it calls.   Writes: three numbers.
After:  whoever opens definitions, walks into them or evaluates them knows beforehand that it ends soon.
"""

from __future__ import annotations

from collections.abc import Mapping

from pilgrim_rules.core import ir
from pilgrim_rules.core.walk import binders_of, children
from pilgrim_rules.util.fast_dataclass import dataclass

MAX_SIZE = 50_000
MAX_HEIGHT = 400
MAX_STEPS = 10_000_000


@dataclass(frozen=True, slots=True)
class ExpressionSize:
    """Of an expression with its definitions opened: nodes, levels, and an upper bound of the steps to its value."""

    size: int
    height: int
    steps: int


def measure(expr: ir.Expr, defs: Mapping[str, ExpressionSize], degrees: Mapping[str, int]) -> ExpressionSize:
    """Return the measure of an expression; `degrees` say how many values a relation gives at most."""
    parts = [measure(part, defs, degrees) for part in children(expr)]
    if isinstance(expr, ir.Call) and expr.definition in defs:
        parts.append(defs[expr.definition])
    looked, times = 1, 1
    for binder in binders_of(expr):
        looked += times * binder.type.size
        times *= binder.type.size if binder.among is None else degrees.get(binder.among[0], binder.type.size)
    size = height = steps = 0
    for part in parts:
        size += part.size
        steps += part.steps
        if part.height > height:  # noqa: PLR1730  (a call takes longer, and this is done for every node)
            height = part.height
    return ExpressionSize(1 + size, 1 + height, looked + times * steps)
