"""Random play follows worlds that look the same to a player, and says by what they can be told apart."""

from pathlib import Path

import pytest

from pilgrim_rules.language.load import read_game
from pilgrim_rules.semantics.reference import Reference
from tests.support.brute_force_secrets import leaks, reachable
from tests.support.random_secrets import random_secrets
from verifier.fuzz.campaign import run

LEAK = Path(__file__).parents[1] / "soundness" / "attacks" / "leak.rules"


def test_a_leak_is_found_and_shown_by_two_short_plays():
    (failure,) = run(read_game(str(LEAK)), games=120).failures

    assert "leak.no_leak/nod" == failure.name
    assert "can tell two worlds apart by `told`" in failure.says
    assert "the other world: deal(" in failure.says
    assert ("deal", "deal", "nod") == tuple(move.partition("(")[0] for move in failure.moves)


@pytest.mark.parametrize("name", ["kuhn_poker", "love_letter"])
def test_games_that_keep_their_secrets_tell_nothing(name):
    assert () == tuple(run(read_game(name), games=30, shrinking=False).failures)


def test_what_random_play_finds_is_there(tmp_path):
    shown = 0
    for seed in range(8):
        _, game = random_secrets(seed, tmp_path)
        reference = Reference.from_game(game)
        truth = leaks(reference, reachable(reference))
        failures = run(game, games=20, shrinking=False).failures
        told = {each.name.partition(".no_leak/")[2] for each in failures if ".no_leak/" in each.name}

        assert told <= truth
        shown += len(told)
    assert shown
