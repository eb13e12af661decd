"""Constant: the value of an expression that does not depend on the state.

Reads:  a core expression over constants and definitions.   Writes: its code, or why it takes too long to find.
After:  the value is the one the reference evaluator gives; there is no second account of the meaning of operators.
"""

from __future__ import annotations

from itertools import product
from math import prod

from pilgrim_rules.core import ir
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.engine.evaluate import evaluate
from pilgrim_rules.engine.scene import Scene, World
from pilgrim_rules.source import Span
from pilgrim_rules.types.measure import MAX_STEPS
from pilgrim_rules.types.program import Program


def value_of(expr: ir.Expr, program: Program, span: Span) -> int | None:
    """Return the code of a constant expression; None if it takes too long, which is reported at the place."""
    values = values_of(expr, (), (), program, span)
    return None if values is None else values[0]


def values_of(
    expr: ir.Expr, names: tuple[str, ...], index: tuple[ir.Type, ...], program: Program, span: Span
) -> tuple[int, ...] | None:
    """Return the codes of a table, given by an expression of its indices, row by row."""
    cells = prod(each.size for each in index)
    if isinstance(expr, ir.Lit):
        return (expr.value,) * cells
    steps = cells * program.measure(expr).steps
    if steps > MAX_STEPS:
        what = f"this takes up to {steps:,} steps to compute; {MAX_STEPS:,} is the limit"
        program.bag.add(codes.PR316, what, span, help="go through fewer values")
        return None
    world = World(_so_far(program))
    every = product(*(range(each.lo, each.hi + 1) for each in index))
    return tuple(evaluate(expr, Scene(world, {}, dict(zip(names, codes_, strict=True)))) for codes_ in every)


def _so_far(program: Program) -> ir.Game:
    """Return the game as far as it is known: enough to evaluate what uses only constants and definitions."""
    return ir.Game(
        name="", title="", player=program.player, stage=program.stage, types=(), stages=(), variables=(),
        constants=tuple(program.constants.values()), defs=tuple(program.defs.values()), effects=(), actions=(),
        claims=(), rankings=(), rulings=(), networks=(), examples=(), score=None,
    )  # fmt: skip
