from pathlib import Path

import pytest

from pilgrim_rules.core.ir import BOOL, OPERATORS, Apply, Bound, Cond, Let, Lit
from pilgrim_rules.core.show import show_game
from pilgrim_rules.core.show_expr import BINDS, show
from tests.support.sample_game import SAMPLE, number, op

A, B, C = (Bound(name, BOOL) for name in "abc")
X, Y, Z = (Bound(name, number(0, 9)) for name in "xyz")


def num(name, *args):
    return Apply(name, args, number(-99, 99))


def test_the_dump_of_the_sample_game_is_the_golden_file():
    assert Path(__file__).with_name("sample.expect").read_text() == show_game(SAMPLE)


def test_every_operator_has_a_place_in_the_order_of_binding():
    assert BINDS.keys() == OPERATORS


@pytest.mark.parametrize(
    ("expected", "expr"),
    [
        ("a and b and c", op("and", A, B, C)),
        ("a and (b or c)", op("and", A, op("or", B, C))),
        ("a and b or c", op("or", op("and", A, B), C)),
        ("(a implies b) implies c", op("implies", op("implies", A, B), C)),
        ("a implies (b implies c)", op("implies", A, op("implies", B, C))),
        ("not (a and b)", op("not", op("and", A, B))),
        ("not a == b", op("not", op("==", A, B))),
        ("x - y - z", num("-", num("-", X, Y), Z)),
        ("x - (y - z)", num("-", X, num("-", Y, Z))),
        ("x * (y + z)", num("*", X, num("+", Y, Z))),
        ("x div y * z", num("*", num("div", X, Y), Z)),
        ("min(x, y, z) + 1", num("+", num("min", X, Y, Z), Lit(1, number(1, 1)))),
        ("(x if a else y) + z", num("+", Cond(A, X, Y, number(0, 9)), Z)),
        ("x if a else y if b else z", Cond(A, X, Cond(B, Y, Z, number(0, 9)), number(0, 9))),
        ("(let b = a in b) and c", op("and", Let("b", A, B, BOOL), C)),
    ],
)
def test_brackets_stand_where_they_are_needed(expected, expr):
    assert expected == show(expr)
