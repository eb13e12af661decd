"""Interval arithmetic: the one account of how large the result of an operator or fold can be.

Reads:  intervals.   Writes: intervals; truths are intervals inside 0..1.
After:  every value that the operator has on numbers of the given intervals lies in the result. What reaches as far as an open
        counter reaches no farther: there is one upper end, and one lower, that mean that there is none.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import TypeAlias

from pilgrim_rules.core.ir import OPEN_END

Interval: TypeAlias = tuple[int, int]  #: the smallest and the largest value
TRUTH: Interval = (0, 1)


def _ended(lo: int, hi: int) -> Interval:
    """Return the interval, no farther than an open one."""
    return max(-OPEN_END, min(lo, OPEN_END)), max(-OPEN_END, min(hi, OPEN_END))


def join(left: Interval, right: Interval) -> Interval:
    """Return the smallest interval around both."""
    return min(left[0], right[0]), max(left[1], right[1])


def inside(inner: Interval, outer: Interval) -> bool:
    """Return whether every number of one interval lies in the other."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def add(left: Interval, right: Interval) -> Interval:
    """Return where a sum lies."""
    return _ended(left[0] + right[0], left[1] + right[1])


def subtract(left: Interval, right: Interval) -> Interval:
    """Return where a difference lies."""
    return _ended(left[0] - right[1], left[1] - right[0])


def from_corners(meaning: Callable[[int, int], int], left: Interval, right: Interval) -> Interval:
    """Return where the value of an operator lies that grows or falls with each argument."""
    corners = [meaning(a, b) for a in left for b in right]
    return _ended(min(corners), max(corners))


def _divisor(interval: Interval) -> Interval:
    return max(interval[0], 1), max(interval[1], 1)


def floor_divide(left: Interval, right: Interval) -> Interval:
    """Return where a quotient lies, rounded down; divisors are positive."""
    lo, hi = from_corners(operator.floordiv, left, _divisor(right))
    return -OPEN_END if left[0] <= -OPEN_END else lo, OPEN_END if left[1] >= OPEN_END else hi


def remainder(left: Interval, right: Interval) -> Interval:
    """Return where a remainder lies; divisors are positive."""
    least, most = _divisor(right)
    # A number below the divisor is its own remainder.
    return left if left[0] >= 0 and left[1] < least else (0, most - 1)


def extreme(choose: Callable[[Iterable[int]], int], *args: Interval) -> Interval:
    """Return where the smallest (`min`) or largest (`max`) of the arguments lies."""
    return choose(lo for lo, _ in args), choose(hi for _, hi in args)


def negation(arg: Interval) -> Interval:
    """Return where the opposite of a truth lies."""
    return 1 - arg[1], 1 - arg[0]


def less(left: Interval, right: Interval) -> Interval:
    """Return where the truth of `left < right` lies."""
    return int(left[1] < right[0]), int(left[0] < right[1])


def equal(left: Interval, right: Interval) -> Interval:
    """Return where the truth of `left == right` lies."""
    return int(left[0] == left[1] == right[0] == right[1]), int(left[0] <= right[1] and right[0] <= left[1])


def unequal(left: Interval, right: Interval) -> Interval:
    """Return where the truth of `left != right` lies."""
    return negation(equal(left, right))


def more(left: Interval, right: Interval) -> Interval:
    """Return where the truth of `left > right` lies."""
    return less(right, left)


def at_most(left: Interval, right: Interval) -> Interval:
    """Return where the truth of `left <= right` lies."""
    return negation(less(right, left))


def at_least(left: Interval, right: Interval) -> Interval:
    """Return where the truth of `left >= right` lies."""
    return negation(less(left, right))


def meet(left: Interval, right: Interval) -> Interval:
    """Return what both have in common; the lower bound is above the upper one if nothing."""
    return max(left[0], right[0]), min(left[1], right[1])


def without(left: Interval, right: Interval) -> Interval:
    """Return what is left of the first interval if its number is not that of the second, should that have only one."""
    if right[0] != right[1]:
        return left
    return left[0] + (left[0] == right[0]), left[1] - (left[1] == right[0])


def below(by: int, left: Interval, right: Interval) -> Interval:
    """Return what is left of the first interval if its number is smaller than that of the second by this much or more."""
    return left[0], min(left[1], right[1] - by)


def above(by: int, left: Interval, right: Interval) -> Interval:
    """Return what is left of the first interval if its number is larger than that of the second by this much or more."""
    return max(left[0], right[0] + by), left[1]


def repeated(body: Interval, least: int, most: int) -> Interval:
    """Return where the sum of at least and at most this many values of the body lies."""
    lo, hi = body
    return _ended(min(lo * least, lo * most), max(hi * least, hi * most))


def one_of(empty: int | None, body: Interval, least: int, _most: int) -> Interval:
    """Return where the value of a fold lies that is a value of its body, or `empty` if there is none."""
    return body if least or empty is None else join(body, (empty, empty))
