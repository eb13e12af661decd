"""`pilgrim mutate`: what it prints, what it writes, and that its exit codes tell the truth."""

from __future__ import annotations

import json

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.evidence import mutant_results
from pilgrim_rules.language.load import read_games
from verifier.mutate import campaign

SCHEMA = mutant_results.SCHEMA_FILE


def test_survivors_are_told_and_counted_by_clause(capsys):
    assert Exit.OK == run(["mutate", "nim"])
    out = capsys.readouterr().out
    assert "✗ playing decider: always `ann` decides: somebody else decides" in out
    assert "NIM-2" in out
    assert "91.7% killed" in out


def test_too_few_killed_ends_with_1():
    assert Exit.REFUTED == run(["mutate", "nim", "--at-least", "95"])
    assert Exit.OK == run(["mutate", "nim", "--at-least", "90"])


def test_the_report_is_data_for_programs_and_documents(tmp_path, capsys):
    """Each mutant of a line names the line."""
    asked = ["mutate", "nim", "--evidence", str(tmp_path), "--file", str(tmp_path / "kept.json"), "--format", "json"]
    assert Exit.OK == run(asked)
    shown = json.loads(capsys.readouterr().out)
    jsonschema = pytest.importorskip("jsonschema", reason="needs pip install jsonschema")
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(shown)
    assert shown == json.loads((tmp_path / "nim.mutants.json").read_text("utf-8"))
    assert all(each["place"]["file"] == "game.rules" for each in shown["mutants"])
    assert [] == [path.name for path in tmp_path.iterdir() if path.suffix == ".part"]


def test_mutants_are_asked_for_by_line_or_clause(capsys):
    assert Exit.OK == run(["mutate", "nim", "--only", "NIM-3", "--verbose"])
    told = [line for line in capsys.readouterr().out.splitlines() if line[:1] in "✓✗=~" and line.strip()]
    assert told
    assert all(line.startswith("✓ take.") for line in told)


def test_a_sample_is_drawn(capsys):
    assert Exit.OK == run(["mutate", "nim", "--sample", "5", "--seed", "3", "--format", "json"])
    shown = json.loads(capsys.readouterr().out)
    assert (3, True) == (shown["seed"], shown["tried"] <= 5 < shown["possible"])


def test_proofs_can_be_asked(capsys):
    only = ["--only", "take.require.1 drop*", "--states", "0", "--games", "0"]
    assert Exit.OK == run(["mutate", "bank", *only, "--proofs", "--verbose"])
    assert "1 by proofs" in capsys.readouterr().out


@pytest.mark.parametrize("text", [None, "[equivalent"])
def test_reasons_that_cannot_be_read_are_a_mistake(tmp_path, capsys, text):
    file = tmp_path / "reasons.toml"
    if text is not None:
        file.write_text(text)
    assert Exit.BAD_INPUT == run(["mutate", "nim", "--reasons", str(file)])
    assert "reasons.toml" in capsys.readouterr().err


def test_an_interrupt_ends_with_130_and_keeps_what_was_judged(tmp_path, monkeypatch):
    file = tmp_path / "kept.json"
    judged = iter(range(3))

    def judge(court, name, real=campaign.Judge.judge):
        if next(judged, None) is None:
            raise KeyboardInterrupt
        return real(court, name)

    monkeypatch.setattr(campaign.Judge, "judge", judge)
    assert Exit.INTERRUPTED == run(["mutate", "nim", "--file", str(file)])
    assert json.loads(file.read_text("utf-8"))["mutants"]


def test_a_game_is_seated_for_all_numbers_of_players_unless_one_is_named():
    assert [2, 3, 4] == [game.players for game in read_games("auction")]
    assert [2] == [game.players for game in read_games("nim", players=2)]
