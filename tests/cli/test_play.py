"""`pilgrim play`, with piped input."""

import io
import signal
import subprocess
import sys

import pytest

from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.cli.seats import Robots
from pilgrim_rules.engine.game import load
from pilgrim_rules.engine.trace import Trace

GAME = "noughts_and_crosses"


@pytest.fixture
def play(capsys, monkeypatch):
    def session(*lines, options=()):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = run(["play", GAME, "--seed", "1", *options])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out

    return session


@pytest.mark.parametrize("word", ["quit", "exit", "q"])
def test_a_player_may_leave_at_once(play, word):
    code, out = play(word)

    assert Exit.OK == code
    assert "cross to move (playing)" in out


def test_the_end_of_the_input_ends_the_session(play):
    assert Exit.OK == play()[0]


def test_a_whole_game_is_played_by_numbers_and_by_text(play):
    code, out = play("1", "place((2, 1))", "1", "place((2, 2))", "place((1, 3))", "quit")

    assert Exit.OK == code
    assert "The game is over. cross wins." in out
    assert "Three in a row" in out


def test_a_refused_move_is_explained_and_changes_nothing(play):
    _, out = play("place((1, 1))", "place((1, 1))", "why place((1, 1))", "why place((1, 2))")

    assert 2 == out.count("  the square is taken")
    assert "it is allowed" in out
    assert 1 == out.count("nought to move")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("99", "there is no move 99: choose 1 to 9"),
        ("0", "there is no move 0"),
        ("9" * 5000, "there is no move 999999999"),
        ("plaec((1, 1))", "did you mean `place`?"),
        ("place", "needs `square`"),
        ("place((1, 9))", "is not a value of"),
        ("why", "wants something behind it"),
        ("why nonsense((", "a move is spelled like"),
        ("save", "wants something behind it"),
        ("save /nowhere/at/all.json", "cannot write `/nowhere/at/all.json`"),
        ("load /nowhere/at/all.json", "cannot read `/nowhere/at/all.json`"),
        ("undo", "there is no decision of yours to undo"),
        ("help", "every reason why a move is not allowed"),
        ("moves", "9 place((3, 3))"),
        ("[bold]x[/nonsense]", "a move is spelled like"),
    ],
)
def test_every_line_gets_an_answer(line, says, play):
    code, out = play(line)

    assert Exit.OK == code
    assert says in " ".join(out.split())


def test_undo_takes_back_the_last_decision_of_a_person(play):
    _, out = play("1", "undo", "board", options=["--seat", "nought=random"])

    assert out.rstrip().endswith("cross>")
    assert 3 == out.count("free 9") + out.count("free 7") - 1


def test_a_game_is_saved_and_taken_up_again(play, tmp_path):
    path = tmp_path / "game.json"
    play("5", f"save {path}")
    code, out = play(f"load {path}")

    assert Exit.OK == code
    assert "nought to move" in out
    assert 2 == len(Trace.load(path).replay().states)


def test_a_record_saved_after_an_undo_ends_where_the_player_stands(play, tmp_path):
    path = tmp_path / "game.json"
    play("5", "1", "undo", f"save {path}")

    assert 1 == len(Trace.load(path).replay())


def test_a_damaged_record_is_refused(play, tmp_path):
    path = tmp_path / "game.json"
    path.write_text('{"format": "pilgrim-rules/trace/1", "game": 7}')

    assert "does not say which game" in play(f"load {path}")[1]


@pytest.mark.parametrize("seat", ["random", "greedy"])
def test_robots_play_to_the_end_by_themselves(play, seat):
    code, out = play(options=["--seat", f"cross={seat}", "--seat", f"nought={seat}"])

    assert Exit.OK == code
    assert "The game is over." in out


def test_the_same_seed_gives_the_same_game(play):
    options = ["--seat", "cross=random", "--seat", "nought=greedy"]

    assert play(options=options) == play(options=options)


@pytest.mark.parametrize("given", ["crss=random", "cross=clever", "cross", "=", ""])
def test_a_seat_that_makes_no_sense_is_refused(play, given):
    assert Exit.BAD_INPUT == play(options=["--seat", given])[0]


def test_a_greedy_player_takes_the_victory():
    state = load(GAME).start().play("place((1, 1))", "place((2, 1))", "place((1, 2))", "place((2, 2))")

    assert {"place((1, 3))"} == {Robots(seed).choose("greedy", state) for seed in range(5)}


def test_ctrl_c_leaves_quietly():
    command = [sys.executable, "-m", "pilgrim_rules", "play", GAME]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while process.stdout.read(1) != b">":  # the prompt
            pass
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=10)

    assert (130, b"") == (process.returncode, err)
