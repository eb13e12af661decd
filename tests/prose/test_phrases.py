"""Phrases that are put together: who has what, numbers that say whether, choices of yes or no."""

from __future__ import annotations

import pytest

from pilgrim_rules.core.ir import BOOL, Apply, Bound, Cond
from pilgrim_rules.prose.fold_constants import FALSE, TRUE, folded
from pilgrim_rules.prose.phrases import flag_phrase, relative_clauses
from pilgrim_rules.sphinx_ext.blocks.guarantees import together

A, B = Bound("a", BOOL), Bound("b", BOOL)


@pytest.mark.parametrize(
    ("said", "person", "many", "expected"),
    [
        (["this player is out"], True, False, "who is out"),
        (["this player is out", "this player has a card"], True, True, "who are out and have a card"),
        (["this player's hand is full", "this player may draw"], True, False, "whose hand is full and who may draw"),
        (["this card lies face down"], False, True, "that lie face down"),
        (["this player is out", "the deck is empty"], True, False, ""),
        (["this player and the next one agree"], True, False, ""),
    ],
)
def test_what_is_all_about_one_thing_is_a_relative_clause(said, person, many, expected) -> None:
    called = "this player" if person else "this card"

    assert expected == relative_clauses(called, said, person=person, many=many)


@pytest.mark.parametrize(
    ("op", "value", "expected"),
    [("==", 1, "the stone is gone"), (">=", 1, "the stone is gone"), ("==", 0, "the stone is not gone"), (">", 1, "")],
)
def test_a_number_that_says_whether_is_a_clause(op: str, value: int, expected: str) -> None:
    assert expected == flag_phrase("whether the stone is gone", op, value)
    assert not flag_phrase("the number of stones", op, value)


@pytest.mark.parametrize(
    ("then", "other", "expected"),
    [
        (TRUE, FALSE, A),
        (FALSE, TRUE, Apply("not", (A,), BOOL)),
        (TRUE, B, Apply("or", (A, B), BOOL)),
        (B, FALSE, Apply("and", (A, B), BOOL)),
        (FALSE, B, Apply("and", (Apply("not", (A,), BOOL), B), BOOL)),
        (B, TRUE, Apply("or", (Apply("not", (A,), BOOL), B), BOOL)),
    ],
)
def test_a_choice_of_yes_or_no_is_a_condition(then, other, expected) -> None:
    assert expected == folded(Cond(A, then, other, BOOL))


def test_limits_on_data_are_one_limit() -> None:
    bounds = ["2–4 players", "only for `bridges` = 3", "only for `fords` = 3"]

    assert ["2–4 players", "only for `bridges` = 3 and `fords` = 3"] == together(bounds)
    assert ["2–4 players"] == together(bounds[:1])
