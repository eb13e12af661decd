"""Expressions: a core expression as cell code.

Reads:  simplified core expressions and the scope they stand in.
Writes: a value, and before it the statements that it needs (loops, names for values, checks of an index).
After:  the value is the one that `evaluate` gives; Booleans are 0 and 1.

Statements that belong to an argument that may not be evaluated (behind `and`, `or`, a condition) are written inside an
`If`, so that a value is only ever asked for where it exists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Literal, TypeAlias, assert_never

from pilgrim_rules.core.bounds import range_of
from pilgrim_rules.core.intervals import TRUTH, inside, join
from pilgrim_rules.core.ir import (
    Apply,
    AskNetwork,
    Bound,
    Call,
    Checked,
    Cond,
    Expr,
    Fold,
    Let,
    Lit,
    Lookup,
    Operator,
    Pick,
    Read,
    Unique,
)
from pilgrim_rules.core.operators import operator_table
from pilgrim_rules.engine.cells.cell_code import AskGraph, BinaryOp, Invoke, Number, Set, Stop, TableItem, Value
from pilgrim_rules.engine.cells.cell_values import ZERO, binary, choose, logic, negation, plus, within
from pilgrim_rules.engine.lower import folds
from pilgrim_rules.engine.lower.lowering import Lowering, Scope


class Expressions(Lowering):
    """Lowers the expressions of one game."""

    def value(self, expr: Expr, scope: Scope) -> Value:
        """Return the value of a simplified expression; statements it needs are added before."""
        match expr:
            case Lit(value=value):
                return Number(value)
            case Bound(name=name):
                return self.builder.know(scope.names[name])
            case Read(variable=variable, index=index, when=when):
                field = self.layout.by_name[variable]
                at = self.address(field, index, scope)
                return plus(self.cell(scope.state(when), at, field), Number(field.variable.type.lo))
            case Lookup(table=table, index=index):
                constant = self.declared.constants[table]
                at = self.place(constant.index, index, 0, 1, scope)
                span = (min(constant.values), max(constant.values)) if constant.values else (0, 0)
                return self.builder.know(TableItem(self.tables.constant(table), at, span))
            case Apply():
                return _OPERATORS[expr.op](self, expr, scope)
            case Cond():
                return self._cond(expr, scope)
            case Let(name=name, value=value_, body=body):
                return self.value(body, scope.bind(name, self.builder.named(self.value(value_, scope), name)))
            case Checked():
                return self._checked(expr, scope)
            case Fold():
                return folds.fold(self, expr, scope)
            case Unique():
                return folds.unique(self, expr, scope)
            case Pick():
                return folds.pick(self, expr, scope)
            case Call(definition=name, args=args):
                return self._call(name, args, scope)
            case AskNetwork():
                return self._ask(expr, scope)
            case _:
                assert_never(expr)

    def _checked(self, expr: Checked, scope: Scope) -> Value:
        value = self.value(expr.value, scope)
        if inside(value.range, range_of(expr.type)):
            return value
        named = self.builder.named(value)
        stop = Stop("checked", (Number(self.sites.checked(expr)), named))
        self.builder.stop_unless(within(named, range_of(expr.type)), stop)
        return self.builder.know(named)

    def _call(self, name: str, args: tuple[Expr, ...], scope: Scope) -> Value:
        states = tuple(scope.state(when) for when in self.def_states(name))
        params = self.declared.defs[name].params
        values = tuple(self.index(self.value(arg, scope), p.type) for p, arg in zip(params, args, strict=True))
        return self.builder.know(Invoke(self.def_name(name), states, values, self.def_ranges[name]))

    def _ask(self, expr: AskNetwork, scope: Scope) -> Value:
        number = next(at for at, each in enumerate(self.declared.game.networks) if each.name == expr.network)
        index, *nodes = (tuple(self.value(part, scope) for part in parts) for parts in (expr.index, *expr.nodes))
        return AskGraph(
            number, expr.question, scope.state("now"), index, tuple(nodes), expr.type.hi, range_of(expr.type)
        )

    # ------------------------------------------------------------------------------------------------------ operators

    def connective(self, op: Literal["and", "or"], args: tuple[Expr, ...], scope: Scope) -> Value:
        """Return a connective of the arguments as far as they need no statements; from there on it is inside an `If`."""
        builder = self.builder
        parts: list[Value] = []
        with builder.aside() as first:  # what one argument tells is known in the later ones, and only there
            for at, arg in enumerate(args):
                with builder.aside() as lines:
                    value = self.value(arg, scope)
                if lines and parts:
                    local = builder.variable("", TRUTH, logic(op, parts))
                    with builder.aside() as block:
                        builder.paste(tuple(lines))  # lowered once: again at each depth would take for ever
                        builder.learn(value, held=op == "and")
                        rest = self.connective(op, args[at + 1 :], scope) if at + 1 < len(args) else None
                        builder.add(Set(local, value if rest is None else logic(op, (value, rest))))
                    builder.when(local if op == "and" else negation(local), tuple(block))
                    parts = [local]
                    break
                builder.paste(tuple(lines))  # nothing is asked before the first argument: its lines may stand here
                builder.learn(value, held=op == "and")
                parts.append(value)
        builder.paste(tuple(first))
        return logic(op, parts)

    def _cond(self, expr: Cond, scope: Scope) -> Value:
        builder = self.builder
        test = self.value(expr.test, scope)
        if isinstance(test, Number):
            return self.value(expr.then if test.value else expr.other, scope)
        with builder.branch(test) as then_lines:
            then = self.value(expr.then, scope)
        with builder.branch(test, held=False) as other_lines:
            other = self.value(expr.other, scope)
        if not then_lines and not other_lines:
            return choose(test, then, other)
        local = builder.variable("", join(then.range, other.range), other if not other_lines else ZERO)
        then_lines.append(Set(local, then))
        if other_lines:
            other_lines.append(Set(local, other))
        builder.when(test, tuple(then_lines), tuple(other_lines))
        return local


# ------------------------------------------------------------------------------------------------------------- operators

_Lower: TypeAlias = Callable[[Expressions, Apply, Scope], Value]


def _binary(op: BinaryOp) -> _Lower:
    def lower(lowering: Expressions, expr: Apply, scope: Scope) -> Value:
        args = [lowering.value(each, scope) for each in expr.args]
        return reduce(lambda left, right: binary(op, left, right), args)  # `min` and `max` take more than two

    return lower


def _divide(op: Literal["div", "mod"]) -> _Lower:
    def lower(lowering: Expressions, expr: Apply, scope: Scope) -> Value:
        builder = lowering.builder
        left, right = (lowering.value(each, scope) for each in expr.args)
        if right.range[0] <= 0:
            right = builder.named(right)
            builder.stop_unless(binary(">", right, ZERO), Stop("divisor"))
            right = builder.know(right)
        return binary(op, left, right)

    return lower


def _connective(op: Literal["and", "or"]) -> _Lower:
    return lambda lowering, expr, scope: lowering.connective(op, expr.args, scope)


def _not(lowering: Expressions, expr: Apply, scope: Scope) -> Value:
    return negation(lowering.value(expr.args[0], scope))


def _implies(_lowering: Expressions, _expr: Apply, _scope: Scope) -> Value:
    raise AssertionError("simplified expressions have `or` instead")


_OPERATORS: Mapping[Operator, _Lower] = operator_table(
    "engine/lower",
    {
        "+": _binary("+"),
        "-": _binary("-"),
        "*": _binary("*"),
        "div": _divide("div"),
        "mod": _divide("mod"),
        "min": _binary("min"),
        "max": _binary("max"),
        "==": _binary("=="),
        "!=": _binary("!="),
        "<": _binary("<"),
        "<=": _binary("<="),
        ">": _binary(">"),
        ">=": _binary(">="),
        "and": _connective("and"),
        "or": _connective("or"),
        "not": _not,
        "implies": _implies,
    },
)
