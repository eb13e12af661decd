"""The order of a binder's values, and which rounds of a simultaneous loop can meet."""

from pilgrim_rules.core.ir import BOOL, Assign, Binder, Bound, Constant, Define, Lit, Loop
from pilgrim_rules.core.loops import members, turns, values_in_order, variables_that_may_meet
from tests.support.sample_game import PLACE, PLAYER, at, number

DIGIT = number(1, 4)
ONE = Lit(1, number(1, 1))


def put(variable, *index):
    return Assign(variable, index, "set", ONE, "k", span=at(1))


def each(name, type_, *body):
    return Loop(Binder(name, type_), None, body, simultaneous=True, span=at(1))


def test_values_come_in_the_order_of_the_binder():
    assert (1, 2, 3, 4) == values_in_order(Binder("x", DIGIT))
    assert (4, 3, 2, 1) == values_in_order(Binder("x", DIGIT, descending=True))
    assert (3, 4, 1, 2) == values_in_order(Binder("x", DIGIT, Lit(3, DIGIT)), 3)


def test_there_is_one_turn_for_each_value_to_begin_with():
    assert ((1, 2, 3, 4), (2, 3, 4, 1), (3, 4, 1, 2), (4, 1, 2, 3)) == turns(Binder("x", DIGIT, Lit(1, DIGIT)))


def test_members_of_a_relation_keep_the_order_of_the_binder():
    odd = Constant("odd", (PLAYER, DIGIT), BOOL, (1, 0, 1, 0, 0, 1, 0, 1), "param")

    assert ((1, 3), (2, 4)) == members(odd, Binder("x", DIGIT))
    assert ((3, 1), (4, 2)) == members(odd, Binder("x", DIGIT, descending=True))


def test_rounds_that_write_cells_of_their_own_cannot_meet():
    p, q = Bound("p", PLAYER), Bound("q", PLACE)

    assert frozenset() == variables_that_may_meet(each("p", PLAYER, each("q", PLACE, put("seen", q, p))))


def test_rounds_may_meet_where_the_index_leaves_out_a_loop():
    p, q = Bound("p", PLAYER), Bound("q", PLACE)

    assert {"seen"} == variables_that_may_meet(each("p", PLAYER, each("q", PLACE, put("seen", q), put("kept", q, p))))


def test_two_lines_that_write_one_variable_may_meet():
    p = Bound("p", PLAYER)

    assert {"seen"} == variables_that_may_meet(each("p", PLAYER, put("seen", p), put("seen", p)))


def test_a_name_that_means_something_else_keeps_nothing_apart():
    p = Bound("p", PLAYER)

    assert {"seen"} == variables_that_may_meet(each("p", PLAYER, Define("p", Lit(0, PLAYER)), put("seen", p)))
    assert {"seen"} == variables_that_may_meet(each("p", PLAYER, each("p", PLAYER, put("seen", p))))
