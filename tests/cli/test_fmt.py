"""`pilgrim fmt`."""

import io
import json

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run

UNTIDY = "game   x\n    players 2..2   named a,b\n\n\n\nenum E:p,q   ## letters\n"


@pytest.fixture
def untidy(tmp_path):
    path = tmp_path / "x.rules"
    path.write_text(UNTIDY)
    path.chmod(0o640)
    return path


def test_a_file_is_put_in_order_once(untidy, capsys):
    assert Exit.OK == run(["fmt", str(untidy)])
    assert f"{untidy}: formatted\n1 file, 1 changed\n" == capsys.readouterr().out
    assert "## letters" in untidy.read_text()
    assert 0o640 == untidy.stat().st_mode & 0o777
    assert [untidy] == list(untidy.parent.iterdir())
    assert Exit.OK == run(["fmt", str(untidy)])
    assert "1 file, 0 changed\n" == capsys.readouterr().out


def test_check_changes_nothing(untidy, capsys):
    assert Exit.REFUTED == run(["fmt", "--check", str(untidy)])
    assert UNTIDY == untidy.read_text()
    assert f"{untidy}: not in canonical layout\n1 file, 1 to change\n" == capsys.readouterr().out
    run(["fmt", str(untidy)])
    assert Exit.OK == run(["fmt", "--check", str(untidy)])


def test_the_report_is_data_for_programs(untidy, capsys):
    assert Exit.REFUTED == run(["fmt", "--check", str(untidy), "--format", "json"])
    assert [str(untidy)] == json.loads(capsys.readouterr().out)["changed"]


def test_a_file_with_a_mistake_stays_as_it_is_and_the_others_are_done(untidy, capsys):
    bad = untidy.with_name("bad.rules")
    bad.write_text("game ((")

    assert Exit.BAD_INPUT == run(["fmt", str(untidy.parent)])
    assert "error[PR" in capsys.readouterr().err
    assert "game ((" == bad.read_text()
    assert UNTIDY != untidy.read_text()


def test_standard_input_goes_to_standard_output(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(UNTIDY.encode())))

    assert Exit.OK == run(["fmt", "-"])
    assert capsys.readouterr().out.startswith("game x\n")


def test_standard_input_must_be_text(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe")))

    assert Exit.BAD_INPUT == run(["fmt", "-"])
    assert "not text" in capsys.readouterr().err


@pytest.mark.parametrize("names", [["-", "nim"], ["nosuchgame"], ["/nowhere/x.rules"]])
def test_names_that_make_no_sense_are_refused(names, capsys):
    assert Exit.BAD_INPUT == run(["fmt", *names])
    assert capsys.readouterr().err
