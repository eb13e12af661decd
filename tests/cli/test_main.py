"""The command as a whole: the overview, the guard around it and its exit codes."""

import os
import signal
import subprocess
import sys

import click
import pytest

from pilgrim_rules.cli import commands, games, main
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.options import Reporting, format_option
from pilgrim_rules.diagnostics.bag import Diagnostic, RulesError
from pilgrim_rules.diagnostics.codes import PR801

PILGRIM = [sys.executable, "-m", "pilgrim_rules"]


@pytest.fixture
def trial(monkeypatch):
    """Put a command `trial` in place of `games` that raises or returns what the test wants."""

    def install(outcome):
        @click.command(cls=Reporting)
        @format_option
        def command(*, as_json):
            if isinstance(outcome, BaseException):
                raise outcome
            return outcome

        monkeypatch.setattr(games, "games", command)

    return install


def test_the_overview_names_every_command(capsys):
    assert Exit.OK == main.run(["--help"])
    out = capsys.readouterr().out

    assert [] == [name for name in commands.ENTRIES if f"  {name} " not in out]


def test_the_overview_imports_no_command():
    code = "import sys; from pilgrim_rules.cli.main import run; run(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert not {"lark", "networkx", "rich", "z3", "pilgrim_rules.engine", "verifier"} & set(done.stderr.split())


def test_the_version_is_printed(capsys):
    assert Exit.OK == main.run(["--version"])
    assert capsys.readouterr().out.startswith("pilgrim-rules 0.")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["chekc"], "did you mean `check`?"),
        (["qqqq"], "`pilgrim --help` lists the commands"),
        (["games", "--nosuch"], "--nosuch"),
        (["games", "--format", "xml"], "xml"),
        (["--nosuch"], "--nosuch"),
    ],
)
def test_a_bad_command_line_is_explained(args, says, capsys):
    assert Exit.BAD_INPUT == main.run(args)
    assert says in capsys.readouterr().err


def test_a_mistake_of_the_user_is_shown_as_a_frame(trial, capsys):
    trial(RulesError((Diagnostic(PR801, "there is no game `x`", None, "try y"),), {}))

    assert Exit.BAD_INPUT == main.run(["games"])
    assert "error[PR801]: there is no game `x`" in capsys.readouterr().err


def test_a_mistake_of_the_user_is_json_for_programs(trial, capsys):
    trial(RulesError((Diagnostic(PR801, "there is no game `x`", None),), {}))

    assert Exit.BAD_INPUT == main.run(["games", "--format", "json"])
    assert '"code": "PR801"' in capsys.readouterr().out


def test_the_exit_code_of_a_command_is_passed_on(trial):
    trial(Exit.UNSETTLED)

    assert 3 == main.run(["games"])


def test_a_bug_is_reported_without_a_traceback(trial, capsys, monkeypatch):
    monkeypatch.delenv("PILGRIM_DEBUG", raising=False)
    trial(ZeroDivisionError("oops"))

    assert Exit.INTERNAL == main.run(["games"])
    err = capsys.readouterr().err
    assert "internal error: ZeroDivisionError: oops" in err
    assert "Traceback" not in err


def test_a_bug_shows_its_traceback_when_asked(trial, capsys, monkeypatch):
    monkeypatch.setenv("PILGRIM_DEBUG", "1")
    trial(ZeroDivisionError("oops"))

    assert Exit.INTERNAL == main.run(["games"])
    assert "Traceback" in capsys.readouterr().err


def test_ctrl_c_ends_quietly(trial, capsys):
    trial(KeyboardInterrupt())

    assert 130 == main.run(["games"])
    assert "Traceback" not in capsys.readouterr().err


def test_a_command_whose_libraries_are_missing_says_how_to_install_them(monkeypatch, capsys):
    monkeypatch.setattr(commands, "find_spec", {}.get)

    assert Exit.BAD_INPUT == main.run(["prove"])
    assert "pip install 'pilgrim-rules[verify]'" in capsys.readouterr().err
    assert Exit.OK == main.run(["--help"])
    assert "  prove " not in capsys.readouterr().out


def test_a_reader_who_leaves_early_is_no_error():
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*PILGRIM, "--help"], stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)

    assert ("", 128 + signal.SIGPIPE) == (done.stderr, done.returncode)


def test_the_games_are_listed(capsys, tmp_path, monkeypatch):
    (tmp_path / "pebbles.rules").write_text("")
    monkeypatch.setenv("PILGRIM_SPEC", str(tmp_path))

    assert Exit.OK == main.run(["games"])
    assert f"pebbles{'':2}" in capsys.readouterr().out
    assert Exit.OK == main.run(["games", "--format", "json"])
    assert '"name": "pebbles"' in capsys.readouterr().out
