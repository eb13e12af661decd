import pytest

from pilgrim_rules.core.ir import BOOL, Type
from pilgrim_rules.core.type_order import fits
from pilgrim_rules.core.values import show
from tests.support.sample_game import COLOUR, PLACE, PLAYER, ROUTE, maybe, number

COLOUR_ROUTE = Type("Colour * Place", "pair", 0, 8, parts=(COLOUR, PLACE))
TURNED = Type("Place * Player", "pair", 0, 5, parts=(PLACE, PLAYER))
TYPES = [BOOL, PLAYER, COLOUR, PLACE, ROUTE, COLOUR_ROUTE, TURNED, number(0, 1), number(0, 9), number(1, 3)]
TYPES += [maybe(type_) for type_ in TYPES]


@pytest.mark.parametrize("inner", TYPES, ids=lambda type_: type_.name)
def test_what_fits_is_spelled_the_same_in_both_types(inner):
    for outer in (type_ for type_ in TYPES if fits(inner, type_)):
        for code in range(inner.lo, inner.hi + 1):
            assert show(inner, code) == show(outer, code)


@pytest.mark.parametrize(
    ("inner", "outer"),
    [(PLAYER, COLOUR), (PLAYER, maybe(COLOUR)), (number(1, 3), number(0, 9)), (ROUTE, COLOUR_ROUTE), (BOOL, BOOL)],
)
def test_a_narrower_type_fits_a_wider_one(inner, outer):
    assert fits(inner, outer)


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        (maybe(PLAYER), COLOUR),
        (maybe(PLAYER), maybe(COLOUR)),
        (maybe(PLAYER), PLAYER),
        (PLAYER, PLACE),
        (ROUTE, TURNED),
    ],
)
def test_a_type_whose_codes_mean_something_else_does_not_fit(inner, outer):
    assert not fits(inner, outer)
