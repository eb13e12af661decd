"""Search: the legal arguments of an action as a Python function.

Reads:  the plan of an action.   Writes: nested loops that collect the arguments.
After:  the function's list is what the reference's `legal` yields, stages left aside.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import assert_never

from pilgrim_rules.core.ir import Action, Expr
from pilgrim_rules.engine.codegen.expressions import Coder
from pilgrim_rules.engine.codegen.operators import negated
from pilgrim_rules.engine.codegen.plan import Equal, Name, PlanStep, plan
from pilgrim_rules.engine.codegen.ranges import Range, range_of
from pilgrim_rules.engine.codegen.relations import Ask, Members
from pilgrim_rules.engine.codegen.snippets import ATOM, COMPARE, Scope, plus, tuple_of
from pilgrim_rules.engine.codegen.writer import plain


def write_search(coder: Coder, action: Action, head: str) -> None:
    """Write the function that lists the legal arguments."""
    steps = plan(action, coder.world, coder.simplify)
    with coder.writer.block(head):
        coder.writer.line("out = []")
        _write_steps(coder, action, steps)
        bound = [step.param for step in steps if isinstance(step, Equal | Members)]
        if bound != list(action.params):
            coder.writer.line("out.sort()")  # found in another order than that of the arguments
        coder.writer.line("return out")


def _write_steps(coder: Coder, action: Action, steps: list[PlanStep]) -> None:
    writer = coder.writer
    scope = Scope({}, {})
    otherwise = "return out"
    named: dict[str, str] = {}
    with ExitStack() as loops:
        for step in steps:
            match step:
                case Ask(test=test, key=key):
                    code = coder.code(negated(test), scope)
                    with writer.block(f"if {code.text}:  # {plain(key)}"):
                        writer.line(otherwise)
                case Name(name=name, value=value, range=span):
                    code = coder.code(value, scope)
                    local = named.get(code.text) or coder.named(code, name)
                    named[code.text] = local  # the state does not change: the same text has the same value further in
                    scope = scope.bind(name, local, span)
                case Equal(param=param, value=value, sure=sure):
                    # A truth found by comparing is made a number: arguments are printed.
                    code = coder.code(value, scope)
                    local = writer.name(param.name)
                    writer.line(f"{local} = {code.text if code.level < COMPARE else f'int({code.text})'}")
                    if not sure:
                        with writer.block(f"if not {param.type.lo} <= {local} <= {param.type.hi}:"):
                            writer.line(otherwise)
                    scope = scope.bind(param.name, local, range_of(param.type))
                case Members(param=param, keys=keys, rows=rows):
                    local = writer.name(param.name)
                    values = coder.tables.numbers(rows[0])
                    if keys:
                        values = f"{coder.tables.rows(rows)}[{_row(coder, keys, scope)}]"
                    loops.enter_context(writer.block(f"for {local} in {values}:"))
                    otherwise = "continue"
                    scope = scope.bind(param.name, local, range_of(param.type))
                case _:
                    assert_never(step)
        writer.line(f"out.append({tuple_of([scope.names[param.name] for param in action.params])})")


def _row(coder: Coder, keys: tuple[tuple[Expr, Range], ...], scope: Scope) -> str:
    text = ""
    for key, (lo, hi) in keys:
        own = coder.code(key, scope).within(ATOM)
        own = own if lo == 0 else f"({plus(own, str(-lo))})"
        text = f"({text}) * {hi - lo + 1} + {own}" if text else own
    return text
