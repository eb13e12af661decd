"""`pilgrim play`, with piped input."""

import io
import os
import re
import signal
import subprocess
import sys

import pytest

from pilgrim_rules.api.game import load
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run
from pilgrim_rules.cli.seats import Robots
from tests.support.progress import without_progress


@pytest.fixture
def play(pebbles, capsys, monkeypatch):
    def session(*lines, options=()):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = run(["play", "pebbles", "--seed", "1", *options])
        captured = capsys.readouterr()
        assert "" == captured.err
        return code, captured.out

    return session


@pytest.mark.parametrize("word", ["quit", "exit", "q"])
def test_a_player_may_leave_at_once(play, word):
    code, out = play(word)

    assert Exit.OK == code
    assert "ann to move (playing)" in out


def test_the_end_of_the_input_ends_the_session(play):
    assert Exit.OK == play()[0]


def test_a_whole_game_is_played_by_numbers_and_by_text(play):
    code, out = play("2", "take(red)", "take(blue, n=2)", "take(blue)", "quit")

    assert Exit.OK == code
    assert "The game is over. ann wins." in out
    assert ["Total", "6", "3"] == out.splitlines()[-2].split()


def test_whoever_goes_on_is_shown_what_has_changed_and_the_whole_on_request(play):
    _, out = play("1", "board", options=["--seat", "bob=random"])

    first, after = out.split("bob (random): ")
    assert "────" in first
    assert " → " in after.partition("ann to move")[0]
    assert "────" not in after.partition("ann to move")[0]
    assert "────" in after.partition("ann to move")[2]


def test_a_refused_move_is_explained_and_changes_nothing(play):
    _, out = play("take(red, 3)", "why take(red, 3)", "why take(red, 2)")

    assert 2 == out.count("  no more than two at once")
    assert "it is allowed" in out
    assert 1 == out.count("ann to move")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("99", "there is no move 99: choose 1 to 4"),
        ("0", "there is no move 0"),
        ("9" * 5000, "there is no move 999999999"),
        ("taek(red)", "did you mean `take`?"),
        ("take", "needs `bowl`"),
        ("take(green)", "is not a value of"),
        ("why", "needs an argument"),
        ("why nonsense((", "a move is spelled like"),
        ("save", "needs an argument"),
        ("save /nowhere/at/all.json", "cannot write `/nowhere/at/all.json`"),
        ("load /nowhere/at/all.json", "cannot read `/nowhere/at/all.json`"),
        ("undo", "there is no decision of yours to undo"),
        ("help", "every reason why a move is not allowed"),
        ("moves", "4 take(blue, 2)"),
        ("[bold]x[/nonsense]", "a move is spelled like"),
    ],
)
def test_every_line_gets_an_answer(line, says, play):
    code, out = play(line)

    assert Exit.OK == code
    assert says in " ".join(out.split())


@pytest.mark.parametrize(("line", "others"), [("take", 4), ("take(blue", 2), ("take(blue, ?", 2), ("taek", 0)])
def test_of_a_move_that_is_begun_it_is_listed_how_it_may_go_on(line, others, play):
    _, out = play(line)
    answer = out.partition("ann> ")[2]

    assert others == len(re.findall(r"\n  \d take\(", answer))
    assert others == 0 or "4 take(blue, 2)" in answer


def test_undo_takes_back_the_last_decision_of_a_person(play):
    _, out = play("1", "undo", options=["--seat", "bob=random"])
    first, second, third = out.split("ann> ")[0:3]

    assert "bob (random): take" in second
    assert first.splitlines()[2:] == third.splitlines()


def test_a_game_is_saved_and_taken_up_again(play, tmp_path):
    path = tmp_path / "game.json"
    play("1", f"save {path}")
    code, out = play(f"load {path}")

    assert Exit.OK == code
    assert "bob to move" in out


def test_a_record_saved_after_an_undo_ends_where_the_player_stands(play, tmp_path):
    path = tmp_path / "game.json"
    play("1", "1", "undo", f"save {path}")

    assert ["roll(blue)", "take(red)"] == [str(step.move) for step in Trace.load(path).replay().steps]


def test_a_damaged_record_is_refused(play, tmp_path):
    path = tmp_path / "game.json"
    path.write_text('{"format": "pilgrim-rules/trace/1", "game": 7}')

    assert "does not say which game" in play(f"load {path}")[1]


@pytest.mark.parametrize("seat", ["random", "greedy"])
def test_robots_play_to_the_end_by_themselves(play, seat):
    code, out = play(options=["--seat", f"ann={seat}", "--seat", f"bob={seat}"])

    assert Exit.OK == code
    assert "The game is over." in out


def test_the_same_seed_gives_the_same_game(play):
    options = ["--seat", "ann=random", "--seat", "bob=greedy"]

    assert play(options=options) == play(options=options)


@pytest.mark.parametrize("given", ["anne=random", "ann=clever", "ann", "=", ""])
def test_a_seat_that_makes_no_sense_is_refused(pebbles, given, capsys):
    assert Exit.BAD_INPUT == run(["play", "pebbles", "--seat", given])
    assert "--seat" in capsys.readouterr().err


def test_a_greedy_player_takes_what_counts_most(pebbles):
    state = load("pebbles").start().play("roll(blue)")

    assert {"take(blue, 2)"} == {Robots(seed).choose("greedy", state) for seed in range(5)}


def test_a_contradiction_in_the_rules_is_told_and_changes_nothing(pebbles, play):
    pebbles.write_text(pebbles.read_text().replace("held[Player, Bowl] : 0..3 = 0", "held[Player, Bowl] : 0..1 = 0"))
    code, out = play("take(red, 2)")

    assert "the rules contradict themselves" in out
    assert Exit.REFUTED == code


def test_ctrl_c_leaves_quietly(pebbles):
    command = [sys.executable, "-m", "pilgrim_rules", "play", "pebbles"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # Whoever runs the tests in the background has the signal ignored, and a child would inherit that.
    listen = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    with subprocess.Popen(command, env={**os.environ, "PYTHONUNBUFFERED": "1"}, **pipes, **listen) as process:
        while process.stdout.read(1) not in {b">", b""}:  # the prompt
            pass
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=300)

    assert (130, "") == (process.returncode, without_progress(err.decode()))


def test_an_outcome_that_is_hidden_is_not_told(pebbles, play):
    pebbles.write_text(pebbles.read_text().replace("lucky : Bowl? = none", "lucky : Bowl? hidden = none"))
    _, out = play()

    assert "chance: roll, hidden" in out
    assert "lucky ?" in out


# ------------------------------------------------------------------------------------------------------------ secrets

BIDS = """\
game bids "Bids"
    players 2..3 named ann, bob, cat

stages
    bidding by turn
    over nobody

state
    turn        : Player = ann
    bid[Player] : 0..9 private until over = 0
    luck        : 0..9 hidden = 4

action offer(n: 1..9)
    ## Each player writes down a number.
    do
        bid[turn] = n
        if next(turn) == ann:
            stage = over
        else:
            turn = next(turn)

score of p
    line "Bid" bid[p]
rank p by score desc

figure table "The table"
    canvas Player
    pieces bid[p] at p for p in Player by p
"""


@pytest.fixture
def bid(tmp_path, capsys, monkeypatch):
    path = tmp_path / "bids.rules"
    path.write_text(BIDS)

    def session(*lines, options=()):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        run(["play", str(path), "--seed", "1", *options])
        return capsys.readouterr().out

    return session


def test_a_secret_move_is_not_told_to_the_others(bid):
    out = bid("offer(7)", "", "board")
    after = out.split("press Enter")[1]

    assert "offer, hidden" in after
    assert "7" not in after.replace("7 offer(7)", "")


def test_another_person_is_asked_to_come_before_anything_is_shown(bid):
    out = bid("offer(7)")

    assert "bob: press Enter when only you can see the screen" in out
    assert 1 == out.count("to move (bidding)")


def test_the_board_shows_the_own_secrets_and_question_marks_for_the_others(bid):
    out = bid("quit", options=["--players", "3", "--seat", "ann=random", "--seat", "cat=random"])

    assert "ann (random): offer, hidden" in out
    assert "A?" in out
    assert "C?" in out
    assert "B?" not in out


def test_everybody_is_told_of_every_move_however_many_people_play(bid):
    out = bid("offer(7)", "", "offer(5)", "", options=["--players", "3"])

    third = out.split("press Enter")[2]
    assert "ann: offer, hidden" in third
    assert "bob: offer, hidden" in third


def test_a_greedy_player_does_not_judge_by_what_is_hidden(bid):
    """The best offer can be told only from numbers that others wrote down, so any is as good as another."""
    seats = ["--seat", "ann=greedy", "--seat", "bob=greedy"]

    assert {"9"} != {re.findall(r"Bid +(\d)", bid(options=[*seats, "--seed", str(seed)]))[0] for seed in range(6)}


def test_there_is_no_handing_over_where_nothing_is_hidden(play):
    assert "press Enter" not in play("1", "1")[1]
