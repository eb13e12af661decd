"""Names are replaced where they are free, and nowhere else."""

from pilgrim_rules.core.ir import BOOL, Binder, Bound, Fold, Key, Let, Lit, Pick, Unique
from pilgrim_rules.core.walk import free_names, substitute
from tests.support.sample_game import COLOUR, PLACE, PLAYER, eq, maybe, number

X, Y = Bound("x", PLACE), Bound("y", PLACE)
GATE = Lit(0, PLACE)
AROUND_X = Binder("x", PLACE, among=("around", (X,)))  # the binder hides the name it starts from


def test_what_a_binder_hides_is_replaced_in_the_binder_itself_and_not_behind_it():
    fold = Fold("some", (AROUND_X,), eq(X, Y), eq(X, Y), None, BOOL)

    replaced = substitute(fold, {"x": GATE, "y": GATE})

    assert {"x", "y"} == free_names(fold)
    assert Binder("x", PLACE, among=("around", (GATE,))) == replaced.binders[0]
    assert (eq(X, GATE), eq(X, GATE)) == (replaced.where, replaced.body)
    assert frozenset() == free_names(replaced)


def test_a_later_binder_sees_what_an_earlier_one_binds():
    fold = Fold("some", (Binder("x", PLACE), Binder("y", PLACE, start=X)), None, eq(X, Y), None, BOOL)

    assert fold == substitute(fold, {"x": GATE, "y": GATE})


def test_the_default_of_a_fold_stands_outside_it():
    three = Bound("x", number(0, 3))
    fold = Fold("max", (Binder("x", number(0, 3)),), None, three, three, number(0, 3))

    assert Lit(2, number(0, 3)) == substitute(fold, {"x": Lit(2, number(0, 3))}).default
    assert three == substitute(fold, {"x": Lit(2, number(0, 3))}).body


def test_the_other_forms_bind_as_folds_do():
    unique = Unique((AROUND_X,), None, (X, Y))
    pick = Pick(AROUND_X, None, (Key(Y, descending=True),), maybe(PLACE))
    let = Let("x", X, eq(X, Y), BOOL)

    for expr in (unique, pick, let):
        assert frozenset() == free_names(substitute(expr, {"x": GATE, "y": GATE}))
    assert (X, GATE) == substitute(unique, {"x": GATE, "y": GATE}).keys


def test_a_label_is_put_in_under_the_part_of_a_union_that_a_test_has_found():
    narrowed = Bound("x", PLAYER)

    assert Lit(1, PLAYER) == substitute(narrowed, {"x": Lit(1, COLOUR)})
    assert Lit(COLOUR.hi, COLOUR) == substitute(Bound("x", COLOUR), {"x": Lit(COLOUR.hi, COLOUR)})


def test_where_the_test_fails_a_label_of_the_part_stands_in():
    assert COLOUR.hi > PLAYER.hi
    assert Lit(PLAYER.lo, PLAYER) == substitute(Bound("x", PLAYER), {"x": Lit(COLOUR.hi, COLOUR)})
