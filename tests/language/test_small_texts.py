"""Front end: small texts that once were read wrongly, each with what it must mean."""

import pytest

from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language.load import read_game

FRAME = """\
game small
    players 2..2 named red, blue

stages
    playing by turn
    over nobody

state
    turn     : Player
    coins    : 0..9
    pile[Player] : 0..9

action finish
    during playing
    do stage = over

"""


@pytest.fixture
def game(tmp_path):
    """Return a function that loads the frame with further declarations."""

    def load(text, frame=FRAME):
        path = tmp_path / "small.rules"
        path.write_text(frame + text, encoding="utf-8")
        return read_game(path)

    return load


@pytest.fixture
def mistakes(game):
    """Return a function that gives code and message of each mistake in further declarations."""

    def load(text):
        with pytest.raises(RulesError) as refusal:
            game(text)
        return [(found.code.id, found.message) for found in refusal.value.diagnostics]

    return load


def test_a_position_is_given_with_an_equals_sign(game):
    loaded = game(
        "example rich\n    given players == 2\n    given coins = 3\n    given pile[red] = 2\n    expect coins == 3\n"
    )

    assert ["Arrange", "Arrange", "Expect"] == [type(step).__name__ for step in loaded.examples[0].steps]


def test_a_position_is_not_given_with_a_change(mistakes):
    assert [("PR110", "`+=` is not expected here")] == mistakes("example rich\n    given coins += 3\n")


def test_a_parameter_that_is_one_known_number_bounds_other_numbers(game):
    text = "param top : 1..9 = 4\n\nstate\n    shelf[1..top] : bool\n\naction fill(at: 0..8)\n    require at < top\n    do shelf[at + 1] = true\n"

    assert "1..4" == next(each for each in game(text).variables if each.name == "shelf").index[0].name


def test_a_part_of_a_pair_may_be_tested_and_then_counted_down(game):
    text = "type Pit = Player * 0..3\n\ndef down(k: Pit) -> Pit\n    (next(k.1), 3) if k.2 == 0 else (k.1, k.2 - 1)\n"

    assert ["down"] == [each.name for each in game(text).defs]


def test_whoever_decides_may_be_searched_for_and_pay(game):
    text = "purse coin of p = pile[p]\n\naction spend\n    during buying\n    cost 1 coin\n    do stage = over\n"
    frame = FRAME.replace(
        "    over nobody", "    buying by first p in turn from turn where pile[p] > 0\n    over nobody"
    )

    assert ["finish", "spend"] == [each.name for each in game(text, frame).actions]


def test_an_example_of_another_instance_is_left_out(game):
    text = (
        "param top : 1..9 = 4\n\n"
        "example here\n    given top == 4\n    given coins = 4\n    expect coins == 4\n\n"
        "example elsewhere\n    given top == 5\n    given pile[5] = 4\n"
    )

    assert ["here"] == [each.name for each in game(text).examples]


def test_what_runs_an_effect_or_asks_a_guard_cites_for_its_lines(game):
    text = (
        "guard rich() cites GRD-1\n    require coins > 0 cites OWN-1\n\n"
        "effect spend()\n    coins -= 1 cites OWN-2\n\n"
        "action buy\n    during playing\n    check rich() cites ASK-1\n    do spend() cites RUN-1\n"
    )
    buy = next(each for each in game(text).actions if each.name == "buy")

    assert [("OWN-1", "GRD-1", "ASK-1")] == [line.clauses for line in buy.guard]
    assert [("OWN-2", "RUN-1")] == [stmt.clauses for stmt in buy.body]
