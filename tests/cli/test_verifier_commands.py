"""The verifier's commands: what they print, and that their exit codes tell the truth."""

import json

import pytest

from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.main import run
from verifier.cli.show import gravest

pytestmark = pytest.mark.usefixtures("pebbles")


@pytest.fixture
def broken(pebbles):
    """Let a player hold less than he can take."""
    pebbles.write_text(pebbles.read_text().replace("held[Player, Bowl] : 0..3 = 0", "held[Player, Bowl] : 0..2 = 0"))


def test_the_gravest_code_speaks_for_all():
    assert Exit.DISAGREEMENT == gravest([0, 3, 1, 4])
    assert Exit.REFUTED == gravest([3, 1, 0])
    assert Exit.UNSETTLED == gravest([0, 3])
    assert Exit.OK == gravest([0, 0])


def test_obligations_are_listed_in_words(capsys):
    assert Exit.OK == run(["obligations", "pebbles"])
    out = capsys.readouterr().out
    assert "pebbles.range/take\n    Nothing that `take` writes leaves its range.\n" in out


def test_obligations_are_data_for_programs(capsys):
    assert Exit.OK == run(["obligations", "pebbles", "--only", "range*", "--format", "json"])
    assert {"range"} == {each["kind"] for each in json.loads(capsys.readouterr().out)["obligations"]}


def test_what_is_claimed_is_proved(capsys):
    assert Exit.OK == run(["prove", "pebbles", "--no-confirm", "--jobs", "1"])
    out = capsys.readouterr().out
    assert out.startswith("pebbles: ")
    assert out.endswith(" proved\n")


def test_on_request_each_proof_is_shown(capsys):
    assert Exit.OK == run(["prove", "pebbles", "-v", "--only", "none_lost"])
    assert "✓ pebbles.invariant.none_lost/take: proved (" in capsys.readouterr().out


def test_a_refutation_ends_with_1_and_a_play(broken, capsys):
    assert Exit.REFUTED == run(["prove", "pebbles", "--only", "range*", "--no-confirm"])
    out = capsys.readouterr().out
    assert "✗ pebbles.range/take: refuted" in out
    assert "take(red, 2)" in out or "take(blue, 2)" in out


def test_proofs_are_data_for_programs(capsys):
    assert Exit.OK == run(["prove", "pebbles", "--only", "range*", "--format", "json"])
    (report,) = json.loads(capsys.readouterr().out)["reports"]
    assert {"proved"} == {record["verdict"] for record in report["records"]}


def test_a_budget_too_small_is_not_settled(capsys):
    assert Exit.UNSETTLED == run(["prove", "pebbles", "--budget", "1", "--only", "none_lost", "--no-confirm"])
    assert "not settled" in capsys.readouterr().out


def test_cores_name_what_a_proof_needs(capsys):
    assert Exit.OK == run(["cores", "pebbles", "--no-confirm"])
    out = capsys.readouterr().out
    assert "pebbles.range/take\n    " in out
    assert "in no core" in out


def test_a_search_that_closes_is_a_proof(capsys):
    assert Exit.OK == run(["explore", "pebbles"])
    assert "closed: every reachable state was visited" in capsys.readouterr().out


def test_a_search_that_ends_early_is_not_settled(capsys):
    assert Exit.UNSETTLED == run(["explore", "pebbles", "--max-states", "3", "--format", "json"])
    assert "not settled" == json.loads(capsys.readouterr().out)["verdict"]


def test_a_search_that_finds_something_shows_the_way_to_it(broken, capsys):
    assert Exit.REFUTED == run(["explore", "pebbles", "--first"])
    assert "✗ contradiction" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["prove", "pebbles", "--jobs", "0"],
        ["prove", "pebbles", "--budget", "none"],
        ["explore", "pebbles", "--memory", "-3"],
        ["prove", "nosuchgame"],
        ["obligations"],
    ],
)
def test_words_that_make_no_sense_are_refused(words, capsys):
    assert Exit.BAD_INPUT == run(words)
    assert capsys.readouterr().err
