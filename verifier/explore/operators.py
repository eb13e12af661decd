"""Operators: the text of each operator of the core, and the bounds of its result.

Reads:  values.   Writes: values.
After:  bounds are right for every combination of arguments inside their own bounds, also where no row asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import reduce

from pilgrim_rules.core.ir import Operator, Type
from pilgrim_rules.core.operators import OPERATIONS, operator_table
from verifier.explore.source_text import Value, truth


def as_truth(value: Value) -> Value:
    """Return the value as a Boolean: arrays of Booleans and of numbers do not mix."""
    return value if value.truth else replace(value, text=f"({value.text} != 0)", truth=True)


def as_number(value: Value) -> Value:
    """Return the value as a number."""
    return replace(value, text=f"(0 + {value.text})", truth=False) if value.truth else value


def shaped(value: Value, type_: Type) -> Value:
    """Return the value as values of the type are kept."""
    return as_truth(value) if type_.kind == "bool" else as_number(value)


def negated(value: Value) -> Value:
    """Return the opposite of a Boolean."""
    text = f"logical_not({value.text})" if value.rows else f"(not {value.text})"
    return Value(text, value.rows, 1 - value.hi, 1 - value.lo, truth=True)


def choose(test: Value, then: Value, other: Value) -> Value:
    """Return one of two values of the same shape."""
    rows = test.rows or then.rows or other.rows
    if test.rows:
        text = f"where({test.text}, {then.text}, {other.text})"
    else:
        text = f"({then.text} if {test.text} else {other.text})"
    return Value(text, rows, min(then.lo, other.lo), max(then.hi, other.hi), truth=then.truth)


def joined(values: list[Value], *, decides: bool) -> Value:
    """Return the disjunction (`decides` true) or conjunction of Booleans that are not settled."""
    if len(values) == 1:
        return values[0]
    sign = " | " if decides else " & "
    return truth(f"({sign.join(each.text for each in values)})", rows=any(each.rows for each in values))


def _and(*args: Value) -> Value:
    return joined([as_truth(arg) for arg in args], decides=False)


def _or(*args: Value) -> Value:
    return joined([as_truth(arg) for arg in args], decides=True)


def _bounds(op: Operator, *args: Value) -> tuple[int, int]:
    return OPERATIONS[op].interval(*((arg.lo, arg.hi) for arg in args))


def _infix(op: Operator, sign: str) -> Callable[..., Value]:
    """Return the writer of an operator between two numbers; an argument that changes nothing is left out."""
    operation = OPERATIONS[op]

    def write(left: Value, right: Value) -> Value:
        left, right = as_number(left), as_number(right)
        if operation.neutral is not None and right.known == operation.neutral:
            return left
        if operation.commutative and operation.neutral is not None and left.known == operation.neutral:
            return right
        if operation.divides:
            right = _positive(right)
        return Value(f"({left.text} {sign} {right.text})", left.rows or right.rows, *_bounds(op, left, right))

    return write


def _positive(divisor: Value) -> Value:
    """Return a divisor; one that is not positive belongs to rows that do not ask."""
    if divisor.lo >= 1:
        return divisor
    text = f"maximum({divisor.text}, 1)" if divisor.rows else f"max({divisor.text}, 1)"
    return replace(divisor, text=text, lo=1, hi=max(divisor.hi, 1))


def _remainder(left: Value, right: Value) -> Value:
    plain = as_number(left)
    return plain if plain.within(0, right.lo - 1) else _infix("mod", "%")(plain, right)


def _extreme(op: Operator, rows_name: str) -> Callable[..., Value]:
    def two(left: Value, right: Value) -> Value:
        rows = left.rows or right.rows
        return Value(f"{rows_name if rows else op}({left.text}, {right.text})", rows, *_bounds(op, left, right))

    def many(*args: Value) -> Value:
        return reduce(two, map(as_number, args))

    return many


def _comparison(op: Operator) -> Callable[..., Value]:
    def compare(left: Value, right: Value) -> Value:
        rows = left.rows or right.rows
        return Value(f"({left.text} {op} {right.text})", rows, *_bounds(op, left, right), truth=True)

    return compare


OPERATORS: Mapping[Operator, Callable[..., Value]] = operator_table(
    "explore",
    {
        "+": _infix("+", "+"),
        "-": _infix("-", "-"),
        "*": _infix("*", "*"),
        "div": _infix("div", "//"),
        "mod": _remainder,
        "min": _extreme("min", "minimum"),
        "max": _extreme("max", "maximum"),
        "==": _comparison("=="),
        "!=": _comparison("!="),
        "<": _comparison("<"),
        "<=": _comparison("<="),
        ">": _comparison(">"),
        ">=": _comparison(">="),
        "and": _and,
        "or": _or,
        "not": lambda value: negated(as_truth(value)),
        "implies": lambda given, then: _or(negated(as_truth(given)), then),
    },
)
