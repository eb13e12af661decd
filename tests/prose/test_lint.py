"""The lint of generated text: what nobody would say fails the build."""

from __future__ import annotations

import pytest

from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import read_game
from pilgrim_rules.prose import say_action
from pilgrim_rules.prose.lint import lint, lint_game_text, lint_rule, names_of


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("You get 6 if 4 is 2, otherwise 5.", "digits compared with digits"),
        ("Let p be the active player.", "a noun of one letter"),
        ("For every player, p's store is empty.", "a noun of one letter"),
        ("The the card lies open.", "a word twice"),
        ("You need that you holds a card.", "a verb that does not agree"),
        ("Then build_shrine happens.", "an identifier"),
        ("If “true” holds, the game ends.", "a constant as a condition"),
        ("The piety your piety.", "a sentence without a verb"),
    ],
)
def test_what_nobody_would_say_is_found(text: str, kind: str) -> None:
    assert kind in {problem.kind for problem in lint(text)}


@pytest.mark.parametrize(
    "text",
    [
        "The number of markers that show 3 is 4.",
        "You pay 2 coins to the player whose turn it is.",
        "This player's store of stone is at most 6.",
        "The income still owed to you falls by 1.",
        "Take the price, “this number” from here on.",
    ],
)
def test_what_people_say_is_left_alone(text: str) -> None:
    assert [] == list(lint(text))


def test_a_name_of_the_game_may_look_like_anything() -> None:
    assert [] == list(lint("The stone lies on b.", frozenset({"b"})))


@pytest.mark.parametrize("name", [name for name in find_game.names() if name != "pilgrim"])
def test_the_english_of_a_shipped_game_has_no_problems(name: str) -> None:
    game = read_game(name)
    names = names_of(game)
    found = [problem for action in game.actions for problem in lint_rule(say_action(game, action), names)]

    assert [] == [str(problem) for problem in (*found, *lint_game_text(game))]
