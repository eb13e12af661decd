"""Making values: the constructors that passes use, so that no value is larger than it must be.

Reads:  values.   Writes: values.
After:  constants are folded, sums have at most one constant, and it stands last; a comparison that the ranges decide is a
        constant; connectives are flat.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, assert_never

from pilgrim_rules.core.intervals import TRUTH, Interval, add, join, subtract
from pilgrim_rules.core.operators import OPERATIONS
from pilgrim_rules.engine.cells.cell_code import (
    Binary,
    BinaryOp,
    Choose,
    ComparisonOp,
    Local,
    Logic,
    Not,
    Number,
    Value,
)

ZERO, ONE = Number(0), Number(1)
_OPPOSITES: dict[ComparisonOp, ComparisonOp] = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED: dict[ComparisonOp, ComparisonOp] = {"==": "==", "!=": "!=", "<": ">", ">=": "<=", ">": "<", "<=": ">="}


def is_simple(value: Value) -> bool:
    """Return whether the value is a name or a constant, so that repeating it costs nothing."""
    return isinstance(value, Number | Local)


def binary(op: BinaryOp, left: Value, right: Value) -> Value:
    """Return arithmetic or a comparison."""
    if isinstance(left, Number) and isinstance(right, Number) and (right.value > 0 or op not in ("div", "mod")):
        return Number(OPERATIONS[op].meaning(left.value, right.value))
    match op:
        case "+":
            return plus(left, right)
        case "-":
            return minus(left, right)
        case "*":
            return times(left, right)
        case "div" | "mod":
            return _divided(op, left, right)
        case "min" | "max":
            return _extreme(op, left, right)
        case "==" | "!=" | "<" | "<=" | ">" | ">=":
            return _compared(op, left, right)
        case _:
            assert_never(op)


def plus(left: Value, right: Value) -> Value:
    """Return a sum."""
    left, more = _parts(left)
    right, rest = _parts(right)
    constant = more + rest
    if isinstance(left, Number):
        return _shifted(right, constant)
    if isinstance(right, Number):
        return _shifted(left, constant)
    return _shifted(Binary("+", left, right, add(left.range, right.range)), constant)


def minus(left: Value, right: Value) -> Value:
    """Return a difference."""
    left, more = _parts(left)
    right, rest = _parts(right)
    if isinstance(right, Number):
        return _shifted(left, more - rest)
    return _shifted(Binary("-", left, right, subtract(left.range, right.range)), more - rest)


def times(left: Value, right: Value) -> Value:
    """Return a product."""
    if isinstance(left, Number):
        left, right = right, left
    if isinstance(right, Number):
        if right.value == 0:
            return ZERO
        if right.value == 1:
            return left
        if isinstance(left, Number):
            return Number(left.value * right.value)
    return Binary("*", left, right, OPERATIONS["*"].interval(left.range, right.range))


def _parts(value: Value) -> tuple[Value, int]:
    """Return the value as a sum of something and a constant; of a constant, zero and that."""
    match value:
        case Number(value=number):
            return ZERO, number
        case Binary(op="+", left=left, right=Number(value=number)):
            return left, number
        case _:  # no constant stands in it
            return value, 0


def _shifted(value: Value, by: int) -> Value:
    if by == 0:
        return value
    if isinstance(value, Number):
        return Number(value.value + by)
    return Binary("+", value, Number(by), (value.range[0] + by, value.range[1] + by))


def split_constant(value: Value) -> tuple[Value | None, int]:
    """Return what the value is besides a constant that is added to it; None if nothing."""
    rest, number = _parts(value)
    return (None if isinstance(rest, Number) else rest), number


def _divided(op: Literal["div", "mod"], left: Value, right: Value) -> Value:
    span = OPERATIONS[op].interval(left.range, right.range)
    if op == "mod" and span == left.range and left.range[1] < right.range[0]:
        return left
    if right == ONE:
        return left if op == "div" else ZERO
    return Binary(op, left, right, span)


def _extreme(op: Literal["min", "max"], left: Value, right: Value) -> Value:
    (lo, hi), (least, most) = left.range, right.range
    if hi <= least:
        return left if op == "min" else right
    if most <= lo:
        return right if op == "min" else left
    return Binary(op, left, right, OPERATIONS[op].interval(left.range, right.range))


def _compared(op: ComparisonOp, left: Value, right: Value) -> Value:
    left, more = _parts(left) if not isinstance(left, Number) else (left, 0)
    if isinstance(right, Number):
        right = Number(right.value - more)
    elif isinstance(left, Number):
        return _compared(mirrored(op), right, left)
    else:
        left = _shifted(left, more)
    if left == right:
        return Number(int(op in ("==", "<=", ">=")))
    least, most = OPERATIONS[op].interval(left.range, right.range)
    return Number(least) if least == most else Binary(op, left, right, TRUTH)


def opposite(op: ComparisonOp) -> ComparisonOp:
    """Return the comparison that holds exactly where this one does not."""
    return _OPPOSITES[op]


def mirrored(op: ComparisonOp) -> ComparisonOp:
    """Return the comparison that holds with the sides exchanged."""
    return _MIRRORED[op]


def negation(value: Value) -> Value:
    """Return the opposite of a truth."""
    match value:
        case Number(value=number):
            return Number(int(not number))
        case Not(value=inner):
            return inner
        case Binary(op="==" | "!=" | "<" | "<=" | ">" | ">=" as op, left=left, right=right):
            return Binary(opposite(op), left, right, TRUTH)
        case _:  # any other truth is denied as a whole
            return Not(value)


def logic(op: Literal["and", "or"], parts: Iterable[Value]) -> Value:
    """Return a connective of truths."""
    decides = int(op == "or")
    kept: list[Value] = []
    for part in parts:
        if isinstance(part, Number):
            if part.value == decides:
                return part  # nothing before it has any effect
            continue
        kept.extend(part.parts if isinstance(part, Logic) and part.op == op else (part,))
    if not kept:
        return Number(1 - decides)
    return kept[0] if len(kept) == 1 else Logic(op, tuple(kept))


def choose(test: Value, then: Value, other: Value) -> Value:
    """Return one of two values."""
    if isinstance(test, Number):
        return then if test.value else other
    if then == other:
        return then
    if (then, other) == (ZERO, ONE) and test.range == TRUTH:
        return negation(test)
    return Choose(test, then, other, join(then.range, other.range))


def within(value: Value, range_: Interval) -> Value:
    """Return the truth whether a value lies in a range."""
    return logic("and", (binary(">=", value, Number(range_[0])), binary("<=", value, Number(range_[1]))))
