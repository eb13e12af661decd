"""A Column of Fire: lines that random play hardly ever meets refuse in recorded plays, which begin with the preparation."""

import pytest

from pilgrim_rules import load
from pilgrim_rules.api.trace import Record
from pilgrim_rules.language import find_game

PLAYS = find_game.shipped() / "column_of_fire" / find_game.PLAYS


@pytest.fixture(scope="module")
def game():
    return load("column_of_fire", players=2)


@pytest.mark.covers("EVT-17", "LOCH-3", "SYM-3", "TRADE-6")
@pytest.mark.parametrize(
    ("play", "move", "clause"),
    [
        ("no-point-for-a-house-2", "choose(purple, england)", "EVT-17"),
        ("no-tiles-left-2", "take_tile", "GAP-ADVANTAGE-SUPPLY"),
        ("on-loch-leven-2", "lock_up(orange)", "LOCH-3"),
        ("sold-there-2", "sell(england, wine)", "TRADE-6"),
    ],
)
def test_a_play_leads_to_a_position_in_which_the_line_alone_refuses(game, play, move, clause):
    """A country without cards and no point to pay (EVT-17), no tile left to draw (SYM-3), a die that is on Loch Leven already (LOCH-3), a
    second sale of a type in one country (TRADE-6)."""
    end = Record.load(PLAYS / f"{play}.json").replay(game, stale_ok=True).state

    assert [True] == [clause in refusal.clauses for refusal in end.why_not(move)]
