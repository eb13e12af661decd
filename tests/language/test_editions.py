"""Editions of a rulebook: rulings, clauses and data of their own."""

import shutil

import pytest
from click.testing import CliRunner

from pilgrim_rules import load
from pilgrim_rules.cli.main import cli
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language import find_game
from pilgrim_rules.language.editions import Difference, EditionComparison, compare_editions, inventory_of
from pilgrim_rules.language.instances import with_players, with_rulings
from pilgrim_rules.language.load import check, load_rules, read_game


def constant(game, name):
    return next(each.values for each in game.constants if each.name == name)


@pytest.fixture
def mill(tmp_path, monkeypatch):
    """Return a copy of the watermill, which has two editions."""
    shutil.copytree(find_game.shipped() / "watermill", tmp_path / "watermill")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "watermill"


def test_an_edition_has_data_and_rulings_of_its_own():
    game = read_game("watermill", edition="valley")

    assert (4,) == constant(game, "rounds")
    assert (("own_mill", "wages"),) == game.origin.rulings


def test_an_edition_without_files_is_the_game_as_it_is():
    assert load("watermill").fingerprint == load("watermill", edition="town").fingerprint


def test_a_game_without_data_may_have_editions(tmp_path):
    path = tmp_path / "small.rules"
    path.write_text(
        "game small\n    players 1..1\nstages\n    playing by turn\n    over nobody\nstate\n    turn : Player\n"
        'ruling first\n    option yes "y" default\n    option no "n"\n'
        'edition valley "Valley"\n    first = no\naction leave\n    during playing\n    do stage = over\n'
    )

    assert (("first", "no"),) == read_game(path, edition="valley").origin.rulings


def test_a_preset_of_that_name_is_the_edition():
    assert load("watermill", preset="valley").fingerprint == load("watermill", edition="valley").fingerprint


def test_other_choices_stay_in_the_edition():
    game = read_game("watermill", edition="valley")

    assert (4,) == constant(with_players(game, 3), "rounds")
    other = with_rulings(game, [("own_mill", "free")])
    assert ((4,), ()) == (constant(other, "rounds"), other.origin.rulings)


def test_a_state_of_an_edition_comes_back_from_json_in_that_edition():
    state = load("watermill", edition="valley").start()

    assert state == type(state).from_json(state.to_json())


def test_an_unknown_edition_is_refused_with_a_proposal():
    with pytest.raises(RulesError) as refused:
        load_rules("watermill", edition="vally")

    (found,) = refused.value.diagnostics
    assert ("PR505", "did you mean `valley`?") == (found.code.id, found.help)


def test_every_edition_is_checked(mill):
    path = mill / "data" / "edition_valley.toml"
    path.write_text(path.read_text().replace("values = 4", "values = 40"))

    assert ["PR724"] == [each.code.id for each in check("./watermill").errors]


def test_the_comparison_lists_what_differs_and_nothing_else():
    found = compare_editions("watermill")

    assert ["town", "valley"] == [each.name for each in found.editions]
    assert (Difference("own_mill", ("free", "wages")),) == found.rulings
    assert (Difference("Mill.price[overshot]", ("4", "3")), Difference("rounds", ("3", "4"))) == found.data
    assert [("VAL-1", ""), ("VAL-2", "")] == [(each.what, each.said[0]) for each in found.clauses]


def test_a_game_without_editions_differs_in_nothing():
    assert EditionComparison((), (), (), ()) == compare_editions("nim")


def test_an_edition_says_what_all_say_and_what_is_its_own():
    loaded = load_rules("watermill")
    ids = {name: set(inventory_of(loaded, name).ids()) for name in ("town", "valley")}

    assert {"VAL-1", "VAL-2"} == ids["valley"] - ids["town"]
    assert set() == ids["town"] - ids["valley"]


def test_coverage_can_be_asked_of_one_edition():
    told = CliRunner().invoke(cli, ["coverage", "watermill", "--edition", "town"])

    assert 0 == told.exit_code
    assert "The valley edition" not in told.output
    assert "The valley edition" in CliRunner().invoke(cli, ["coverage", "watermill", "--edition", "valley"]).output


def test_the_command_shows_the_tables():
    told = CliRunner().invoke(cli, ["editions", "watermill"])

    assert 0 == told.exit_code
    assert "Mill.price[overshot]" in told.output
    assert "declare no editions" in CliRunner().invoke(cli, ["editions", "nim"]).output
