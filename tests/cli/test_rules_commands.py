"""The commands for whoever writes rules: check, print, coverage."""

import json

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.language import find_game

GAME = "noughts_and_crosses"


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "broken.rules"
    path.write_text("game broken\n    players 2..2\n\nstages\n    on by first_one\n    over nobody\n\nenum A: a, a\n")
    return path


def test_a_game_without_mistakes_is_fine(capsys):
    assert Exit.OK == run(["check", GAME])
    assert f"{GAME}: no mistakes\n" == capsys.readouterr().out


def test_without_a_game_all_are_checked(pebbles, monkeypatch, capsys):
    monkeypatch.setattr(find_game, "shipped", lambda: pebbles.parent)

    assert Exit.OK == run(["check"])
    assert "pebbles: no mistakes\n" == capsys.readouterr().out


def test_every_mistake_of_every_game_is_shown(broken, capsys):
    assert Exit.BAD_INPUT == run(["check", str(broken), "nosuchgame", GAME])
    out = capsys.readouterr().out

    assert "error[PR801]: there is no game `nosuchgame`" in out
    assert f"{broken}: 2 errors" in out
    assert f"{GAME}: no mistakes" in out


def test_mistakes_are_data_for_editors(broken, capsys):
    assert Exit.BAD_INPUT == run(["check", str(broken), "--format", "json"])
    report = json.loads(capsys.readouterr().out)

    assert [str(broken)] == report["games"]
    assert {"game", "code", "severity", "message", "file", "start", "end", "help"} <= report["diagnostics"][0].keys()


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"game", b"\x00" * 100, b"(" * 5000, b"game x\n\tplayers 2..1"]
)
def test_anything_at_all_gives_a_diagnosis(content, tmp_path, capsys):
    path = tmp_path / "x.rules"
    path.write_bytes(content)

    assert Exit.BAD_INPUT == run(["check", str(path)])
    assert "error[PR" in capsys.readouterr().out


@pytest.mark.parametrize("pass_", ["parse", "names", "types", "lower"])
def test_every_pass_can_be_printed(pass_, capsys):
    assert Exit.OK == run(["print", GAME, "--after", pass_])
    assert "mark" in capsys.readouterr().out
    assert Exit.OK == run(["print", GAME, "--after", pass_, "--format", "json"])
    json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("pass_", ["parse", "names", "types", "lower"])
def test_a_pass_of_broken_rules_gives_the_mistakes(pass_, tmp_path, capsys):
    (tmp_path / "x.rules").write_text("game ((")

    assert Exit.BAD_INPUT == run(["print", str(tmp_path / "x.rules"), "--after", pass_])
    assert "error[PR" in capsys.readouterr().err


def test_a_tree_shows_what_was_written(capsys):
    run(["print", GAME, "--after", "parse"])

    assert "    Game\n      name: noughts_and_crosses\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    [
        ["--players", "7"],
        ["--players", "0"],
        ["--players", "two"],
        ["--ruling", "nothing"],
        ["--ruling", "a=b"],
        ["--ruling", "a=b", "--ruling", "a=c"],
        ["--edition", "nowhere.toml"],
        ["--map", "/"],
        ["--after", "dinner"],
    ],
)
def test_options_that_make_no_sense_are_refused(options, capsys):
    assert Exit.BAD_INPUT == run(["print", GAME, *options])
    assert capsys.readouterr().err


def test_a_game_without_clauses_has_no_coverage(capsys):
    assert Exit.BAD_INPUT == run(["coverage", GAME])
    assert "names no clauses" in capsys.readouterr().err


def test_coverage_counts_what_is_traced(tmp_path, capsys):
    (tmp_path / "clauses.toml").write_text(
        '[[clause]]\nid = "SET-1"\nsection = "Setup"\nkind = "setup"\ntext = "There are some stones."\n'
        '[[clause]]\nid = "SET-2"\nsection = "Setup"\nkind = "setup"\ntext = "They are grey."\n'
    )
    (tmp_path / "pile.rules").write_text(
        'game pile\n    players 1..1 named ann\n    clauses "clauses.toml"\n\n'
        "stages\n    on by ann\n    over nobody\n\n"
        "state\n    stones : 0..3 = 3    cites SET-1\n\n"
        "action take\n    by ann\n    during on\n    require stones > 0\n    do\n"
        "        stones -= 1\n        if stones == 0: stage = over\n"
    )

    assert Exit.OK == run(["coverage", str(tmp_path / "pile.rules")])
    out = capsys.readouterr().out
    assert "They are grey" in out
    assert Exit.OK == run(["coverage", str(tmp_path / "pile.rules"), "--no-open"])
    assert "They are grey" not in capsys.readouterr().out
    assert Exit.OK == run(["coverage", str(tmp_path / "pile.rules"), "--format", "json"])
    whole = json.loads(capsys.readouterr().out)["all"]
    assert (["SET-1"], ["SET-2"]) == (whole["traced"], whole["open"])
