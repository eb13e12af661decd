"""The wheel: what is installed plays and verifies a shipped game, far from any checkout."""

import os
import subprocess
import sys

import pytest

from tests.support.progress import without_progress


@pytest.fixture
def installed(wheel_site):
    """Return a function that runs Python with the wheel alone, far from the checkout."""
    environment = {**os.environ, "PYTHONPATH": str(wheel_site)}

    def pilgrim(*words, given=""):
        command = [sys.executable, *words]
        done = subprocess.run(
            command, cwd=wheel_site.parent, env=environment, input=given, capture_output=True, text=True, check=False
        )
        assert "" == without_progress(done.stderr)
        return done.returncode, done.stdout

    return pilgrim


def test_the_wheel_brings_its_games_along(installed):
    code, out = installed(
        "-c", "from pilgrim_rules.language import find_game; print(find_game.shipped()); print(*find_game.names())"
    )

    assert 0 == code
    assert "site/pilgrim_rules/_spec\n" in out
    assert "noughts_and_crosses" in out


def test_the_wheel_has_nothing_but_the_two_packages(installed):
    _, out = installed("-c", "import os; print(*sorted(os.listdir('site')))")

    assert ["pilgrim_rules", "verifier"] == [name for name in out.split() if not name.endswith(".dist-info")]


def test_an_installed_game_is_played(installed):
    seats = ["--seat", "cross=random", "--seat", "nought=greedy"]
    code, out = installed("-m", "pilgrim_rules", "play", "noughts_and_crosses", *seats)

    assert 0 == code
    assert "The game is over." in out


def test_an_installed_game_is_verified(installed):
    code, out = installed("-m", "pilgrim_rules", "prove", "nim", "--no-confirm")

    assert 0 == code, out


def test_an_installed_library_reads_the_tables_of_the_parser(installed):
    program = (
        "import os; os.environ['PILGRIM_CACHE'] = ''\n"
        "from pilgrim_rules.language.syntax import grammar\n"
        "def made(text): raise AssertionError('the tables are there')\n"
        "grammar._made = made\n"
        "from pilgrim_rules import load\n"
        "print(load('nim').name)\n"
    )

    assert (0, "nim\n") == installed("-c", program)
