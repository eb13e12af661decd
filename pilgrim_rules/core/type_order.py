"""When a code of one type may stand for a code of another.

Reads:  types.   Writes: nothing but answers.
After:  `fits(a, b)` implies that every code of `a` is the same value's code in `b`.
"""

from __future__ import annotations

from typing import assert_never

from pilgrim_rules.core.ir import Type


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
