"""`pilgrim evidence`: what is recorded counts for the rules and the prover it was made with."""

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.evidence import staleness
from pilgrim_rules.evidence.deciding_code import meaning


@pytest.fixture
def recorded(pebbles, tmp_path, capsys):
    """Record what is known of the pebbles; return the command that looks at it."""
    folder = tmp_path / "evidence"
    assert Exit.OK == run(
        ["verify", "pebbles", "--games", "2", "--no-confirm", "--jobs", "1", "--evidence", str(folder)]
    )
    capsys.readouterr()
    return ["evidence", str(folder), "pebbles"]


def test_what_was_just_recorded_counts(recorded, capsys):
    assert Exit.OK == run([*recorded, "--strict"])
    assert "all current" in capsys.readouterr().out


def test_evidence_of_another_text_is_stale(recorded, pebbles, capsys):
    pebbles.write_text(pebbles.read_text().replace(": 0..3 = 0", ": 0..4 = 0"))

    assert Exit.UNSETTLED == run(recorded)
    assert " stale" in capsys.readouterr().out


def test_an_obligation_without_a_record_is_told(tmp_path, pebbles, capsys):
    """A run that looked at a part, or was stopped, is no evidence of the whole game."""
    run(["prove", "pebbles", "--only", "range/*", "--no-confirm", "--jobs", "1", "--evidence", str(tmp_path)])
    capsys.readouterr()

    assert Exit.UNSETTLED == run(["evidence", str(tmp_path), "pebbles"])
    assert " missing, such as `pebbles." in capsys.readouterr().out


def test_evidence_of_another_prover_is_refused_by_a_release_only(recorded, monkeypatch, capsys):
    monkeypatch.setattr(staleness, "deciding_code", lambda: "another")

    assert Exit.OK == run(recorded)
    assert "of another version of the prover" in capsys.readouterr().out
    assert Exit.UNSETTLED == run([*recorded, "--strict"])


def test_a_game_without_evidence_is_told(tmp_path, pebbles, capsys):
    assert Exit.UNSETTLED == run(["evidence", str(tmp_path), "pebbles"])
    assert "none for 2 players" in capsys.readouterr().out
    assert Exit.OK == run(["evidence", str(tmp_path), "pebbles", "--without", "pebbles=2"])


def test_a_gap_that_has_been_filled_is_no_gap(recorded, capsys):
    assert Exit.BAD_INPUT == run([*recorded, "--without", "pebbles=2"])
    assert "there is evidence for pebbles=2" in capsys.readouterr().err


def test_comments_and_layout_are_no_part_of_what_decides():
    one = 'def f(x):\n    """Say it."""\n    return x + 1  # one more\n'

    assert meaning(one) == meaning("def f(x):\n\n    return (x + 1)\n")
    assert meaning(one) != meaning("def f(x):\n    return x + 2\n")


def test_evidence_of_a_file_is_found_under_the_name_of_its_game(recorded, pebbles, capsys):
    assert Exit.OK == run([*recorded[:-1], str(pebbles)])
    assert "all current" in capsys.readouterr().out
