"""Hunting: plays that break a claim, on every machine; short ones; contradictions."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pilgrim_rules.engine.machines import choose
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.language.load import read_game
from tests.support.walk_texts import walk
from verifier.play.hunt import Hunter

CLAIMS = "invariant fresh\n    tired < 2\nstep slow: place' <= place + 1\n"


def hunter(game, **how):
    return Hunter(compiled(game, ghosts=True), **how)


def broken_by(game, claim, play):
    """Return whether the last step of a play, and no other one, breaks a claim."""
    code = compiled(game, ghosts=True)
    states = [code.start]
    for number, args in play:
        assert args in code.candidates(states[-1], number)
        states.append(code.apply_of[number](states[-1], *args))
    held = [code.holds(claim, before, after) for before, after in pairwise(states)]
    if claim == "fresh":
        held = [code.holds(claim, after) for after in states[1:]]
    return all(held[:-1]) and not held[-1]


@pytest.mark.parametrize("claim", ["fresh", "slow"])
def test_the_last_step_of_a_caught_play_breaks_the_claim_that_was_asked_for(tmp_path, claim):
    game = walk(tmp_path, claims=CLAIMS)

    found = hunter(game).hunt([claim], games=100)

    assert claim == found.claim
    assert broken_by(game, claim, found.play)


def test_every_machine_catches_the_same_play(tmp_path, monkeypatch):
    game = walk(tmp_path, claims=CLAIMS)
    found = [hunter(game).hunt(games=50)]
    monkeypatch.setattr(choose, "wasm_is_installed", lambda: False)

    found.append(hunter(game).hunt(games=50))

    assert found[0] == found[1]


def test_a_play_of_fewer_decisions_is_found_if_there_is_one(tmp_path):
    game = walk(tmp_path, claims=CLAIMS)
    hunting = hunter(game, favour=["step"])
    first = hunting.hunt(["fresh"], games=100)

    found = hunting.shorter(first, seconds=0.5)

    assert "fresh" == found.claim
    assert 2 == hunting.decisions(found.play), "leap, leap; resting happens by itself"


def test_a_measure_that_does_not_shrink_is_caught(tmp_path):
    game = walk(tmp_path, claims="terminates by (9 - place)\n")

    found = hunter(game).hunt(games=60)

    assert game.rankings[0].name == found.claim
    assert game.actions[found.play[-1][0]].name in ("rest", "stop")


def test_a_contradiction_is_caught_with_the_moves_that_lead_to_it(tmp_path):
    game = walk(tmp_path, limit=10, stop=9)

    found = hunter(game).hunt(games=60)

    assert found.claim is None
    assert "step" == game.actions[found.play[-1][0]].name


def test_nothing_is_caught_where_nothing_is_wrong():
    hunting = hunter(read_game("noughts_and_crosses"))

    assert hunting.hunt(games=300) is None
    assert 300 == hunting.games


def test_a_claim_that_does_not_exist_is_refused():
    with pytest.raises(KeyError, match="no claim fersh"):
        hunter(read_game("nim")).hunt(["fersh"], games=1)
