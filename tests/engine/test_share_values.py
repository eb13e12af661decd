"""Equal values are worked out once, and only where every way to the second one passes the first."""

from pilgrim_rules.engine.cells.cell_code import (
    WORK,
    Binary,
    Choose,
    For,
    Function,
    If,
    Invoke,
    Load,
    Local,
    Logic,
    Number,
    NumberRange,
    Return,
    Set,
    Store,
    Tee,
)
from pilgrim_rules.engine.cells.cell_walk import values_in
from pilgrim_rules.engine.cells.share_values import share_values

X, Y = Local("x", (0, 9)), Local("y", (0, 9))
CELL = Load("s", Binary("*", X, Number(3), (0, 27)), 1, (0, 9))


def shared(*body, **options):
    """Return the body of a function with equal values shared, and how often a cell is read in it."""
    found = share_values(Function("f", ("s",), (X, Y), body, "number"), **options).body
    return found, sum(isinstance(each, Load) for each in values_in(found))


def less(left, right):
    return Binary("<", left, right, (0, 1))


def test_a_value_is_read_once_and_named_where_it_is_first_asked_for():
    body, reads = shared(If(less(CELL, Y), (Return((CELL,)),)), Return((CELL,)))

    assert 1 == reads
    assert isinstance(body[0].test.left, Tee)
    assert body[0].test.left.local == body[1].values[0]


def test_a_value_that_is_asked_for_once_gets_no_name():
    body, _ = shared(Return((CELL,)))

    assert (Return((CELL,)),) == body


def test_what_one_branch_works_out_is_not_known_behind_it():
    _, reads = shared(If(X, (Set(Local("a", (0, 9)), CELL),)), Return((CELL,)))

    assert 2 == reads


def test_a_part_that_may_not_be_asked_for_tells_nothing_afterwards():
    maybe = Logic("and", (X, less(CELL, Y), less(CELL, Number(3))))
    _, reads = shared(If(maybe, (Return((Number(0),)),)), Return((Choose(Y, CELL, CELL, (0, 9)),)))

    assert 3 == reads  # one in the connective, one in each arm


def test_the_working_state_and_locals_that_change_are_read_again():
    write = Store(WORK, Number(4), Number(1), 1)
    work = Load(WORK, Number(4), 1, (0, 9))
    _, reads = shared(If(work, (Return((Number(0),)),)), write, Return((work,)))
    total = Local("total", (0, 99))
    again = Set(total, Binary("+", total, Load("s", total, 1, (0, 9)), (0, 99)))
    _, sums = shared(
        Set(total, Number(0)), For(Local("k", (0, 3)), NumberRange(0, 3), (again, again)), Return((total,))
    )

    assert (2, 2) == (reads, sums)


def test_both_sides_of_a_store_stand_alone():
    """Python evaluates the value before the place, WebAssembly the place before the value."""
    body, reads = shared(Store(WORK, CELL, CELL, 1))

    assert 2 == reads
    assert not any(isinstance(each, Tee) for each in values_in(body))


def test_calls_alone_can_be_shared():
    call = Invoke("g", ("s",), (X,), (0, 9))
    body, reads = shared(If(less(call, CELL), (Return((CELL,)),)), Return((call,)), calls_only=True)

    assert 2 == reads
    assert 1 == sum(isinstance(each, Invoke) for each in values_in(body))
