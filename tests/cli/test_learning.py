"""What `pilgrim play` does for somebody who is learning the game."""

import io

import pytest
from rich.console import Console

from pilgrim_rules.api.game import load
from pilgrim_rules.cli.main import run
from pilgrim_rules.cli.terminal_views import state_tables
from pilgrim_rules.core.live_variables import live_variables

SETUP = """\
game setup
    players 2..2 named ann, bob
stages
    dealing chance
    playing by turn
    over nobody
state
    dealt : 0..3 = 0
    card[Player] : 0..9 = 0
    hand[1..4] : 0..9 = 0
    turn : Player = ann
    back : Stage = playing
chance deal(n: 1..2)
    ## A number is drawn.
    during dealing
    require dealt < 3
    do
        dealt += 1
        card[ann] = n
        if dealt == 2:
            stage = back
action take(at: 1..4)
    ## Take what lies there.
    by turn
    during playing
    require hand[at] == 0 else "it is taken"
    do
        hand[at] = card[turn] + 1
        turn = next(turn)
action stop
    by turn
    during playing
    do
        stage = over
"""


@pytest.fixture
def path(tmp_path, monkeypatch):
    (tmp_path / "setup.rules").write_text(SETUP)
    return tmp_path / "setup.rules"


@pytest.fixture
def play(path, capsys, monkeypatch):
    def session(*lines):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        run(["play", str(path), "--seed", "1"])
        captured = capsys.readouterr()
        assert "" == captured.err
        return captured.out

    return session


def test_moves_stand_under_their_action_and_what_it_is(play):
    lines = [line.rstrip() for line in play("quit").splitlines()]

    assert "take  Take what lies there." in lines
    assert "1 take(1)" in lines[lines.index("take  Take what lies there.") + 1]
    assert any(line.startswith("stop  ") for line in lines)


def test_a_rule_is_told_step_by_step(play):
    out = play("info take", "info take(2)")

    assert 2 == out.count("\n  You need\n    1. ")


def test_a_rule_that_does_not_exist_is_not_told(play):
    assert "the game has no action `taek`; did you mean `take`?" in play("info taek")


def test_info_wants_the_name_of_an_action(play):
    assert "`info` needs an argument" in play("info")


def test_the_deals_of_a_set_up_are_told_together(play):
    told = [line for line in play("quit").splitlines() if line.startswith("  chance: ")]

    assert 1 == len(told)
    assert told[0].startswith("  chance: deal: ")


def test_the_bookkeeping_of_the_set_up_is_not_shown_when_it_is_over(play, path):
    assert "dealt" not in play("board", "quit")
    core = load(path).core
    stages = {stage.name: stage.code for stage in core.stages}
    assert "dealt" in live_variables(core, stages["dealing"])
    assert {"card", "hand", "turn", "stage"} == live_variables(core, stages["playing"])


def drawn(path, *, width=100, before=(), moves=()):
    game = load(path)
    start = game.start(1)
    now, old = start.play(*before, *moves), start.play(*before)
    out = io.StringIO()
    views = (now.view(None), start.view(None))
    shown = state_tables(game.core.variables, *views, before=old.view(None), width=width)
    Console(file=out, width=width, force_terminal=True, color_system="standard", highlight=False).print(shown)
    return out.getvalue()


def test_what_has_changed_since_the_last_look_stands_out(path):
    yellow = "\x1b[1;33m"

    assert yellow not in drawn(path)
    assert f"{yellow}bob" in drawn(path, moves=["take(2)"])
    assert 2 == drawn(path, before=["take(2)"], moves=["take(3)"]).count(yellow)


@pytest.mark.parametrize("width", [40, 60])
def test_a_narrow_terminal_shows_every_name_in_full(width, tmp_path):
    names = [f"a_rather_long_name_{at}" for at in range(5)]
    variables = "".join(f"    {name}[Player] : 0..9 = 7\n" for name in names)
    text = SETUP.replace("    turn : Player = ann\n", f"    turn : Player = ann\n{variables}")
    (tmp_path / "wide.rules").write_text(text)

    shown = drawn(tmp_path / "wide.rules", width=width)

    assert [] == [name for name in names if name not in shown]
