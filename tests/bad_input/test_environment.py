"""Surroundings that are not as they should be: a cache that is none, a terminal that is none, a reader who has gone."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.bad_input.answers import ask, judge
from tests.support.progress import without_progress

COMMAND = [sys.executable, "-m", "pilgrim_rules"]


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


@pytest.fixture
def command(shelf, tmp_path):
    """Return a function that runs a command as a process of its own, in surroundings that it is given."""

    def run(*args, env=None, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=shelf, **more):
        surroundings = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(Path.cwd()), **(env or {})}
        if "HOME" not in (env or {}):  # a parser that was made before, unless it matters where it is kept
            surroundings.setdefault("PILGRIM_CACHE", os.environ["PILGRIM_CACHE"])
        done = subprocess.run(
            [*COMMAND, *args], env=surroundings, stdout=stdout, stderr=subprocess.PIPE, stdin=stdin, cwd=cwd, timeout=120,
            check=False, **more,
        )  # fmt: skip
        return Ended(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())

    return run


def a_file(folder):
    (folder / "cache").write_text("no folder")
    return {"PILGRIM_CACHE": str(folder / "cache")}


def forbidden(folder):
    (folder / "cache").mkdir(mode=0o500)
    return {"PILGRIM_CACHE": str(folder / "cache" / "deeper")}


SURROUNDINGS = {
    "a cache that is a file": a_file,
    "a cache that cannot be written": forbidden,
    "a cache in a device": lambda _: {"PILGRIM_CACHE": "/dev/null/x"},
    "a cache of no name": lambda _: {"PILGRIM_CACHE": "a" * 5000},
    "no home": lambda _: {"HOME": "/nonexistent", "XDG_CACHE_HOME": "relative"},
    "no columns": lambda _: {"COLUMNS": "0", "LINES": "0"},
    "columns that are no number": lambda _: {"COLUMNS": "wide", "TERM": "none"},
    "fewer columns than none": lambda _: {"COLUMNS": "-5", "NO_COLOR": "1"},
    "a terminal that is none": lambda _: {"TERM": "dumb", "FORCE_COLOR": "1", "COLUMNS": "3"},
    "a language that does not exist": lambda _: {"LC_ALL": "xx_XX.none", "LANG": "xx"},
    "no letters but those of ASCII": lambda _: {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    "folders of games that do not exist": lambda _: {
        "PILGRIM_SPEC": f"/nonexistent{os.pathsep}/dev/null{os.pathsep}\udcff"
    },
}


#: The rest are asked for among the slow tests: each is a process of its own.
FIRST = {"a cache that is a file", "no columns", "no letters but those of ASCII"}


@pytest.mark.parametrize(
    "name", [name if name in FIRST else pytest.param(name, marks=pytest.mark.slow) for name in SURROUNDINGS]
)
def test_a_game_can_be_played_wherever_it_is(command, tmp_path, name):
    env = SURROUNDINGS[name](tmp_path)
    answer = command("moves", "tracks.rules", "roll(2)", env=env)

    judge(answer, ["moves"])
    assert 0 == answer.code


def test_a_game_is_shown_in_letters_that_a_terminal_lacks(command):
    env = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    answer = command("play", "tracks.rules", "--seat", "red=random", "--seat", "ann=random", env=env)

    judge(answer, ["play"])
    assert 0 == answer.code


def test_a_damaged_cache_is_as_good_as_none(command, tmp_path):
    env = {"PILGRIM_CACHE": str(tmp_path / "cache")}
    first = command("moves", "tracks.rules", env=env)
    kept = list((tmp_path / "cache").iterdir())
    for at, path in enumerate(kept):
        data = path.read_bytes()
        path.write_bytes([data[: len(data) // 2], b"\xff" * 100, b""][at % 3])

    assert kept
    assert first == command("moves", "tracks.rules", env=env)
    assert 0 == first.code


@pytest.mark.parametrize(
    "words", ["vectors tracks.rules -n 50", "play tracks.rules --seat red=random --seat ann=random"]
)
def test_a_reader_who_has_gone_is_no_mistake(command, words):
    read, write = os.pipe()
    os.close(read)
    answer = command(*words.split(), stdout=write)
    os.close(write)

    assert (141, "") == (answer.code, without_progress(answer.err))


ASKED = ["check tracks.rules", "moves tracks.rules", "--help", "games", "play tracks.rules"]
CLOSED = {"output": [1], "input": [0], "everything": [0, 1, 2]}


@pytest.mark.parametrize(
    ("asked", "closed"),
    [
        ("moves tracks.rules", "output"),
        ("play tracks.rules", "input"),
        ("check tracks.rules", "everything"),
        *(pytest.param(asked, closed, marks=pytest.mark.slow) for asked in ASKED for closed in CLOSED),
    ],
)
def test_closed_doors_are_no_reason_for_a_traceback(command, asked, closed):
    answer = command(*asked.split(), stdout=None, preexec_fn=lambda: [os.close(each) for each in CLOSED[closed]])

    assert answer.code in (0, 2, 141)
    assert "Traceback" not in answer.err
    assert "internal error" not in answer.err


def test_a_full_disk_is_said_in_a_line(command):
    with Path("/dev/full").open("wb") as full:
        answer = command("moves", "tracks.rules", stdout=full)

    assert 2 == answer.code
    assert "No space left on device" in answer.err
    assert 1 == without_progress(answer.err).count("\n")


def test_a_folder_that_is_gone_is_no_reason_for_a_traceback(command, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    answer = command("check", "/dev/null", cwd=gone, preexec_fn=gone.rmdir)

    judge(answer, ["check"])


@pytest.mark.parametrize("place", ["x" * 9000, "/proc/1/fd"], ids=["long", "forbidden"])
def test_folders_of_games_that_cannot_be_read_are_passed_over(shelf, monkeypatch, place):
    monkeypatch.setenv("PILGRIM_SPEC", f"{place}{os.pathsep}{shelf}")

    assert {"nim", "tracks"} <= set(ask("games").out.split())
