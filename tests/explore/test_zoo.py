"""The shipped small games, searched completely: their counts are part of what they are."""

from __future__ import annotations

import pytest

from pilgrim_rules.language.load import read_game
from verifier.explore.search import explore

#: states, transitions, levels, finished states. Noughts and crosses: 5,478 positions and 958 finished ones are common
#: knowledge; four in a row on a board of 4 by 4 has 161,029 positions (J. Tromp's table); counters and bank are
#: yardsticks that other model checkers count alike.
COUNTS = {
    "noughts_and_crosses": (5_478, 16_167, 10, 958),
    "nim": (232, 1_356, 5, 2),
    "kuhn_poker": (64, 63, 7, 30),
    "pig": (14_630, 57_646, 23, 38),
    "kalah": (20_735, 23_384, 83, 80),
    "connect_four": (161_029, 304_574, 17, 26_740),
    "counters": (1_048_576, 9_830_400, 76, 0),
    "bank": (907_863, 5_314_683, 111, 0),
}


@pytest.mark.parametrize("name", COUNTS)
def test_a_shipped_game_has_its_counts_and_nothing_is_wrong_with_it(name):
    found = explore(read_game(name))
    assert COUNTS[name] == (found.states, found.transitions, found.depth, found.finished)
    assert "closed" == found.verdict
    assert () == found.findings
    assert () == found.unreached
    assert () == found.evaluated
    assert all(found.actions.values()), "every action happens"
