"""When a code of one type may stand for a code of another, and how large arithmetic can get.

Reads:  types.   Writes: nothing but answers.
After:  `fits(a, b)` implies that every code of `a` is the same value's code in `b`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Literal, TypeAlias, assert_never

from pilgrim_rules.core.ir import Type

Arithmetic: TypeAlias = Literal["+", "-", "*", "div", "mod", "min", "max"]


def fits(inner: Type, outer: Type) -> bool:
    """Tell whether every code of `inner` means the same value in `outer`."""
    if inner is outer:
        return True
    if inner.kind == "optional":
        return outer.kind == "optional" and inner.hi == outer.hi and fits(inner.parts[0], outer.parts[0])
    if outer.kind == "optional":
        return fits(inner, outer.parts[0])
    if inner.kind != outer.kind or inner.lo < outer.lo or inner.hi > outer.hi:
        return False
    match inner.kind:
        case "bool" | "int":
            return True
        case "enum":
            # In a union the first member keeps its codes, so its labels are the first ones.
            return inner.labels is outer.labels or inner.labels == outer.labels[: len(inner.labels)]
        case "pair":
            (left, right), (outer_left, outer_right) = inner.parts, outer.parts
            same = (left.lo, right.lo, right.size) == (outer_left.lo, outer_right.lo, outer_right.size)
            return same and fits(left, outer_left) and fits(right, outer_right)
        case _:
            assert_never(inner.kind)


def comparable(left: Type, right: Type) -> bool:
    """Tell whether comparing codes compares values."""
    if left.kind == right.kind == "int" or fits(left, right) or fits(right, left):
        return True
    maybe, other = (left, right) if left.kind == "optional" else (right, left)
    # A number outside the range is no code of the optional type, unless it is the code of `none`.
    return maybe.kind == "optional" and maybe.parts[0].kind == other.kind == "int" and other.hi < maybe.hi


def interval(op: Arithmetic, args: Sequence[Type]) -> tuple[int, int]:
    """Return the smallest and the largest result of an operator on codes of the types; divisors are positive."""
    lo, hi = args[0].lo, args[0].hi
    for arg in args[1:]:
        match op:
            case "+":
                lo, hi = lo + arg.lo, hi + arg.hi
            case "-":
                lo, hi = lo - arg.hi, hi - arg.lo
            case "*":
                corners = [left * right for left, right in product((lo, hi), (arg.lo, arg.hi))]
                lo, hi = min(corners), max(corners)
            case "div":
                corners = [left // right for left, right in product((lo, hi), (arg.lo, arg.hi))]
                lo, hi = min(corners), max(corners)
            case "mod":
                # Below the smallest divisor a number is its own remainder.
                lo, hi = (lo, hi) if lo >= 0 and hi < arg.lo else (0, arg.hi - 1)
            case "min":
                lo, hi = min(lo, arg.lo), min(hi, arg.hi)
            case "max":
                lo, hi = max(lo, arg.lo), max(hi, arg.hi)
            case _:
                assert_never(op)
    return lo, hi
