"""The worked examples of the rulebook, and the positions in which its readings part."""

import pytest

from pilgrim_rules.examples import CompiledReadings, run_example
from pilgrim_rules.language.load import load_rules
from tests.support.proved_instances import other_players
from verifier.prove.verdict_cache import is_read_again


def wrong(readings, examples):
    return {each.name: told.wrong for each in examples if (told := run_example(readings, each)).wrong}


@pytest.mark.parametrize("players", other_players("pilgrim", [1, 2, 3, 4]))
def test_every_example_comes_out_as_written(players):
    """Those about readings for which the rules are read again, a second each, come below and in every run of the proofs, which run all of one instance."""
    readings = CompiledReadings.from_game(load_rules("pilgrim", players=players).game)
    examples = [each for each in readings.game.examples if not is_read_again(readings.game, each)]

    assert examples
    assert {} == wrong(readings, examples)


@pytest.mark.parametrize("players", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_an_example_of_another_reading_comes_out_as_written(players):
    readings = CompiledReadings.from_game(load_rules("pilgrim", players=players).game)
    first = next(each for each in readings.game.examples if is_read_again(readings.game, each))

    assert {} == wrong(readings, [first])


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_reading_comes_out_as_written(players):
    readings = CompiledReadings.from_game(load_rules("pilgrim", players=players).game)

    assert {} == wrong(readings, readings.game.examples)


def test_every_worked_example_of_the_rulebook_is_there():
    loaded = load_rules("pilgrim", players=4)
    cited = {
        clause
        for players in (1, 2, 3, 4)
        for each in load_rules("pilgrim", players=players).game.examples
        for clause in each.note.clauses
    }

    waived = loaded.inventory.waived()  # the sums of a campaign, which `test_solo` asks it for

    assert [] == [each.id for each in loaded.inventory.examples if each.id not in cited and each.id not in waived]


@pytest.mark.covers("EX-SCORE-1", "GAP-SITE-MULTIPLIER")
def test_the_contradicting_example_has_both_computations():
    game = load_rules("pilgrim", players=4).game
    trail = next(each for each in game.examples if each.name == "trail_of_red")
    readings = {under for step in trail.steps for under in getattr(step, "under", ())}

    assert {("last_leg", "site_counts"), ("last_leg", "shrines_only")} == readings
    assert "" == run_example(CompiledReadings.from_game(game), trail).wrong
