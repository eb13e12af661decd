"""Values of cell code: the constructors fold what is known, and change no value."""

from itertools import product
from typing import get_args

import pytest

from pilgrim_rules.core.operators import OPERATIONS
from pilgrim_rules.engine.cells.cell_code import ArithmeticOp, ComparisonOp, Local, Number
from pilgrim_rules.engine.cells.cell_values import binary, choose, logic, minus, negation, plus, times, within
from pilgrim_rules.engine.python.print_python import text

RANGES = [(-2, -1), (-1, 1), (0, 0), (0, 1), (1, 1), (1, 3)]


def run(value, **names):
    return int(eval(text(value), dict(names)))


def arguments(range_):
    """Return values with this range: a name, a name and a constant, and a constant if there is only one."""
    lo, hi = range_
    return [Local("x", range_), plus(Local("x", (lo - 5, hi - 5)), Number(5)), *([Number(lo)] if lo == hi else [])]


@pytest.mark.parametrize("op", [*get_args(ArithmeticOp), *get_args(ComparisonOp)])
def test_arithmetic_and_comparisons_mean_what_the_operators_mean(op):
    for left, right in product(RANGES, RANGES):
        if OPERATIONS[op].divides and right[0] <= 0:
            continue
        for one, two in product(
            arguments(left), [Local("y", right), *([Number(right[0])] if right[0] == right[1] else [])]
        ):
            made = binary(op, one, two)
            for x, y in product(range(left[0], left[1] + 1), range(right[0], right[1] + 1)):
                shift = 5 if one == arguments(left)[1] else 0
                expected = OPERATIONS[op].meaning(x, y)
                assert expected == run(made, x=x - shift, y=y)
                assert made.range[0] <= expected <= made.range[1]


def test_a_sum_has_one_constant_and_it_stands_last():
    x = Local("x", (0, 9))

    assert plus(x, Number(4)) == minus(plus(Number(3), plus(x, Number(2))), Number(1))
    assert x == minus(plus(x, Number(1)), Number(1))
    assert Number(0) == times(x, Number(0))


def test_a_comparison_that_the_ranges_decide_is_a_constant():
    x = Local("x", (3, 9))

    assert Number(1) == binary(">", x, Number(2))
    assert Number(0) == binary("==", plus(x, Number(1)), Number(3))
    assert Number(1) == within(x, (3, 9))
    assert binary("<=", x, Number(8)) == within(x, (3, 8))


def test_connectives_are_flat_and_end_where_they_are_decided():
    a, b = Local("a", (0, 1)), Local("b", (0, 1))

    assert logic("and", (a, b, a)) == logic("and", (a, logic("and", (b, Number(1), a))))
    assert Number(0) == logic("and", (a, Number(0), b))
    assert b == logic("or", (Number(0), b))
    assert a == negation(negation(a))
    assert negation(a) == choose(a, Number(0), Number(1))
