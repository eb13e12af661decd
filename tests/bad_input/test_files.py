"""Nothing is ever half written: a file holds the old text or the new one, and nothing else is left behind."""

import json
import os
from errno import ENOSPC

import pytest

import pilgrim_rules as pr
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.util import atomic_write
from tests.bad_input.answers import ask
from tests.bad_input.conftest import FILES, RULES

OLD = "what was there before\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Stand in a folder of one's own with the game in it, and a record of a play."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    trace = Trace.start(pr.load(tmp_path / "tracks.rules"), seed=1)
    trace.save(tmp_path / "game.json")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def full(monkeypatch):
    """Let the disk be full as soon as somebody makes sure that it is not."""

    def no_space(_handle):
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)


WRITING = {
    "replay --html": ["replay", "game.json", "--html", "out"],
    "prove --junit": ["prove", "tracks.rules", "--only", "forward*", "--no-cache", "--no-confirm", "-j", "1", "--junit", "out"],
    "prove --sarif": ["prove", "tracks.rules", "--only", "forward*", "--no-cache", "--no-confirm", "-j", "1", "--sarif", "out"],
    "fuzz --file": ["fuzz", "tracks.rules", "--games", "1", "--file", "out"],
}  # fmt: skip


@pytest.mark.parametrize("name", WRITING)
def test_a_command_that_cannot_write_leaves_the_old_file_and_says_so(here, full, name):
    (here / "out").write_text(OLD)
    before = sorted(here.iterdir())

    answer = ask(*WRITING[name])

    assert 2 == answer.code
    assert "No space left on device" in answer.err
    assert OLD == (here / "out").read_text()
    assert before == sorted(here.iterdir())


@pytest.mark.parametrize("name", WRITING)
def test_a_command_writes_the_whole_file(here, name):
    (here / "out").write_text(OLD)

    expected = Exit.UNSETTLED if name.startswith("prove") else Exit.OK  # one claim alone is proved on condition
    assert expected == ask(*WRITING[name]).code
    assert OLD not in (here / "out").read_text()


def test_rules_that_cannot_be_written_stay_as_they_are(here, full):
    loose = RULES.replace("    players 2..3", "      players   2..3")
    (here / "tracks.rules").write_text(loose)

    answer = ask("fmt", "tracks.rules")

    assert (2, loose) == (answer.code, (here / "tracks.rules").read_text())
    assert {*FILES, "game.json"} == {path.name for path in here.iterdir()}


def test_a_play_that_cannot_be_saved_goes_on(here, full):
    before = (here / "game.json").read_text()
    answer = ask("play", "tracks.rules", "--seed", "1", stdin=b"save game.json\n1\nquit\n")

    assert 0 == answer.code
    assert "cannot write `game.json`: No space left on device" in answer.out
    assert "ann to move" in answer.out
    assert before == (here / "game.json").read_text()


def test_writing_keeps_links_and_permissions(tmp_path):
    (tmp_path / "real").write_text(OLD)
    (tmp_path / "real").chmod(0o600)
    (tmp_path / "link").symlink_to("real")

    atomic_write.write(tmp_path / "link", "new")

    assert (tmp_path / "link").is_symlink()
    assert ("new", 0o600) == ((tmp_path / "real").read_text(), (tmp_path / "real").stat().st_mode & 0o777)


def test_what_is_no_plain_file_is_written_to():
    atomic_write.write("/dev/null", "gone")
    with pytest.raises(OSError, match="Is a directory"):
        atomic_write.write("/", "nothing")


def test_a_record_that_is_saved_twice_is_the_last_one(here):
    trace = Trace.start(pr.load("tracks.rules"), seed=1)
    trace.play(trace.state.moves()[0])
    trace.save("game.json")

    assert len(trace.steps) == len(json.loads((here / "game.json").read_text())["steps"])
