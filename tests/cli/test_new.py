"""`pilgrim new`: the folder it makes passes its own CI at once."""

import os
import shlex
import subprocess
import sys

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run

COMMANDS = {"sphinx-build": "sphinx", "pilgrim": "pilgrim_rules", "pytest": "pytest"}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("new") / "dash"
    assert Exit.OK == run(["new", "dash", str(folder), "--title", "The Dash"])
    return folder


def test_every_command_of_its_makefile_succeeds(made):
    lines = [line.strip() for line in (made / "Makefile").read_text().splitlines() if line.startswith("\t")]
    for line in lines:
        program, *words = shlex.split(line)
        done = subprocess.run(
            [sys.executable, "-m", COMMANDS[program], *words],
            cwd=made, env=os.environ, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert 0 == done.returncode, f"{line}\n{done.stdout}\n{done.stderr}"

    assert 7 == len(lines)
    assert "| " in (made / "summary.md").read_text()
    assert "The Dash" in (made / "docs/_build/index.html").read_text()


def test_its_workflow_calls_the_makefile(made):
    assert "- run: make\n" in (made / ".github/workflows/rules.yml").read_text()


def test_nothing_that_exists_is_overwritten(made, capsys):
    (made / "README.md").write_text("mine")

    assert Exit.BAD_INPUT == run(["new", "dash", str(made)])
    assert "exists already; nothing was written" in capsys.readouterr().err
    assert "mine" == (made / "README.md").read_text()


@pytest.mark.parametrize("name", ["Dash", "1st", "../x", "a b", "", "a-b"])
def test_a_bad_name_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert Exit.BAD_INPUT == run(["new", name])
    assert [] == list(tmp_path.iterdir())


def test_a_share_of_clauses_can_be_asked_for(made, capsys):
    clauses = made / "spec/dash/data/clauses.toml"
    more = '\n[[clause]]\nid = "END-3"\nsection = "End"\nkind = "note"\ntext = "Shake hands."\n'
    clauses.write_text(clauses.read_text() + more)

    assert Exit.REFUTED == run(["coverage", str(made / "spec/dash"), "--at-least", "100"])
    assert Exit.OK == run(["coverage", str(made / "spec/dash"), "--at-least", "85"])
    assert Exit.REFUTED == run(["coverage", str(made / "spec/dash"), "--at-least", "85", "--complete"])
