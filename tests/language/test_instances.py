"""Another reading is the rules read anew: types, tables and actions are its own, not only the constant of the ruling."""

from dataclasses import replace

import pytest

from pilgrim_rules.core.origin import FileTexts
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language import instances
from pilgrim_rules.language.load import read_game, read_games

RULES = """\
game fork
    players 2..3
    edition "fork.toml"

ruling ending
    option at_once "the game ends at once" default
    option asked_first "somebody is asked first"

ruling pace
    option slow "one step" default
    option fast "two steps"

preset hasty "The quick game"
    pace = fast

param cap : 1..9 from edition.cap
param stride : 1..9 = 1 if pace == slow else 2
param room : 0..99 = cap * players
type Track = 0..cap

stages
    walking by turn
    asking by turn
    over nobody

state
    turn : Player
    gone : Track

action walk
    during walking
    require gone + stride <= cap
    do gone = the (gone + stride)

action answer
    only when ending == asked_first
    during asking
    do stage = over

law enough: cap >= stride
"""
DATA = """\
[cap]
source = "assumed"
note = "how far the track goes"
unknown = "cap"
values = 5
"""


@pytest.fixture
def path(tmp_path):
    (tmp_path / "fork.toml").write_text(DATA, "utf-8")
    (tmp_path / "fork.rules").write_text(RULES, "utf-8")
    return tmp_path / "fork.rules"


@pytest.fixture
def game(path):
    return read_game(path)


def value(game, name):
    (found,) = next(each.values for each in game.constants if each.name == name)
    return found


def test_a_computed_table_is_computed_for_the_reading(game):
    assert (1, 2) == (value(game, "stride"), value(instances.with_rulings(game, [("pace", "fast")]), "stride"))


def test_an_action_of_the_other_option_exists_under_it(game):
    other = instances.with_rulings(game, [("ending", "asked_first")])

    assert ["walk"] == [action.name for action in game.actions]
    assert ["walk", "answer"] == [action.name for action in other.actions]


def test_it_is_the_game_that_is_loaded_with_these_choices(game, path):
    options = {"ending": "asked_first", "pace": "fast"}

    assert read_game(path, rulings=options, players=3) == instances.with_players(
        instances.with_rulings(game, options.items()), 3
    )


def test_other_choices_are_kept_unless_the_defaults_are_asked_for(path):
    loaded = read_game(path, preset="hasty")

    assert (("ending", "asked_first"), ("pace", "fast")) == instances.non_default_options(
        instances.with_rulings(loaded, [("ending", "asked_first")])
    )
    assert () == instances.non_default_options(instances.with_default_rulings(loaded))


def test_nothing_is_read_where_nothing_differs(game):
    assert game is instances.with_rulings(game, [("pace", "slow")])
    assert game is instances.with_players(game, 2)
    assert game is instances.with_default_rulings(game)


def test_other_data_flow_through_types_and_computed_tables(game):
    other = instances.with_data(game, [("cap", 0, 9)])

    assert (9, 18) == (value(other, "cap"), value(other, "room"))
    assert 9 == next(each.type.hi for each in other.variables if each.name == "gone")


def test_data_that_break_a_law_are_refused(game):
    fast = instances.with_rulings(game, [("pace", "fast")])

    with pytest.raises(RulesError, match="breaks the law `enough`"):
        instances.with_data(fast, [("cap", 0, 1)])


def test_other_data_stay_in_another_reading(game):
    other = instances.with_rulings(instances.with_data(game, [("cap", 0, 7)]), [("pace", "fast")])

    assert (7, 2) == (value(other, "cap"), value(other, "stride"))


def test_a_reading_is_of_the_texts_that_the_game_was_read_from(game, path):
    path.write_text("game other\n", "utf-8")
    path.with_suffix(".toml").unlink()

    assert 2 == value(instances.with_rulings(game, [("pace", "fast")]), "stride")


def test_a_game_is_read_for_every_number_of_players_unless_one_is_named(path):
    assert [2, 3] == [each.players for each in read_games(path)]
    assert [3] == [each.players for each in read_games(path, players=3)]


def test_a_game_that_was_changed_has_no_other_reading(game):
    changed = replace(game, actions=(), origin=None)

    with pytest.raises(instances.NoOrigin, match="`fork` was not read from rules"):
        instances.with_rulings(changed, [("pace", "fast")])


def test_texts_are_equal_if_they_say_the_same():
    assert FileTexts({"a": "1", "b": "2"}) == FileTexts({"b": "2", "a": "1"})
    assert FileTexts({"a": "1"}) != FileTexts({"a": "2"})
