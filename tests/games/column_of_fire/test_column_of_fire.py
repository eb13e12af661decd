"""A Column of Fire: what the rulebook says, its worked examples, its rulings, and play to the end."""

import pytest

from pilgrim_rules import load
from pilgrim_rules.core.rulings import readings_of
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.examples import CompiledReadings, run_example
from pilgrim_rules.inputs.clauses.citations import check_waivers
from pilgrim_rules.inputs.clauses.clause_coverage import coverage
from pilgrim_rules.language.load import load_rules
from tests.support.proved_instances import other_players


@pytest.fixture(scope="module")
def loaded():
    return load_rules("column_of_fire", players=2)


def test_every_clause_is_traced_or_waived(loaded):
    found = coverage(loaded.game, loaded.inventory)

    assert (336, ()) == (found.whole.total, found.whole.open)


def test_no_waiver_is_needless(loaded):
    bag = Bag()
    check_waivers(loaded.game, loaded.inventory, bag)

    assert [] == list(bag)


def test_every_gap_is_a_ruling_with_other_options(loaded):
    cited = [clause for ruling in loaded.game.rulings for clause in ruling.note.clauses if clause.startswith("GAP-")]

    assert 71 == len(cited) == len(set(cited))
    assert ["next_up", "tiles_when"] == [ruling.name for ruling in loaded.game.rulings if ruling.refused]
    assert all(len(ruling.options) + len(ruling.refused) > 1 for ruling in loaded.game.rulings)


def test_every_answer_that_the_inventory_names_is_played_or_refused(loaded):
    named = {each.id: len(each.options) for each in loaded.inventory.gaps}
    answers = {
        clause: len(ruling.options) + len(ruling.refused)
        for ruling in loaded.game.rulings
        for clause in ruling.note.clauses
        if clause in named
    }

    assert named == answers


@pytest.mark.parametrize("players", other_players("column_of_fire", [2, 3, 4]))
def test_the_examples_of_our_rulings_come_out_as_written(players):
    readings = CompiledReadings.from_game(load_rules("column_of_fire", players=players).game)
    plain = [each for each in readings.game.examples if readings_of(readings.game, each) == ((),)]

    assert len(plain) > 5
    assert {} == {each.name: told.wrong for each in plain if (told := run_example(readings, each)).wrong}


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_every_reading_comes_out_as_written(players):
    readings = CompiledReadings.from_game(load_rules("column_of_fire", players=players).game)

    assert {} == {
        each.name: told.wrong for each in readings.game.examples if (told := run_example(readings, each)).wrong
    }


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_are_played_to_the_end(players):
    assert all(load("column_of_fire", players=players).playouts(50, seed=3, longest=6000).over)


@pytest.mark.slow
def test_games_end_under_every_option(loaded):
    """Each option of each ruling alone, the others as they are."""
    others = [
        (ruling.name, option.name)
        for ruling in loaded.game.rulings
        for option in ruling.options
        if option.name != ruling.default
    ]

    assert [] == [
        pair
        for pair in others
        if not all(load("column_of_fire", players=3, rulings=dict([pair])).playouts(10, longest=9000).over)
    ]
