"""Readings drawn at random are the rules as they would be read, not a patchwork of two readings."""

from __future__ import annotations

from textwrap import dedent

import pytest

from pilgrim_rules.api.game import load
from verifier.fuzz.campaign import run
from verifier.fuzz.variants import Variants

#: Under one option a stage is reached, an action exists and a table is longer, all of which the other does not know.
RULES = """
    game fork
        players 2..2 named red, blue

    ruling ending
        option at_once "the game ends at once" default
        option asked_first "somebody is asked first"

    param steps : 1..9 = 3 if ending == at_once else 6

    stages
        walking by turn
        asking by turn
        over nobody

    state
        turn : Player
        gone : 0..9

    action walk
        during walking
        do
            gone = gone + 1
            if gone + 1 == steps: stage = over if ending == at_once else asking

    action answer
        only when ending == asked_first
        during asking
        do stage = over

    invariant not_too_far: gone <= 5
"""


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "fork.rules"
    path.write_text(dedent(RULES), "utf-8")
    return load(path, ghosts=True)


def test_actions_and_tables_of_another_reading_are_those_it_has(game):
    drawn = Variants(game.core, seed=1, rulings=True, data=False)
    other = next(found for number in range(1, 20) if (found := drawn.numbered(number)).rulings)

    assert "ending = asked_first" == other.label
    assert ["walk", "answer"] == [action.name for action in other.game.actions]
    assert (6,) == next(each.values for each in other.game.constants if each.name == "steps")


def test_the_same_number_is_the_same_reading(game):
    first, again = (Variants(game.core, 5, rulings=True, data=True) for _ in range(2))

    assert [first.numbered(at) for at in range(6)] == [again.numbered(at) for at in range(6)]


def test_a_campaign_finds_no_dead_end_that_no_reading_has(game):
    found = run(game.core, games=40, rulings=True, instance=game.instance)

    assert {"ending = at_once", "ending = asked_first"} == found.tally.rulings.keys()
    assert () == found.failures
    assert 40 == found.tally.over
