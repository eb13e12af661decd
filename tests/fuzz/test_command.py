"""`pilgrim fuzz`: what it draws, counts and leaves behind."""

from __future__ import annotations

import json

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.evidence import files
from pilgrim_rules.evidence.record import Verdict


def test_rulings_and_data_are_drawn_on_request(capsys):
    asked = ["fuzz", "nim", "--games", "60", "--random-rulings", "--random-edition"]
    assert Exit.OK == run([*asked, "--format", "json"])
    shown = json.loads(capsys.readouterr().out)
    assert 2 <= len(shown["rulings"])
    assert 60 == sum(times for name, times in shown["rulings"].items() if name.startswith(min(shown["rulings"])[:4]))
    assert Exit.OK == run(asked)
    assert "games under each option: " in capsys.readouterr().out


def test_coverage_is_told_for_every_action_and_requirement(capsys):
    assert Exit.OK == run(["fuzz", "nim", "--games", "80", "--format", "json"])
    shown = json.loads(capsys.readouterr().out)
    assert shown["actions"]["take"] > 80
    assert all(counts["met"] > 0 for counts in shown["requirements"].values())
    assert any(counts["refused"] > 0 for counts in shown["requirements"].values())
    assert shown["length"]["longest"] >= shown["length"]["mean"] > 1
    assert shown["branching"]["widest"] >= shown["branching"]["mean"] > 1


def test_what_was_tested_is_added_to_the_evidence(tmp_path):
    assert Exit.OK == run(["fuzz", "nim", "--games", "20", "--evidence", str(tmp_path)])
    (records,) = files.read(tmp_path / "nim.json.gz").instances.values()
    assert {"fuzz"} == {record.source for record in records}
    assert {Verdict.TESTED} == {record.verdict for record in records}


def test_games_of_other_readings_are_no_evidence_of_this_one(tmp_path, capsys):
    assert Exit.BAD_INPUT == run(["fuzz", "nim", "--random-rulings", "--evidence", str(tmp_path)])
    assert "one reading" in capsys.readouterr().err
