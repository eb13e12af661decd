"""Functions: whole functions around expressions.

Reads:  parameters and expressions.   Writes: functions of cell code.
After:  the locals of a function occur in no other one.
"""

from __future__ import annotations

from pilgrim_rules.core.bounds import range_of
from pilgrim_rules.core.ir import Expr, Parameter
from pilgrim_rules.engine.cells.cell_code import Function, Local, Return
from pilgrim_rules.engine.lower.lowering import Lowering, Scope


def parameters(lower: Lowering, params: tuple[Parameter, ...], scope: Scope) -> tuple[Scope, tuple[Local, ...]]:
    """Return the scope inside a function, and the locals that are its parameters."""
    found: list[Local] = []
    for param in params:
        found.append(lower.builder.local(param.name, range_of(param.type)))
        scope = scope.bind(param.name, found[-1])
    return scope, tuple(found)


def numbers(lower: Lowering, name: str, params: tuple[Parameter, ...], parts: tuple[Expr, ...]) -> Function:
    """Return the function from a state and arguments to the values of some expressions."""
    builder = lower.builder
    scope, own = parameters(lower, params, Scope({}))
    with builder.function() as body:
        values = tuple(lower.expr(part, scope) for part in parts)
        builder.add(Return(values))
    return Function(name, ("s",), own, tuple(body), "numbers", builder.take_arrays())


def number(
    lower: Lowering, name: str, params: tuple[Parameter, ...], expr: Expr, scope: Scope, states: tuple[str, ...]
) -> Function:
    """Return the function from states and arguments to the value of an expression."""
    builder = lower.builder
    scope, own = parameters(lower, params, scope)
    with builder.function() as body:
        builder.add(Return((lower.expr(expr, scope),)))
    return Function(name, states, own, tuple(body), "number", builder.take_arrays())
