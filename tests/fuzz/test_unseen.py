"""What a campaign has not shown: ruled out by the reading, shown elsewhere, or never seen."""

from __future__ import annotations

import json

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run as command
from pilgrim_rules.language.load import read_game
from verifier.fuzz.campaign import run
from verifier.fuzz.look_further import look_further
from verifier.fuzz.play_coverage import PlayCoverage
from verifier.fuzz.ruled_out import ruled_out
from verifier.fuzz.unseen import unseen_in

GATE = """\
game gate "A gate"
    players 2..2 named red, blue

ruling toll
    option free "nothing is paid" default
    option paid "one coin is paid"

enum Way: left, right, hidden

stages
    walking by turn
    over nobody

state
    place   : 0..60 = 0
    coins   : 0..60 = 0
    luggage : bool
    turn    : Player = red

action go(w: Way)
    require toll == free or coins > 0
        else "the toll is not paid"
    require w != hidden
        else "nobody knows that way"
    require place < 60
        else "the road ends"
    do
        if toll == paid: coins -= 1
        place += 1
        turn = next(turn)

action rest
    require not luggage
        else "nobody rests with luggage"
    do stage = over

example luggage_is_heavy
    given luggage = true
    refuse rest

example one_step
    when go(right) by red

example the_toll under toll = paid
    refuse go(left)
"""


@pytest.fixture
def gate(tmp_path):
    path = tmp_path / "gate.rules"
    path.write_text(GATE, "utf-8")
    return path


def test_a_ruling_leaves_no_room_for_its_other_option(gate):
    found = ruled_out(read_game(gate))
    assert {"go.require.1"} == found.requirements
    assert {"go.do.1"} == found.lines
    other = ruled_out(read_game(gate, rulings={"toll": "paid"}))
    assert frozenset() == other.requirements == other.lines


def test_what_one_rule_rules_out_another_may_use(gate):
    text = GATE.replace("action rest\n", "action run(c: 0..1)\n    check fare(c)\n    do stage = over\n\naction rest\n")
    guard = 'guard fare(n: 0..1)\n    require toll == free and n == 0\n        else "no"\n\naction go(w: Way)\n    check fare(0)\n'
    gate.write_text(text.replace("action go(w: Way)\n", guard), "utf-8")
    assert "fare.require.1" not in ruled_out(read_game(gate)).requirements


def test_a_further_look_says_where_something_shows(gate):
    game = read_game(gate)
    found = look_further(game, PlayCoverage(), games=256).found
    assert "example `luggage_is_heavy`" == found["rest.require.1"]
    assert "example `the_toll`, under `toll = paid`" == found["go.require.1"]
    assert "games led to it" == found["go.require.2"]
    assert "games led to it" == found["go"]
    assert "further games" == found["go.do.2"]
    assert "go.do.1" not in found


def test_an_example_shows_the_lines_of_its_moves(gate):
    found = look_further(read_game(gate), PlayCoverage(), games=0).found
    assert "example `one_step`" == found["go"] == found["go.do.2"]


def test_a_recorded_play_shows_what_it_does_if_it_is_legal(gate):
    game = read_game(gate)
    found = look_further(game, PlayCoverage(), [("one", ["go(left)", "rest"]), ("two", ["go(hidden)"])], games=0).found
    assert "recorded play `one`" == found["go"] == found["go.do.2"]
    assert not any("two" in where for where in found.values())


def test_each_thing_is_in_one_list(gate):
    game = read_game(gate)
    report = run(game, games=3)
    seen = unseen_in(report, game, values=True).without({"rest.require.1": "example `luggage_is_heavy`"})
    data = seen.to_json()
    assert ["go.require.1"] == data["ruled_out"]["refused"]
    assert "rest.require.1" in report.never_refused
    assert "rest.require.1" not in data["unseen"]["refused"]
    assert ["go(w = hidden)"] == data["unseen"]["chosen"]
    titles = dict(seen.by_title())
    assert ["go.require.1"] == titles["never refused by, because the reading leaves no room for it"]
    assert ["rest.require.1 (example `luggage_is_heavy`)"] == titles["refused elsewhere by"]
    assert "go(w = hidden)" in titles["never chosen"]


def test_where_readings_are_drawn_none_is_ruled_out(gate):
    game = read_game(gate)
    report = run(game, games=3, rulings=True)
    assert [] == unseen_in(report, game, of_one_reading=False).to_json()["ruled_out"]["refused"]


def test_the_command_looks_further(gate, capsys):
    assert Exit.OK == command(["fuzz", str(gate), "--games", "5", "--further", "128", "--format", "json"])
    shown = json.loads(capsys.readouterr().out)
    assert shown["elsewhere"]["rest.require.1"].startswith("example")
    assert ["go(w = hidden)"] == shown["unseen"]["chosen"]
    assert Exit.OK == command(["fuzz", str(gate), "--games", "5"])
    assert "leaves no room for it: go.require.1" in capsys.readouterr().out
