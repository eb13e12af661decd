"""Search: the legal arguments of an action as cell code.

Reads:  the plan of an action.   Writes: nested loops that emit the arguments.
After:  what is emitted is what the reference's `legal` yields, stages left aside.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import assert_never

from pilgrim_rules.core.bounds import range_of
from pilgrim_rules.core.intervals import Interval
from pilgrim_rules.core.ir import Action, Expr
from pilgrim_rules.core.walk import free_names
from pilgrim_rules.engine.cells.cell_code import (
    Continue,
    Emit,
    Function,
    Number,
    NumberRange,
    Return,
    Set,
    Statement,
    TableRow,
    Value,
)
from pilgrim_rules.engine.cells.cell_values import ONE, ZERO, choose, negation, plus, times, within
from pilgrim_rules.engine.lower.builder import plain
from pilgrim_rules.engine.lower.definedness import guard_lines
from pilgrim_rules.engine.lower.lowering import Lowering, Scope
from pilgrim_rules.engine.plan.relations import Members, RequireTest
from pilgrim_rules.engine.plan.search_plan import BindEqual, BindName, PlanStep, plan


def search(lower: Lowering, action: Action, name: str) -> Function:
    """Return the function that lists the legal arguments."""
    steps = plan(action.params, guard_lines(lower, action), lower.declared, lower.simplify.costs)
    builder = lower.builder
    with builder.function() as body:
        _add_steps(lower, action, steps)
    bound = [step.param for step in steps if isinstance(step, BindEqual | Members)]
    sorts = bound != list(action.params)  # found in another order than that of the arguments
    return Function(name, ("s",), (), tuple(body), "moves", builder.take_arrays(), sorts=sorts)


def _add_steps(lower: Lowering, action: Action, steps: list[PlanStep]) -> None:
    builder = lower.builder
    scope = Scope({})
    otherwise: Statement = Return()

    def go_on_if(test: Value, key: str = "") -> None:
        builder.when(negation(test), (otherwise,), note=plain(key))
        builder.learn(test, held=True)

    with ExitStack() as loops:
        for step in steps:
            match step:
                case RequireTest(test=test, key=key):
                    go_on_if(lower.value(test, scope), key)
                case BindName(name=name, value=value):
                    scope = scope.bind(name, builder.named(lower.value(value, scope), name))
                case BindEqual(param=param, value=value):
                    own = lower.value(value, scope)
                    local = builder.local(param.name, own.range)
                    builder.add(Set(local, _as_number(own) if own.range == (0, 1) else own))
                    go_on_if(within(local, range_of(param.type)))
                    scope = scope.bind(param.name, builder.know(local))
                case Members(param=param, keys=keys, rows=rows):
                    over: TableRow | NumberRange = lower.tables.domain(rows[0])
                    if keys:
                        over = TableRow(lower.tables.table_of(rows), _row(lower, keys, scope))
                    local = builder.local(param.name, range_of(param.type))
                    loops.enter_context(builder.loop(local, over))
                    otherwise = Continue()
                    scope = scope.bind(param.name, local)
                    for line in step.by:  # not asked, but known to hold
                        if free_names(line.test) <= scope.names.keys():
                            with builder.aside(), lower.tables.trial():
                                held = lower.value(line.test, scope)
                            builder.learn(held, held=True)
                case _:
                    assert_never(step)
        builder.add(Emit(tuple(scope.names[param.name] for param in action.params)))


def _row(lower: Lowering, keys: tuple[tuple[Expr, Interval], ...], scope: Scope) -> Value:
    at: Value = ZERO
    for key, (lo, hi) in keys:
        at = plus(times(at, Number(hi - lo + 1)), plus(lower.value(key, scope), Number(-lo)))
    return at


def _as_number(value: Value) -> Value:
    """Return the value so that every language holds a truth as 0 or 1: arguments of moves are printed."""
    return value if isinstance(value, Number) else choose(value, ONE, ZERO)
