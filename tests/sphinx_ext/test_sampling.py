"""Places for pages to show are found in plays and examples of the rules as we read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pilgrim_rules
from pilgrim_rules.sphinx_ext.sampling import sample

if TYPE_CHECKING:
    from pathlib import Path

STEPS = """game steps "Steps"
    players 2..2 named ann, ben
ruling reach
    option short "one" default
    option long "two"
stages
    walking by ann
    over nobody
state
    at : 0..3 = 0
action step(n: 1..2)
    during walking
    require n == 1 or reach == long
        else "too far"
    do
        raise at by n, at most 3
        if at == 3: stage = over
score of p
    line "Steps" at
rank p by score desc
example two_at_once
    when step(2) under reach = long
    expect at == 2 under reach = long
    when step(1)
    expect at == 1
"""


def test_a_move_of_another_reading_is_no_place_to_show(tmp_path: Path) -> None:
    (tmp_path / "steps.rules").write_text(STEPS)
    found = sample(pilgrim_rules.load(str(tmp_path / "steps.rules"), ghosts=True), games=0)

    assert "step(2)" not in {place.move for place in found.uses.values()}
