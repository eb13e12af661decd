"""A state as tables in the terminal."""

import io
import re

import pytest
from rich.console import Console

from pilgrim_rules.api.game import load
from pilgrim_rules.cli.terminal_views import changed_cells, state_tables

LARGE = """\
game large
    players 2..2 named ann, bob
type Place = 1..5 * 1..5
stages
    on by ann
    over nobody
state
    grid[Place] : Player? = none
    wide[1..20] : 0..9 = 0
    deep[Place, 1..6] : bool = false
    hand[Player] : 0..9 private until over = 3
    deck : 0..9 hidden = 7
action put(at: Place)
    by ann
    during on
    do
        grid[at] = ann
        wide[3] = 4
        deep[at, 2] = true
action stop
    by ann
    during on
    do
        stage = over
"""


@pytest.fixture
def show(tmp_path):
    (tmp_path / "large.rules").write_text(LARGE)
    game = load(tmp_path / "large.rules")

    def drawn(*moves, viewer=None):
        out = io.StringIO()
        state = game.start().play(*moves)
        shown = state_tables(game.core.variables, state.view(viewer), game.start().view(viewer))
        Console(file=out, width=100).print(shown)
        return "\n".join(line.rstrip() for line in out.getvalue().splitlines())

    drawn.game = game
    return drawn


def test_a_table_over_pairs_is_a_grid(show):
    assert " 4      ·   ·    ·    ·   ·" in show("put((3, 3))")
    assert " 3      ·   ·   ann   ·   ·" in show("put((3, 3))")


def test_a_large_table_is_shown_where_it_differs_from_the_start(show):
    assert "wide as at the start" in show()
    out = show("put((3, 3))")
    assert "wide [3] 4\n" in out
    assert "deep [(3, 3), 2] true" in out


def test_what_a_player_may_not_see_is_a_question_mark(show):
    def hands(*moves, viewer=None):
        return re.findall(r"(?:ann|bob) +([3?])", show(*moves, viewer=viewer))

    assert ["?", "?"] == hands()
    assert ["3", "?"] == hands(viewer="ann")
    assert ["3", "3"] == hands("stop", viewer="ann")
    assert "deck ?" in show("stop", viewer="ann")


def test_tables_stand_beside_each_other_where_there_is_room(show):
    assert any("ann" in line and line.count("·") == 5 for line in show().splitlines())


def test_changes_name_each_cell_with_what_it_held(show):
    game = show.game
    start, later = game.start(), game.start().play("put((3, 3))")

    said = str(changed_cells(game.core.variables, later.view("ann"), start.view("ann")))

    assert ["grid[(3, 3)] none → ann", "wide[3] 0 → 4", "deep[(3, 3), 2] false → true"] == re.split(r" {3}", said)[:-1]
