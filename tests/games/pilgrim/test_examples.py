"""The worked examples of the rulebook, and the positions in which its readings part."""

import re
from pathlib import Path

import pytest

from pilgrim_rules.core.ir import Arrange
from pilgrim_rules.core.rulings import readings_of
from pilgrim_rules.examples import CompiledReadings, run_example
from pilgrim_rules.examples.run import lines_in
from pilgrim_rules.language.load import load_rules
from tests.support.proved_instances import other_players
from verifier.prove.verdict_cache import is_read_again

SPEC = Path(__file__).parents[3] / "spec" / "pilgrim"


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


def test_every_example_is_run_for_some_number_of_players_and_every_line_of_it():
    """No line is left out in silence: it is run in the reading it names, or in the one that the head of its example names."""
    written = {
        name
        for file in sorted(SPEC.rglob("*.rules"))
        for name in re.findall(r"^(?:example|witness) (\w+)", file.read_text("utf-8"), re.MULTILINE)
    }
    run = set()
    for players in (1, 2, 3, 4):
        game = load_rules("pilgrim", players=players).game
        for each in game.examples:
            run.add(each.name)
            tried = {id(line) for reading in readings_of(game, each) for line in lines_in(game, each, reading)}
            assert [] == [line for line in each.steps if id(line) not in tried], each.name

    assert written == run


def test_an_example_that_is_not_about_the_default_says_its_reading():
    for players in (1, 2, 3, 4):
        game = load_rules("pilgrim", players=players).game
        for each in game.examples:
            if () not in readings_of(game, each):
                assert each.under or all(step.under for step in each.steps if not isinstance(step, Arrange)), each.name


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
