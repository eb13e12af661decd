"""Pilgrim's last turn, searched completely: small enough to look at everything that can still happen."""

from __future__ import annotations

import json

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.examples import CompiledReadings
from pilgrim_rules.examples.run import arranged
from pilgrim_rules.language.load import read_game
from verifier.explore.search import explore

#: states, transitions, levels, finished states of what can follow the position of an example, for its number of players.
COUNTS = {("the_last_turn_of_all", 2): (51, 50, 10, 7), ("the_last_round", 4): (6, 5, 6, 1)}


@pytest.mark.slow
@pytest.mark.covers("END-1")
@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_nothing_is_wrong_with_what_can_still_happen(name, players):
    game = read_game("pilgrim", players=players)
    example = next(each for each in game.examples if each.name == name)
    found = explore(game, start=arranged(CompiledReadings.from_game(game).reading(game), example))
    assert COUNTS[name, players] == (found.states, found.transitions, found.depth, found.finished)
    assert "closed" == found.verdict
    assert () == found.findings


def test_a_search_can_begin_where_an_example_does(capsys):
    """That the whole game can do more is nothing wrong with the part."""
    example = read_game("noughts_and_crosses").examples[0].name
    assert Exit.OK == run(["explore", "noughts_and_crosses", "--from", example, "--format", "json"])
    shown = json.loads(capsys.readouterr().out)
    assert "closed" == shown["verdict"]
    assert shown["states"] <= 5_478


def test_an_example_that_does_not_exist_is_a_mistake(capsys):
    assert Exit.BAD_INPUT == run(["explore", "nim", "--from", "nothing_of_the_kind"])
    assert "no example `nothing_of_the_kind`" in capsys.readouterr().err


@pytest.mark.slow
def test_a_search_that_runs_out_is_not_settled_and_says_of_what(capsys):
    assert Exit.UNSETTLED == run(["explore", "pilgrim", "--players", "2", "--max-states", "40"])
    assert "not settled: " in capsys.readouterr().out
