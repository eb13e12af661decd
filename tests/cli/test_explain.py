"""`pilgrim explain`."""

import json

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.diagnostics.codes import all_codes


@pytest.mark.parametrize("code", ["PR601", "pr601"])
def test_a_code_is_explained_with_a_way_out(code, capsys):
    assert Exit.OK == run(["explain", code])
    out = capsys.readouterr().out
    assert out.startswith("PR601: unknown clause")
    assert "How to fix it" in out


def test_an_explanation_is_data_for_programs(capsys):
    assert Exit.OK == run(["explain", "PR601", "--format", "json"])
    assert {"code", "title", "severity", "means", "example", "fix"} == json.loads(capsys.readouterr().out).keys()


def test_without_a_code_all_are_listed(capsys):
    assert Exit.OK == run(["explain"])
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert [code.id for code in all_codes()] == listed
    assert Exit.OK == run(["explain", "--format", "json"])
    assert listed == [entry["code"] for entry in json.loads(capsys.readouterr().out)["codes"]]


@pytest.mark.parametrize("code", ["PR6O1", "XX", "", "\x1b[2J"])
def test_an_unknown_code_is_refused_with_a_hint(code, capsys):
    assert Exit.BAD_INPUT == run(["explain", code])
    err = capsys.readouterr().err
    assert "did you mean `PR601`?" in err or "lists all codes" in err
    assert "\x1b" not in err
