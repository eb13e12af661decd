"""Parts of the extension that need no build: docstrings, sessions, statuses, order of ids."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path

import pytest

from pilgrim_rules.evidence.merge_bounds import games_in, merged
from pilgrim_rules.evidence.status import Status, weakest
from pilgrim_rules.sphinx_ext.nodes.python_session import SessionError, transcript
from pilgrim_rules.sphinx_ext.objects.domain import natural_key
from pilgrim_rules.sphinx_ext.pictures.picture_nodes import FigureError, position_after, position_node

mark_up = run_path(str(Path(__file__).parents[2] / "docs/_ext/docstrings.py"))["mark_up"]


def test_an_aligned_list_in_a_docstring_becomes_a_list() -> None:
    text = [
        "Load a game.",
        "",
        "name     what `load` is",
        "         asked for",
        "players  how many",
        "Then it goes on.",
    ]

    assert mark_up(text) == [
        "Load a game.",
        "",
        "* ``name``: what ``load`` is",
        "  asked for",
        "* ``players``: how many",
        "",
        "Then it goes on.",
    ]


def test_a_session_is_run_and_shows_what_it_prints(tmp_path: Path) -> None:
    assert transcript("x = 1\nx + 1\nfor y in (1, 2):\n    print(y)\nNone", tmp_path) == (
        ">>> x = 1\n>>> x + 1\n2\n>>> for y in (1, 2):\n...     print(y)\n1\n2\n>>> None"
    )


@pytest.mark.parametrize(("source", "says"), [("1 / 0", "ZeroDivisionError"), ("x =", "invalid syntax in line 1")])
def test_a_session_that_fails_says_where(source: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(SessionError, match=says):
        transcript(source, tmp_path)


def test_the_weakest_status_wins_and_nothing_is_open() -> None:
    assert weakest([Status.PROVED, Status.STALE, Status.TESTED]) is Status.STALE
    assert weakest([]) is Status.OPEN


def test_every_status_has_a_sign_and_a_word_of_its_own() -> None:
    assert len({status.icon for status in Status}) == len(Status)
    assert len({status.word for status in Status}) == len(Status)


def test_ids_are_sorted_by_their_numbers() -> None:
    assert sorted(["SHR-10", "SHR-9", "ALM-1"], key=natural_key) == ["ALM-1", "SHR-9", "SHR-10"]


def test_a_picture_shows_the_position_after_the_moves() -> None:
    before, after = (
        position_node(
            Path("none"), position_after("noughts_and_crosses", None, "", 0, moves), None, outline=False
        ).astext()
        for moves in ([], ["place((2, 2))"])
    )

    assert before.startswith("<svg")
    assert before != after


def test_a_picture_of_a_figure_that_does_not_exist_says_which_there_are() -> None:
    with pytest.raises(FigureError, match="it has"):
        position_node(Path("none"), position_after("noughts_and_crosses", None, "", 0, []), "rondel", outline=False)


@pytest.mark.parametrize(
    ("rulings", "moves"), [("", ["place((9, 9))"]), ("", ["place((2, 2))"] * 2), ("no_equals", []), ("no=ruling", [])]
)
def test_a_play_that_the_rules_refuse_is_not_drawn(rulings: str, moves: list[str]) -> None:
    with pytest.raises(FigureError):
        position_after("noughts_and_crosses", None, rulings, 0, moves)


def test_bounds_of_several_tables_are_said_together() -> None:
    assert merged(["3 players", "few roads", "2 players", "4 players", "few roads"]) == ("2–4 players", "few roads")
    assert merged(["4 players", "2 players"]) == ("2, 4 players",)
    assert merged(["1 player"]) == ("1 player",)
    assert merged([]) == ()


def test_games_are_counted_from_bounds() -> None:
    assert games_in(["2 players", "1,200 games, 9,867 steps, seed 0", "200 games, 3 steps, seed 1"]) == 1200
    assert games_in(["2 players"]) == 0
