"""The worked examples of the rulebook, and the positions in which its readings part."""

import pytest

from pilgrim_rules.examples import CompiledReadings, run_example
from pilgrim_rules.language.load import load_rules


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_example_comes_out_as_written(players):
    readings = CompiledReadings.from_game(load_rules("pilgrim", players=players).game)

    assert {} == {
        each.name: told.wrong for each in readings.game.examples if (told := run_example(readings, each)).wrong
    }


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
