"""Constant: the value of an expression that does not depend on the state.

Reads:  a core expression over constants and definitions.   Writes: its code.
After:  the value is the one the reference evaluator gives; there is no second account of the meaning of operators.
"""

from __future__ import annotations

from pilgrim_rules.core import ir
from pilgrim_rules.engine.evaluate import evaluate
from pilgrim_rules.engine.scene import Scene, World
from pilgrim_rules.types.program import Program


def value_of(expr: ir.Expr, program: Program) -> int:
    """Return the code of a constant expression."""
    if isinstance(expr, ir.Lit):
        return expr.value
    return evaluate(expr, Scene(World(_so_far(program)), {}, {}))


def _so_far(program: Program) -> ir.Game:
    """Return the game as far as it is known: enough to evaluate what uses only constants and definitions."""
    return ir.Game(
        name="", title="", player=program.player, stage=program.stage, types=(), stages=(), variables=(),
        constants=tuple(program.constants.values()), defs=tuple(program.defs.values()), effects=(), actions=(),
        claims=(), rankings=(), rulings=(), networks=(), examples=(), score=None,
    )  # fmt: skip
