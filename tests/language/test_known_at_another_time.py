"""What a test has shown of a definition is also known of it before the action: of ranges, and of what may be missing."""

import pytest

from pilgrim_rules.cli.exit_codes import Exit
from pilgrim_rules.cli.main import run

RULES = """\
game small
    players 2..2 named red, blue

type Space = 1..4

stages
    losing by turn
    over nobody

state
    turn          : Player = red
    owner[Space]  : Player? = red
    share         : 0..12 = 0

def owned(p: Player) -> 0..4 = count of s in Space where owner[s] == p
def lowest(p: Player) -> Space? = first s in Space where owner[s] == p
def share_of(p: Player) -> 0..12 = 12 div owned(p) if owned(p) > 0 else 0
def first_of(p: Player) -> 0..4 = 5 - lowest(p) if lowest(p) is some and lowest(p) > 0 else 0

action give_up(s: Space)
    require owner[s] == turn
    do
        owner[s] = none
        share = the (OLD)
        if not (owned(turn) > 0): stage = over

invariant something_left: stage == losing implies owned(turn) > 0

example giving_up
    when give_up(1)
    when give_up(2)
    expect share == EXPECTED
"""


@pytest.mark.parametrize(
    ("before", "expected"),
    [("old share_of(red)", 4), ("share_of(red)", 6), ("old first_of(red)", 3), ("first_of(red)", 2)],
)
def test_it_is_checked_played_and_proved(before, expected, tmp_path, capsys):
    path = tmp_path / "small.rules"
    path.write_text(RULES.replace("OLD", before).replace("EXPECTED", str(expected)))

    found = run(["prove", str(path), "--no-confirm", "--no-cache", "--jobs", "1"])

    assert Exit.OK == found, capsys.readouterr()
