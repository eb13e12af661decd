"""Operators: the text of each operator of the core, and the bounds of its result.

Reads:  values.   Writes: values.
After:  bounds are right for every combination of arguments inside their own bounds, also where no row asks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from pilgrim_rules.core.ir import Type
from verifier.explore.code import Value, truth


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


def _sum(left: Value, right: Value) -> Value:
    left, right = as_number(left), as_number(right)
    lo, hi = left.lo + right.lo, left.hi + right.hi
    if right.known == 0:
        return left
    if left.known == 0:
        return right
    return Value(f"({left.text} + {right.text})", left.rows or right.rows, lo, hi)


def _difference(left: Value, right: Value) -> Value:
    left, right = as_number(left), as_number(right)
    if right.known == 0:
        return left
    return Value(f"({left.text} - {right.text})", left.rows or right.rows, left.lo - right.hi, left.hi - right.lo)


def _product(left: Value, right: Value) -> Value:
    left, right = as_number(left), as_number(right)
    if right.known == 1:
        return left
    if left.known == 1:
        return right
    corners = [a * b for a in (left.lo, left.hi) for b in (right.lo, right.hi)]
    return Value(f"({left.text} * {right.text})", left.rows or right.rows, min(corners), max(corners))


def _positive(divisor: Value) -> Value:
    """Return a divisor; one that is not positive belongs to rows that do not ask."""
    if divisor.lo >= 1:
        return divisor
    text = f"maximum({divisor.text}, 1)" if divisor.rows else f"max({divisor.text}, 1)"
    return replace(divisor, text=text, lo=1, hi=max(divisor.hi, 1))


def _quotient(left: Value, right: Value) -> Value:
    left, right = as_number(left), _positive(as_number(right))
    corners = [a // b for a in (left.lo, left.hi) for b in (right.lo, right.hi)]
    return Value(f"({left.text} // {right.text})", left.rows or right.rows, min(corners), max(corners))


def _remainder(left: Value, right: Value) -> Value:
    left, right = as_number(left), _positive(as_number(right))
    if left.within(0, right.lo - 1):
        return left
    return Value(f"({left.text} % {right.text})", left.rows or right.rows, 0, right.hi - 1)


def _extreme(name: str, both: Callable[[int, int], int], rows_name: str) -> Callable[..., Value]:
    def two(left: Value, right: Value) -> Value:
        rows = left.rows or right.rows
        text = f"{rows_name if rows else name}({left.text}, {right.text})"
        return Value(text, rows, both(left.lo, right.lo), both(left.hi, right.hi))

    def many(*args: Value) -> Value:
        return reduce(two, map(as_number, args))

    return many


def _comparison(
    sign: str, always: Callable[[Value, Value], bool], never: Callable[[Value, Value], bool]
) -> Callable[..., Value]:
    def compare(left: Value, right: Value) -> Value:
        lo, hi = int(always(left, right)), int(not never(left, right))
        return Value(f"({left.text} {sign} {right.text})", left.rows or right.rows, lo, hi, truth=True)

    return compare


def _below(left: Value, right: Value) -> bool:
    return left.hi < right.lo


def _not_above(left: Value, right: Value) -> bool:
    return left.hi <= right.lo


def _above(left: Value, right: Value) -> bool:
    return _below(right, left)


def _not_below(left: Value, right: Value) -> bool:
    return _not_above(right, left)


def _apart(left: Value, right: Value) -> bool:
    return _below(left, right) or _below(right, left)


def _one(left: Value, right: Value) -> bool:
    return left.known is not None and left.known == right.known


OPERATORS: dict[str, Callable[..., Value]] = {
    "+": _sum,
    "-": _difference,
    "*": _product,
    "div": _quotient,
    "mod": _remainder,
    "min": _extreme("min", min, "minimum"),
    "max": _extreme("max", max, "maximum"),
    "==": _comparison("==", _one, _apart),
    "!=": _comparison("!=", _apart, _one),
    "<": _comparison("<", _below, _not_below),
    "<=": _comparison("<=", _not_above, _above),
    ">": _comparison(">", _above, _not_above),
    ">=": _comparison(">=", _not_below, _below),
    "and": _and,
    "or": _or,
    "not": lambda value: negated(as_truth(value)),
    "implies": lambda given, then: _or(negated(as_truth(given)), then),
}
