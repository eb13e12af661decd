"""The board as a screen reader has it, and by the keyboard alone: every control is named, and what happens is said."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pilgrim_rules import load
from pilgrim_rules.play_pages.playable import page
from tests.support.devtools import CONTROLS, Heard, Page, opened

pytestmark = pytest.mark.browser


@pytest.fixture
def grid(tmp_path: Path) -> Iterator[Page]:
    """Noughts and crosses, for two people at one screen."""
    with _board(tmp_path, "noughts_and_crosses") as tab:
        yield tab


@contextmanager
def _board(folder: Path, name: str) -> Iterator[Page]:
    """Open the board of a game on which people decide for every seat."""
    path = folder / "page.html"
    path.write_text(page(load(name)), encoding="utf-8")
    with opened(path.as_uri()) as tab:
        tab.wait_for("document.querySelector('.pr-turn')?.textContent")
        tab.value(
            "document.querySelector('.pr-play').ready.then((table) => { globalThis.table = table;"
            " for (const seat of table.seats) seat.value = 'person'; table.begin(1); })"
        )
        yield tab


def _press_until(tab: Page, key: str, name: str, most: int = 40) -> Heard:
    for _ in range(most):
        if (found := tab.focus()).name.startswith(name):
            return found
        tab.press(key)
    raise AssertionError(f"{name!r} was not reached by {key}")


def test_the_keyboard_comes_by_everything_in_the_order_of_reading(grid: Page) -> None:
    came_by: list[Heard] = []
    for _ in range(60):
        grid.press("Tab")
        found = grid.focus()
        if found.role == "RootWebArea" or found in came_by:
            break
        came_by.append(found)

    assert [("tab", "The grid"), ("button", "(1, 1), legal")] == [each[:2] for each in came_by[:2]]
    names = [each.name for each in came_by]
    order = [
        "(3, 3), legal",
        "Place: (1, 1)",
        "Place: (3, 3)",
        "New game",
        "Share",
        "Who plays, and where to begin",
        "So far",
    ]
    assert order == sorted(order, key=names.index)
    assert "" not in names
    assert "Undo" not in names  # nothing can be undone yet


def test_a_move_and_a_refusal_are_said_and_the_focus_stays(grid: Page) -> None:
    assert "cross to move" in grid.spoken()
    _press_until(grid, "Tab", "(1, 1)")
    grid.press("ArrowRight")
    grid.press("ArrowDown")
    grid.press("Enter")

    assert "cross: Place: (2, 2). nought to move" in grid.spoken()
    assert "(2, 2): cross" == grid.focus().name

    grid.press(" ")

    assert "Place refused: the square is taken" in grid.spoken()
    assert "(2, 2): cross" == grid.focus().name
    assert {"polite"} == {each.live for each in grid.heard() if each.role == "status"}


def test_who_plays_by_the_list_stays_in_the_list(grid: Page) -> None:
    _press_until(grid, "Tab", "Place: (1, 1)")
    grid.press("Enter")

    assert "cross: Place: (1, 1). nought to move" in grid.spoken()
    assert ("button", "Place: (1, 2)") == grid.focus()[:2]


def test_a_move_of_the_computer_is_said_with_the_own_one_before_it(grid: Page) -> None:
    grid.value("table.seats[1].value = 'greedy'")
    _press_until(grid, "Tab", "Place: (1, 1)")
    grid.press("Enter")
    grid.wait_for("table.line.length === 3 && document.querySelector('.pr-moves button')")

    assert "nought: Place: " in grid.spoken()
    assert "cross to move" in grid.spoken()
    assert grid.focus().name.startswith("Place: ")


LARGE = [
    pytest.param(name, marks=pytest.mark.slow)
    for name in ("pilgrim", "my_village", "world_without_end", "column_of_fire")
]


@pytest.mark.parametrize("name", ["noughts_and_crosses", "kuhn_poker", "connect_four", *LARGE])
def test_every_control_of_a_played_board_has_a_role_and_a_name(tmp_path: Path, name: str) -> None:
    with _board(tmp_path, name) as tab:
        for moves in (0, 3, 20):
            tab.value(
                f"(() => {{ for (let n = 0; n < {moves} && !table.rules.over; n += 1) table.play(table.rules.random()); }})()"
            )
            tab.value("document.querySelectorAll('.pr-play details').forEach((each) => { each.open = true; })")
            tab.wait_for("!document.querySelector('.pr-below .pr-actions:empty')")
            heard = tab.heard()

            unnamed = [each for each in heard if each.role in CONTROLS and not each.name]
            assert unnamed == [], name
            assert len([each for each in heard if each.role in CONTROLS]) > 10
            # What can be pointed at is a button, whether it is a picture or a word.
            places = tab.value(
                "[...document.querySelectorAll('.pr-open .pr-place')].map((each) => each.getAttribute('aria-label'))"
            )
            named = {each.name for each in heard if each.role == "button"}
            assert {" ".join(each.split()) for each in places} <= {" ".join(each.split()) for each in named}
