"""The worked examples of the rulebook, and the positions in which its readings part."""

import pytest

from pilgrim_rules.loading import load_rules
from verifier.examples import run
from verifier.ground import Ground


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_example_comes_out_as_written(players):
    ground = Ground.of(load_rules("pilgrim", players=players).game)

    assert {} == {each.name: told.wrong for each in ground.game.examples if (told := run(ground, each)).wrong}


def test_every_worked_example_of_the_rulebook_is_there():
    loaded = load_rules("pilgrim", players=4)
    cited = {
        clause
        for players in (2, 3, 4)
        for each in load_rules("pilgrim", players=players).game.examples
        for clause in each.note.clauses
    }

    assert [] == [each.id for each in loaded.inventory.examples if each.id not in cited]


@pytest.mark.covers("EX-SCORE-1", "GAP-SITE-MULTIPLIER")
def test_the_contradicting_example_has_both_computations():
    game = load_rules("pilgrim", players=4).game
    trail = next(each for each in game.examples if each.name == "trail_of_red")
    readings = {under for step in trail.steps for under in getattr(step, "under", ())}

    assert {("last_leg", "site_counts"), ("last_leg", "shrines_only")} == readings
    assert "" == run(Ground.of(game), trail).wrong
