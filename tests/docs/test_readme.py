"""What the README prints is what one gets, and the guide for contributors leads somewhere."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from pilgrim_rules.cli.commands import ENTRIES
from pilgrim_rules.cli.main import cli, run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def test_the_python_session_runs_as_printed():
    session = re.search(r"```pycon\n(.*?)```", README, re.DOTALL)[1]
    test = doctest.DocTestParser().get_doctest(session, {}, "README", "README.md", 0)

    assert 0 == doctest.DocTestRunner(verbose=False).run(test).failed


@pytest.mark.parametrize("line", re.findall(r"^pilgrim .*$", README, re.MULTILINE))
def test_the_commands_exist_with_their_options(line):
    _, name, *words = shlex.split(line, comments=True)

    assert name in ENTRIES
    with cli.make_context("pilgrim", ["--"], resilient_parsing=True) as context:
        cli.get_command(context, name).make_context(name, words)  # it would raise


def test_the_make_targets_exist():
    targets = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE))

    assert set(re.findall(r"`?make ([a-z-]+)", README)) <= targets


def test_every_path_that_contributors_are_sent_to_exists():
    text, recipes = (ROOT / "docs" / "contributing.rst").read_text().split("\nRecipes\n")
    assert recipes  # what a recipe adds is there once the recipe has been followed, which has a test of its own
    paths = re.findall(r"``((?:pilgrim_rules|verifier|tests|docs|spec)/[^`*]*)``", text)

    assert [] == [path for path in paths if not (ROOT / path).exists()]


def test_the_table_of_games_is_what_the_command_prints(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    run(["games", "--figures"])

    assert capsys.readouterr().out.splitlines() == [line for line in README.splitlines() if line.startswith("|")]


def test_the_wrong_rule_is_answered_as_printed(tmp_path, capsys):
    text = (ROOT / "docs/learn/twenty_one.rules").read_text()
    (tmp_path / "wrong.rules").write_text(text.replace("count + n <= 21", "count + n <= 22"))
    run(["verify", str(tmp_path / "wrong.rules")])

    out = capsys.readouterr().out
    printed = re.search(r"```text\n(.*?)```", README, re.DOTALL)[1].splitlines()
    assert [] == [line for line in printed if line.strip() != "…" and line not in out]
