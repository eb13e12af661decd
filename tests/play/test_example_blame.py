"""An example that breaks an invariant blames the step that does, also if it happens by itself."""

from pilgrim_rules.examples.compiled_readings import CompiledReadings
from pilgrim_rules.examples.run import run_example
from pilgrim_rules.language.load import read_game

RULES = """\
game mill
    players 1..1 named ann

stages
    choosing by turn
    grinding auto
    over nobody

state
    turn  : Player = ann
    grain : 0..9 = 0
    flour : 0..9 = 0

action fill
    during choosing
    do
        grain = 3
        stage = grinding

auto grind during grinding
    do
        flour = 4
        stage = over

action spill
    during choosing
    do
        flour = 2
        stage = over

invariant no_more_than_was_there: flour <= grain

example ground
    when fill
    then stage == over

example spilt
    when spill
    then stage == over
"""


def wrong(tmp_path, name):
    path = tmp_path / "mill.rules"
    path.write_text(RULES)
    game = read_game(path)
    return run_example(
        CompiledReadings.from_game(game), next(each for each in game.examples if each.name == name)
    ).wrong


def test_what_happens_by_itself_is_blamed_after_the_move(tmp_path):
    assert "after `fill`, `grind` happens by itself and breaks `no_more_than_was_there`" in wrong(tmp_path, "ground")


def test_a_move_that_breaks_it_is_blamed_alone(tmp_path):
    assert "`spill` breaks `no_more_than_was_there`" in wrong(tmp_path, "spilt")
