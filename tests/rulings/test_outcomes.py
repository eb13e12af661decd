"""Outcomes: how whole games end under either reading, with intervals that leave zero out only where there is an effect."""

import json

import pytest

import pilgrim_rules as pr
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.sphinx_ext.lists.swings import largest
from tests.rulings.test_measure import TEXT
from verifier.rulings.measure import can_part
from verifier.rulings.outcomes import Estimate, outcome_change, play_out


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "heap.rules"
    path.write_text(TEXT)
    return path


@pytest.fixture
def measured(path):
    base = pr.load(path)
    ours = play_out(base, 400, "random", 1)

    def measure(ruling, option):
        other = pr.load(path, rulings={ruling: option})
        return outcome_change(ruling, option, ours, play_out(other, 400, "random", 1))

    return measure


def test_a_reading_with_more_points_is_seen_with_its_sign(measured):
    """Under `long` a three that is taken before the last move is worth three points."""
    memory = measured("memory", "long")

    assert 0 < memory.swing.at_least < memory.swing.mean <= 3
    assert (400, 0) == (memory.games, memory.unfinished)


def test_the_same_rules_end_every_game_alike(measured):
    colour = measured("colour", "blue")

    assert (Estimate(0.0, 0.0), Estimate(0.0, 0.0)) == (colour.swing, colour.other_winner)
    assert 0 == colour.swing.at_least


def test_an_effect_that_only_moves_points_between_players_is_seen(measured):
    """Whoever takes all ends the game: no points are added, but the winner is often another."""
    handful = measured("handful", "all_at_once")

    assert 0.1 < handful.other_winner.at_least
    assert abs(handful.points["ann"].mean + handful.points["ben"].mean) < 1e-9


def test_what_is_no_larger_than_its_error_is_not_an_effect():
    assert 0 == Estimate(-0.4, 0.5).at_least
    assert 0.5 == Estimate(-1.0, 0.5).at_least


def test_an_option_that_no_rule_reads_cannot_part(path):
    base = pr.load(path)

    assert not can_part(base, pr.load(path, rulings={"colour": "blue"}), "colour")
    assert can_part(base, pr.load(path, rulings={"greed": "two_at_most"}), "greed")


def test_the_command_writes_what_a_page_announces(path, tmp_path, capsys):
    folder = tmp_path / "kept"
    words = ["readings", str(path), "--outcomes", "--games", "300", "--policy", "random", "--write", str(folder)]
    assert Exit.OK == run(words)
    said = capsys.readouterr().out
    data = json.loads((folder / "outcomes.json").read_text())

    assert "1 options change no rule" in said
    assert said.startswith("memory = long   points ann ")
    assert "memory" == largest(data, 5)[0]["ruling"]
    assert "colour" not in {each["ruling"] for each in data["options"]}

    assert Exit.OK == run([*words, "--only", "greed"])
    assert data == json.loads((folder / "outcomes.json").read_text())


def test_a_policy_that_is_none_is_refused(path, capsys):
    assert Exit.BAD_INPUT == run(["readings", str(path), "--outcomes", "--policy", "clever"])
    assert "a policy is" in capsys.readouterr().err
