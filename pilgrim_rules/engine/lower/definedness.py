"""Definedness: which lines of a guard must hold for another line to have a value.

Reads:  the guard of an action.   Writes: its lines, simplified, conjunctions taken apart, each with the lines it needs.
After:  where the lines that a line needs hold, it has a value if the guard has one in the order of its text.

A line needs another one if its own checks (is this index in its table?) are left out only because of what that one tells.
The plan of the search asks lines in another order than the text, and keeps to this.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from pilgrim_rules.core.bounds import range_of
from pilgrim_rules.core.ir import Action, Apply, Expr, Given, Require
from pilgrim_rules.engine.cells.cell_code import Return, Value
from pilgrim_rules.engine.cells.cell_walk import may_stop
from pilgrim_rules.engine.lower.lowering import Lowering, Scope
from pilgrim_rules.engine.plan.relations import RequireTest
from pilgrim_rules.engine.plan.search_plan import BindName, Line


def guard_lines(lower: Lowering, action: Action) -> list[Line]:
    """Return the lines of a guard, with what each needs."""
    builder = lower.builder
    scope = Scope({param.name: builder.local(param.name, range_of(param.type)) for param in action.params})
    found: list[Line] = []
    with builder.function(), lower.tables.trial():
        for line in _lines(action, lower):
            expr = line.value if isinstance(line, BindName) else line.test
            with builder.function():
                alone, is_total = _trial(lower, expr, scope)
            builder.used.clear()
            with builder.aside():
                value, has_value = _trial(lower, expr, scope)
            told = frozenset(builder.used)
            asked = frozenset(each.line for each in found if isinstance(each, RequireTest))
            needs = frozenset() if is_total else told if has_value else asked
            match line:
                case BindName(name=name):
                    local = builder.local(name, alone.range)
                    builder.note(local, value.range, told)
                    scope = scope.bind(name, local)
                    found.append(BindName(line.line, name, expr, needs))
                case RequireTest(key=key):
                    builder.learn(value, held=True, lines=told | {line.line})
                    found.append(RequireTest(line.line, key, expr, needs))
    builder.take_arrays()
    return found


def _lines(action: Action, lower: Lowering) -> Iterator[Line]:
    """Yield the guard line by line, simplified, conjunctions taken apart."""
    numbers = count()
    for line in action.guard:
        match line:
            case Given(name=name, value=value):
                yield BindName(next(numbers), name, lower.simplify(value))
            case Require(test=test, key=key):
                simple = lower.simplify(test)
                parts = simple.args if isinstance(simple, Apply) and simple.op == "and" else (simple,)
                yield from (RequireTest(next(numbers), key, part) for part in parts)


def _trial(lower: Lowering, expr: Expr, scope: Scope) -> tuple[Value, bool]:
    """Return the value of an expression, and whether it is there without a check."""
    with lower.builder.aside() as block:
        value = lower.value(expr, scope)
    return value, not may_stop((*block, Return((value,))), lower.partial)
