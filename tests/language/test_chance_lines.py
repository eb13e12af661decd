"""Throws and choices of several: one die after the other, each choice written in one way."""

import pytest

from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.language.load import read_game
from pilgrim_rules.language.syntax.format import format_source

RULES = """\
game small
    players 2..2 named ann, ben

zones of Colour: 0..3 = 2
    bag
    hand[Player]

enum Colour: white, black

stages
    playing by turn
    over nobody

state
    turn               : Player
    pool[Player, 1..6] : 0..3

action throw
    during playing
    do roll 3 into pool[turn]

action take(dice: 2 of pool[turn])
    during playing
    do
        pool[turn, dice.1] -= 1
        pool[turn, dice.2] -= 1

action reach
    during playing
    do draw 2 from bag to hand[turn]

action empty
    during playing
    do move all from hand[turn] to bag
"""


@pytest.fixture
def load(tmp_path):
    """Return a function that reads the game, changed."""

    def read(old="", new=""):
        path = tmp_path / "small.rules"
        path.write_text(RULES.replace(old, new), encoding="utf-8")
        return read_game(path)

    return read


def played(code, *moves):
    """Return the state after some moves from the start."""
    state = code.start
    for name, *args in moves:
        state = code.apply(state, name, tuple(args))
    return state


THROWN = (("throw",), ("roll_pool", 5), ("roll_pool", 2), ("roll_pool", 5))


def test_each_die_is_counted_at_its_face_and_play_goes_on(load):
    code = compiled(load())
    state = played(code, *THROWN)

    assert "playing" == code.stage(state).name
    assert [0, 1, 0, 0, 2, 0] == code.layout.decode(state)["pool"][:6]


def test_every_choice_of_two_is_offered_once(load):
    code = compiled(load())

    assert [(2, 5), (5, 5)] == sorted(code.legal(played(code, *THROWN), "take"))


def test_two_dice_of_one_face_are_there_only_if_two_were_thrown(load):
    code = compiled(load())
    state = played(code, *THROWN, ("take", 2, 5))

    assert [] == code.legal(state, "take")
    assert not code.allowed(state, "take", (5, 5))


def test_what_is_drawn_from_a_bag_is_as_likely_as_it_is_frequent(load):
    code = compiled(load())
    state = played(code, ("reach",), ("draw_bag", 0))

    assert {(0,): 1, (1,): 2} == {args: code.weight(state, "draw_bag", args) for args in code.legal(state, "draw_bag")}


def test_everything_goes_back_into_the_bag(load):
    code = compiled(load())
    state = played(code, ("reach",), ("draw_bag", 0), ("draw_bag", 1), ("empty",))

    assert code.start == state


def test_the_numbers_of_each_kind_are_claimed_to_stay(load):
    assert {"zones.Colour", "draw.bag", "roll.pool"} <= {claim.name for claim in load().claims}


def test_lines_of_chance_are_laid_out_once():
    assert RULES == format_source(RULES, "small.rules")


@pytest.mark.parametrize(
    ("old", "new"),
    [("into pool[turn]", "into pool"), ("2 of pool[turn]", "2 of turn"), ("to hand[turn]", "to pool[turn]"),
     ("from bag to", "from sack to"), ("2 of pool[turn]", "9 of pool[turn]")],
)  # fmt: skip
def test_only_pools_and_zones_of_one_list_are_drawn_from_and_thrown_into(load, old, new):
    with pytest.raises(RulesError) as refusal:
        load(old, new)

    assert {"PR331", "PR201"} & {found.code.id for found in refusal.value.diagnostics}
