"""Expressions, node by node, with values one can work out by hand; both back ends agree on each."""

from __future__ import annotations

import pytest

from pilgrim_rules.core.ir import Call, Def, Fold, Key, Let, Parameter, Unique
from tests.support.core_builder import (
    BOOL,
    Binder,
    Bound,
    Cond,
    Lookup,
    Pick,
    Read,
    both,
    eq,
    lit,
    maybe,
    none,
    num,
    number,
    op,
    table,
    var,
)
from tests.support.engine_and_reference import DIGIT, INT, PLAYER, value

A, B, C = (Bound(name, INT) for name in "abc")
COINS = var("coins", DIGIT, num("mod", num("*", Bound("i0", PLAYER), lit(INT, 3)), lit(INT, 4)), PLAYER)  # 0, 3, 2, 1
P = Bound("p", PLAYER)
Q = Bound("q", PLAYER)
BOARD = number(0, 299)
NUMBERS = var("numbers", DIGIT, num("mod", Bound("i0", BOARD), lit(INT, 7)), BOARD)
N = Bound("n", BOARD)


def coins(who):
    return Read("coins", (who,), DIGIT)


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (num("-", A, num("-", B, C)), 7 - (3 - 2)),
        (num("-", num("-", A, B), C), 7 - 3 - 2),
        (num("+", A, num("-", B, C)), 7 + 3 - 2),
        (num("-", A, num("+", B, C)), 7 - (3 + 2)),
        (num("*", A, num("div", B, C)), 7 * (3 // 2)),
        (num("div", num("*", A, B), C), 7 * 3 // 2),
        (num("*", A, num("+", B, C)), 7 * (3 + 2)),
        (num("mod", A, num("*", B, C)), 7 % (3 * 2)),
        (num("div", num("-", lit(INT, 0), A), C), -7 // 2),
        (num("mod", num("-", lit(INT, 0), A), B), -7 % 3),
        (num("mod", A, lit(INT, 1)), 0),
        (num("div", A, lit(INT, 1)), 7),
        (num("min", A, B, C), 2),
        (num("max", A, B), 7),
        (num("min", num("+", A, B), num("*", A, B)), 10),
        (eq(op("<", A, B), op("<", B, C)), 1),
        (op("<", eq(A, B), eq(B, B)), 1),
        (op("not", op("<", A, B)), 1),
        (op("not", op("<", A, A)), 1),
        (op("not", op("<=", A, A)), 0),
        (op("not", op(">", A, A)), 1),
        (op("not", op(">=", A, A)), 0),
        (op("not", op(">", A, B)), 0),
        (op("not", op(">=", B, A)), 1),
        (op("not", eq(A, B)), 1),
        (op("not", op("not", op("and", eq(A, A), op("!=", A, B)))), 1),
        (op("implies", op("<", A, B), eq(A, B)), 1),
        (op("implies", op(">", A, B), eq(A, B)), 0),
        (op("or", op("and", eq(A, B), eq(A, C)), op("and", eq(A, A), eq(B, B))), 1),
        (op("and", op("or", eq(A, A), eq(A, B)), op("or", eq(A, C), eq(A, B))), 0),
        (Cond(op("<", A, B), A, Cond(eq(A, B), B, C, INT), INT), 2),
        (num("+", Cond(op("<", A, B), A, B, INT), C), 5),
        (Cond(eq(A, A), op("<", A, B), eq(A, A), BOOL), 0),
        (Let("a", num("+", A, lit(INT, 1)), Let("b", num("*", A, A), num("-", B, A), INT), INT), 56),
        (num("+", num("-", lit(INT, -5), lit(INT, -2)), A), 4),
    ],
)
def test_operators_bind_as_they_are_nested(expr, expected):
    assert expected == value(expr, a=7, b=3, c=2)


def fold(op_, body, where=None, default=None, binder=None):
    return Fold(
        op_, (binder or Binder("p", PLAYER),), where, body, default, INT if op_ not in ("all", "some") else BOOL
    )


POSITIVE = op(">", coins(P), lit(DIGIT, 0))
NEVER = op(">", coins(P), lit(DIGIT, 8))


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (fold("all", POSITIVE), 0),
        (fold("all", POSITIVE, where=op("!=", P, lit(PLAYER, 0))), 1),
        (fold("some", NEVER), 0),
        (fold("some", POSITIVE, where=op(">", P, lit(PLAYER, 2))), 1),
        (fold("count", lit(INT, 1), where=POSITIVE), 3),
        (fold("sum", coins(P)), 6),
        (fold("sum", coins(P), where=op("<", coins(P), lit(DIGIT, 3))), 3),
        (fold("max", coins(P)), 3),
        (fold("min", coins(P), where=POSITIVE, default=lit(INT, 9)), 1),
        (fold("max", coins(P), where=NEVER, default=lit(INT, -9)), -9),
        (fold("min", num("-", lit(INT, 0), coins(P))), -3),
        (fold("sum", coins(P), where=lit(BOOL, 0)), 0),
        (fold("max", coins(P), where=lit(BOOL, 0), default=lit(INT, 4)), 4),
    ],
)
def test_folds_over_a_few_values(expr, expected):
    assert expected == value(expr, (COINS,))


WIDE = Binder("n", BOARD)
HIGH = op(">", Read("numbers", (N,), DIGIT), lit(DIGIT, 5))


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (fold("all", op("<", Read("numbers", (N,), DIGIT), lit(DIGIT, 7)), binder=WIDE), 1),
        (fold("all", op("not", HIGH), binder=WIDE), 0),
        (fold("some", HIGH, where=op("<", N, lit(BOARD, 6)), binder=WIDE), 0),
        (fold("count", lit(INT, 1), where=HIGH, binder=WIDE), 42),
        (fold("sum", Read("numbers", (N,), DIGIT), binder=WIDE), 42 * 21 + 15),
        (fold("max", num("-", N, Read("numbers", (N,), DIGIT)), binder=WIDE), 294),
        (fold("min", N, where=HIGH, default=lit(INT, -1), binder=WIDE), 6),
        (fold("min", N, where=op("and", HIGH, op("<", N, lit(INT, 3))), default=lit(INT, -1), binder=WIDE), -1),
        (Unique((WIDE,), HIGH, (N,)), 1),
        (Unique((WIDE,), HIGH, (Read("numbers", (N,), DIGIT),)), 0),
        (Unique((Binder("p", PLAYER), Binder("q", PLAYER)), op("<", P, Q), (num("+", P, Q),)), 0),
        (Unique((Binder("p", PLAYER), Binder("q", PLAYER)), op("<", P, Q), (num("+", P, Q), P)), 1),
        (Pick(WIDE, HIGH, (), maybe(BOARD)), 6),
        (Pick(Binder("n", BOARD, descending=True), HIGH, (), maybe(BOARD)), 293),
        (Pick(WIDE, op(">", N, lit(INT, 299)), (), maybe(BOARD)), 300),
    ],
)
def test_folds_over_many_values(expr, expected):
    assert expected == value(expr, (NUMBERS,))


MANY = tuple(Key(each, down) for each, down in ((num("mod", coins(P), lit(INT, 2)), True), (coins(P), False)))


@pytest.mark.parametrize(
    ("pick", "expected"),
    [
        (Pick(Binder("p", PLAYER), POSITIVE, (), maybe(PLAYER)), 1),
        (Pick(Binder("p", PLAYER, descending=True), POSITIVE, (), maybe(PLAYER)), 3),
        (Pick(Binder("p", PLAYER, coins(lit(PLAYER, 2))), POSITIVE, (), maybe(PLAYER)), 2),
        (Pick(Binder("p", PLAYER, lit(PLAYER, 3)), op("<", coins(P), lit(DIGIT, 1)), (), maybe(PLAYER)), 0),
        (Pick(Binder("p", PLAYER, coins(lit(PLAYER, 1))), op("<", coins(P), lit(DIGIT, 3)), (), maybe(PLAYER)), 3),
        (Pick(Binder("p", PLAYER), NEVER, (), maybe(PLAYER)), 4),
        (Pick(Binder("p", PLAYER), None, (Key(coins(P), True),), PLAYER), 1),
        (Pick(Binder("p", PLAYER), None, (Key(coins(P), False),), PLAYER), 0),
        (Pick(Binder("p", PLAYER), None, MANY, PLAYER), 3),
        (Pick(Binder("p", PLAYER), NEVER, (Key(coins(P), False),), maybe(PLAYER)), 4),
        (Pick(Binder("p", PLAYER, coins(lit(PLAYER, 2))), None, (Key(lit(INT, 1), True),), PLAYER), 2),
    ],
)
def test_a_choice_takes_the_first_or_the_best(pick, expected):
    assert expected == value(pick, (COINS,))


def test_binders_may_follow_a_relation_in_any_order():
    around = table("around", BOOL, (PLAYER, PLAYER), lambda a, b: b in ((a + 1) % 4, (a + 3) % 4))
    who = coins(lit(PLAYER, 2))  # 2: its neighbours are 1 and 3

    def first(**order):
        return value(
            Pick(Binder("p", PLAYER, among=("around", (who,)), **order), None, (), maybe(PLAYER)), (COINS,), (around,)
        )

    assert 1 == first()
    assert 3 == first(descending=True)
    assert 3 == first(start=who)
    pairs = Fold(
        "count", (Binder("p", PLAYER), Binder("q", PLAYER, among=("around", (P,)))), None, lit(INT, 1), None, INT
    )
    assert 8 == value(pairs, (COINS,), (around,))


def test_pairs_and_optionals_index_tables():
    route = both(PLAYER, number(1, 2))
    near = maybe(PLAYER)
    miles = var("miles", INT, num("*", Bound("i0", route), lit(INT, 10)), route)
    last = var("last", near, none(near))
    held = var("held", DIGIT, num("+", Bound("i0", near), lit(INT, 1)), near)
    pair = num("+", num("*", coins(lit(PLAYER, 3)), lit(INT, 2)), lit(INT, 1))  # (blue, 2)

    assert 30 == value(Read("miles", (pair,), INT), (COINS, miles))
    assert 5 == value(Read("held", (Read("last", (), near),), DIGIT), (last, held))


def test_definitions_are_called_inlined_or_looked_up():
    square = Def("square", (Parameter("x", DIGIT),), num("*", Bound("x", DIGIT), Bound("x", DIGIT)))
    rich = Def("rich", (Parameter("p", PLAYER),), num("+", coins(P), Call("square", (coins(P),), INT)))
    total = Def("total", (), Fold("sum", (Binder("p", PLAYER), Binder("q", PLAYER), Binder("r", PLAYER)), None,
                                  num("*", Call("rich", (P,), INT), coins(Q)), None, INT))  # fmt: skip
    defs = (square, rich, total)

    assert 81 == value(Call("square", (lit(DIGIT, 9),), INT), (COINS,), defs=defs)
    assert 12 == value(Call("rich", (lit(PLAYER, 1),), INT), (COINS,), defs=defs)
    assert 20 * 6 * 4 == value(Call("total", (), INT), (COINS,), defs=defs)
    twice = num("+", Call("rich", (num("-", Bound("a", INT), lit(INT, 6)),), INT), Call("total", (), INT))
    assert 12 + 480 == value(twice, (COINS,), defs=defs, a=7)


def test_what_stands_behind_a_test_that_fails_is_never_asked():
    """An index outside its table, or a divisor of 0, in every place that a test protects."""
    digits = table("digits", DIGIT, (DIGIT,), lambda d: 9 - d)
    far = Lookup("digits", (A,), DIGIT)  # a is 12
    fold_far = Fold("sum", (Binder("n", BOARD),), None, num("+", far, N), None, INT)
    safe = op("<", A, lit(INT, 10))
    for hidden in (far, num("div", B, lit(INT, 0)), fold_far):
        asked = eq(hidden, lit(INT, 3))
        assert 0 == value(op("and", safe, asked), constants=(digits,), a=12, b=1)
        assert 1 == value(op("or", op("not", safe), asked), constants=(digits,), a=12, b=1)
        assert 1 == value(op("implies", safe, asked), constants=(digits,), a=12, b=1)
        assert 7 == value(Cond(safe, hidden, lit(INT, 7), INT), constants=(digits,), a=12, b=1)
        assert 0 == value(op("and", op("or", safe, eq(A, B)), asked, asked), constants=(digits,), a=12, b=1)
        assert 0 == value(fold("count", lit(INT, 1), where=op("and", safe, asked)), (COINS,), (digits,), a=12, b=1)
