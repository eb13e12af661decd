"""Progress: a line at once, one every few seconds and one at the end, if somebody asks for it."""

import time
from itertools import count

from pilgrim_rules.cli import progress
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.cli.output import note_output


def test_nothing_is_shown_where_there_is_no_terminal_and_nobody_asks(pebbles, capsys):
    run(["verify", "pebbles", "--games", "2", "--no-cache"])

    assert "" == capsys.readouterr().err


def test_lines_of_progress_are_written_if_they_are_asked_for(pebbles, capsys, monkeypatch):
    """By a clock of our own, which goes on by three seconds whenever somebody looks at it."""
    clock = count(step=3)
    monkeypatch.setattr(progress, "monotonic", lambda: next(clock))

    run(["verify", "pebbles", "--games", "2", "--no-cache", "--progress"])
    lines = capsys.readouterr().err.splitlines()
    assert "pebbles, rules …" == lines[0]
    titles = ["pebbles, rules", "pebbles, proofs", "pebbles, search", "pebbles, play"]
    assert [f"{title} …" for title in titles] == [line for line in lines if line.endswith("…")]
    assert any(line.startswith("pebbles, proofs: ") and " of " in line and ", pebbles." in line for line in lines)
    assert lines[-1].startswith("pebbles, play: ")
    assert "done in" in lines[-1]


def test_prove_shows_progress_too(pebbles, capsys):
    assert Exit.OK == run(["prove", "pebbles", "--only", "can_happen*", "--no-cache", "--progress"])
    assert "pebbles, proofs …" == capsys.readouterr().err.splitlines()[0]


def test_check_shows_progress_too(pebbles, capsys):
    assert Exit.OK == run(["check", "pebbles", "--progress"])
    assert "pebbles, check …" == capsys.readouterr().err.splitlines()[0]


def test_who_waits_is_told_for_what(pebbles, capsys, monkeypatch):
    monkeypatch.setattr(progress.PATIENCE, "seconds", 0.0)

    assert Exit.OK == run(["check", "pebbles"])

    assert "pebbles, check …" in capsys.readouterr().err


def test_a_command_without_progress_of_its_own_says_what_it_does(capsys, monkeypatch):
    monkeypatch.setattr(progress.PATIENCE, "seconds", 0.0)
    monkeypatch.setattr(progress, "has_spoken", lambda: False)

    with progress.announced("pilgrim cores well"):
        time.sleep(0.2)

    assert "pilgrim cores well …\n" == capsys.readouterr().err


def test_nothing_is_announced_after_something_was_said(capsys, monkeypatch):
    monkeypatch.setattr(progress.PATIENCE, "seconds", 0.0)
    note_output()

    with progress.announced("pilgrim cores well"):
        time.sleep(0.2)

    assert "" == capsys.readouterr().err
