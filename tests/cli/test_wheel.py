"""The wheel: what is installed plays and verifies a shipped game, far from any checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Build the wheel and unpack it; return a function that runs the command from there."""
    folder = tmp_path_factory.mktemp("wheel")
    build = f"from hatchling.build import build_wheel; print(build_wheel({str(folder)!r}))"
    name = subprocess.run([sys.executable, "-c", build], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    with zipfile.ZipFile(folder / name.strip()) as wheel:
        wheel.extractall(folder / "site")
    environment = {**os.environ, "PYTHONPATH": str(folder / "site")}

    def pilgrim(*words, given=""):
        command = [sys.executable, *words]
        done = subprocess.run(
            command, cwd=folder, env=environment, input=given, capture_output=True, text=True, check=False
        )
        assert "" == done.stderr
        return done.returncode, done.stdout

    return pilgrim


def test_the_wheel_brings_its_games_along(installed):
    code, out = installed("-c", "from pilgrim_rules import specs; print(specs.shipped()); print(*specs.names())")

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
    code, out = installed("-m", "pilgrim_rules", "prove", "noughts_and_crosses", "--no-confirm")

    assert 0 == code, out
