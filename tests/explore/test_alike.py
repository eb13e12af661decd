"""All states that look alike to a player are compared: a search finds what brute force finds, and nothing else."""

from pathlib import Path

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.language.load import read_game
from pilgrim_rules.semantics.reference import Reference
from tests.support.brute_force_secrets import leaks, reachable, seen_through
from tests.support.random_secrets import random_secrets
from verifier.explore.search import explore
from verifier.report.gather import records_of_search

LEAK = Path(__file__).parents[1] / "soundness" / "attacks" / "leak.rules"


def found(game, kind, *, native):
    result = explore(game, secrecy=10**6, native=native)
    assert result.closed
    return {each.name for each in result.findings if each.kind == kind}


@pytest.mark.parametrize("seed", range(12))
def test_a_search_tells_what_brute_force_tells(seed, tmp_path):
    _, game = random_secrets(seed, tmp_path)
    reference = Reference.from_game(game)
    states = reachable(reference)

    assert leaks(reference, states) == found(game, "no_leak", native=False)
    assert found(game, "sight", native=False) <= seen_through(reference, states)


@pytest.mark.parametrize("native", [True, False])
def test_the_leak_that_everything_else_proved_is_found(native):
    game = read_game(str(LEAK))

    assert {"nod"} == found(game, "no_leak", native=native)
    assert () == explore(game).findings  # it has to be asked for


def test_both_worlds_are_shown(capsys):
    assert Exit.REFUTED == run(["explore", str(LEAK), "--secrecy"])

    out = capsys.readouterr().out
    assert "✗ no_leak nod: ben can tell two worlds apart by `told`" in out
    assert "the other world: deal(2); deal(1)" in out


def test_games_that_keep_their_secrets_are_compared_without_a_finding():
    game = read_game("kuhn_poker")
    result = explore(game, secrecy=1000)

    assert result.compared
    assert () == result.findings
    compared = [each for each in records_of_search(game, result) if each.kind == "no_leak"]
    assert ["64 states, compared where they look alike"] == [each.bounds[1] for each in compared]


def test_more_states_than_asked_for_are_not_compared():
    assert not explore(read_game("kuhn_poker"), secrecy=10).compared
