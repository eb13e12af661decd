"""Effects, line by line: order, old values, simultaneous and sequential loops, what contradicts."""

from __future__ import annotations

from pilgrim_rules.core.ir import Branch, Checked, Define, Loop
from tests.support.core_builder import BOOL, HERE, Binder, Bound, Cond, Read, eq, lit, num, number, op, put, var
from tests.support.engine_and_reference import DIGIT, INT, PLAYER, run

P = Bound("p", PLAYER)
COINS = var("coins", DIGIT, num("+", Bound("i0", PLAYER), lit(DIGIT, 1)), PLAYER)  # 1, 2, 3, 4
BANK = var("bank", DIGIT, lit(DIGIT, 5))


def coins(who, when="now"):
    return Read("coins", (who,), DIGIT, when)


def bank(when="now"):
    return Read("bank", (), DIGIT, when)


def after(who):
    """The next player round the table."""
    return num("mod", num("+", who, lit(INT, 1)), lit(INT, 4))


def every(*body, where=None, simultaneous=True, start=None, descending=False, name="p"):
    return Loop(Binder(name, PLAYER, start, descending), where, body, simultaneous, span=HERE)


def test_a_line_sees_what_the_lines_above_wrote_and_old_does_not():
    found = run(
        (put("bank", (), lit(DIGIT, 7)), put("coins", (lit(PLAYER, 0),), num("-", bank(), bank("old")))), (COINS, BANK)
    )

    assert ([7], [2, 2, 3, 4]) == (found["bank"], found["coins"])


def test_a_name_keeps_the_value_it_was_given():
    body = (Define("x", bank()), put("bank", (), lit(DIGIT, 1)), put("bank", (), Bound("x", DIGIT), "add"))

    assert [6] == run(body, (BANK,))["bank"]


def test_a_name_ends_with_its_block():
    inner = Branch(lit(BOOL, 1), (Define("x", lit(DIGIT, 9)),), ())
    body = (Define("x", lit(DIGIT, 2)), inner, put("bank", (), Bound("x", DIGIT)))

    assert [2] == run(body, (BANK,))["bank"]


def test_a_simultaneous_loop_reads_the_position_at_its_start():
    assert [2, 3, 4, 1] == run((every(put("coins", (P,), coins(after(P)))),), (COINS,))["coins"]


def test_a_sequential_loop_reads_what_earlier_rounds_wrote():
    assert [2, 3, 4, 2] == run((every(put("coins", (P,), coins(after(P))), simultaneous=False),), (COINS,))["coins"]


def test_a_simultaneous_loop_reads_its_start_through_filters_names_and_branches():
    body = (
        Define("x", coins(after(P))),
        Branch(
            op("<", coins(after(P)), coins(P)),
            (put("coins", (P,), lit(DIGIT, 0)),),
            (put("coins", (P,), Bound("x", DIGIT)),),
        ),
    )

    assert [2, 3, 4, 0] == run((every(*body, where=op(">", coins(P), lit(DIGIT, 0))),), (COINS,))["coins"]


def test_a_simultaneous_loop_sees_the_lines_before_it_and_old_does_not():
    body = (
        put("bank", (), lit(DIGIT, 2)),
        every(put("coins", (P,), num("+", bank(), num("-", bank("old"), lit(INT, 5))))),
    )

    assert [2, 2, 2, 2] == run(body, (COINS, BANK))["coins"]


def test_the_filter_of_a_sequential_loop_is_asked_in_turn():
    take = (put("bank", (), lit(DIGIT, -2), "add"), put("coins", (P,), lit(DIGIT, 2), "add"))
    found = run((every(*take, where=op(">=", bank(), lit(DIGIT, 2)), simultaneous=False),), (COINS, BANK))

    assert ([1], [3, 4, 3, 4]) == (found["bank"], found["coins"])


def test_a_sequential_loop_goes_round_the_table_or_down():
    take = (put("bank", (), lit(DIGIT, -2), "add"), put("coins", (P,), lit(DIGIT, 2), "add"))
    rich = op(">=", bank(), lit(DIGIT, 2))
    round_ = run((every(*take, where=rich, simultaneous=False, start=lit(PLAYER, 3)),), (COINS, BANK))
    turn = run((every(*take, where=rich, simultaneous=False, start=num("-", bank(), lit(INT, 2))),), (COINS, BANK))
    down = run((every(*take, where=rich, simultaneous=False, descending=True),), (COINS, BANK))

    assert [3, 2, 3, 6] == round_["coins"] == turn["coins"]
    assert [1, 2, 5, 6] == down["coins"]


def test_adds_of_a_simultaneous_loop_accumulate_and_only_their_sum_counts():
    body = (
        put("bank", (), num("*", lit(INT, 5), coins(P)), "add"),
        put("bank", (), num("-", lit(INT, 0), num("*", lit(INT, 5), coins(P))), "add"),
        put("bank", (), lit(INT, 1), "add"),
    )

    assert [9] == run((every(*body),), (COINS, BANK))["bank"]


def test_the_sum_of_a_simultaneous_loop_must_fit():
    found = run((every(put("bank", (), lit(DIGIT, 2), "add", "gift")),), (COINS, BANK))

    assert ("`bank` would be 13, but goes from 0 to 9", "gift") == (found.says, found.key)


def test_a_cell_set_twice_at_once_is_a_contradiction():
    same = run((every(put("bank", (), lit(DIGIT, 2), key="twice")),), (COINS, BANK))
    both = run(
        (every(put("coins", (P,), lit(DIGIT, 2)), put("coins", (after(P),), lit(DIGIT, 2), key="next")),), (COINS,)
    )

    assert ("`bank` is written twice at the same time", "twice") == (same.says, same.key)
    assert "`coins[blue]` is written twice at the same time" == both.says


def test_a_cell_set_and_added_to_at_once_is_a_contradiction():
    first = run((every(put("coins", (P,), lit(DIGIT, 2)), put("coins", (P,), lit(DIGIT, 2), "add")),), (COINS,))
    then = run((every(put("coins", (P,), lit(DIGIT, 2), "add"), put("coins", (P,), lit(DIGIT, 2))),), (COINS,))

    assert "`coins[red]` is written twice at the same time" == first.says == then.says


def test_a_loop_inside_a_simultaneous_loop_belongs_to_it():
    grid = var("grid", DIGIT, lit(DIGIT, 1), PLAYER, PLAYER)
    q = Bound("q", PLAYER)
    cell = put("grid", (P, q), num("+", Read("grid", (q, P), DIGIT), num("+", P, q)))
    for inner in (True, False):
        nested = every(every(cell, name="q", simultaneous=inner))
        assert [1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6, 4, 5, 6, 7] == run((nested,), (grid,))["grid"]
        twice = run((every(every(put("coins", (P,), lit(DIGIT, 1)), name="q", simultaneous=inner)),), (COINS,))
        assert "`coins[red]` is written twice at the same time" == twice.says


def test_a_name_that_hides_the_loop_variable_is_seen_through():
    """The index says `p`, but `p` is somebody else: one cell is set four times."""
    body = every(Define("p", lit(PLAYER, 2)), put("coins", (P,), lit(DIGIT, 1)))

    assert "`coins[green]` is written twice at the same time" == run((body,), (COINS,)).says


def test_the_same_holds_for_wide_cells_and_offsets():
    wide = number(-300, 300)
    purse = var("purse", wide, num("-", num("*", Bound("i0", PLAYER), lit(INT, 100)), lit(INT, 250)), PLAYER)
    read = Read("purse", (after(P),), wide)

    assert [-150, -50, 50, -250] == run((every(put("purse", (P,), read)),), (purse,))["purse"]
    assert [-245, -145, -45, 55] == run((every(put("purse", (P,), lit(wide, 5), "add")),), (purse,))["purse"]
    once = put("purse", (lit(PLAYER, 0),), num("-", lit(INT, 0), lit(INT, 51)), "add", "pay")
    assert "`purse[red]` would be -301, but goes from -300 to 300" == run((once,), (purse,)).says
    four = run((every(put("purse", (lit(PLAYER, 3),), lit(wide, 100), "add", "gift")),), (purse,))
    assert "`purse[white]` would be 450, but goes from -300 to 300" == four.says
    sets = every(
        put("purse", (P,), num("*", P, lit(INT, 101))), put("purse", (P,), lit(wide, 0)), where=eq(P, lit(PLAYER, 3))
    )
    assert "`purse[white]` would be 303, but goes from -300 to 300" == run((sets,), (purse,)).says


def test_a_value_outside_its_range_is_a_contradiction_where_it_is_assigned():
    low = put("bank", (), num("-", coins(lit(PLAYER, 0)), bank()), key="low")
    high = put("bank", (), num("*", coins(lit(PLAYER, 3)), bank()), key="high")
    found = [run((each, put("bank", (), lit(DIGIT, 0))), (COINS, BANK)) for each in (low, high)]

    assert ["low", "high"] == [each.key for each in found]
    assert "`bank` would be -4, but goes from 0 to 9" == found[0].says


def test_a_checked_value_outside_its_type_is_a_contradiction_only_where_it_is_asked_for():
    checked = Checked(num("+", bank(), lit(INT, 5)), DIGIT, span=HERE)
    safe = put("bank", (), Cond(op(">", bank(), lit(DIGIT, 4)), lit(DIGIT, 3), checked, DIGIT))

    assert "`10` is not a value of `0..9`" == run((put("bank", (), checked),), (BANK,)).says
    assert [3] == run((safe,), (BANK,))["bank"]
