"""The lint of generated text: what nobody would say fails the build."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pilgrim_rules.core.ir import Require, SummaryLine
from pilgrim_rules.language import find_game
from pilgrim_rules.language.instances import with_players
from pilgrim_rules.language.load import read_game
from pilgrim_rules.prose import say_action
from pilgrim_rules.prose.lint import lint, lint_game_text, lint_rule, lint_titles, lint_told, names_of
from pilgrim_rules.prose.scores import score_terms
from pilgrim_rules.prose.voice import explained_terms, templates_of


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


def test_what_the_author_says_of_a_rule_is_looked_at_too() -> None:
    game = read_game("nim")
    line = next(each for each in game.actions[0].guard if isinstance(each, Require))
    wrong = replace(line, says="it is not in the monk_stack")
    action = replace(game.actions[0], title="Take take", guard=(wrong,), summary=(SummaryLine("Then you takes b."),))

    assert ["a noun of one letter", "a verb that does not agree", "a word twice", "an identifier"] == sorted(
        {problem.kind for problem in lint_told(action, frozenset())}
    )


@pytest.mark.parametrize("name", find_game.names())
def test_what_authors_say_of_the_rules_of_a_shipped_game_has_no_problems(name: str) -> None:
    game = read_game(name)
    names = names_of(game)

    assert [] == [str(problem) for action in game.actions for problem in lint_told(action, names)]


def test_a_title_made_of_a_name_is_a_mistake_where_others_are_written() -> None:
    nim = read_game("nim")
    other = replace(nim.actions[0], name="take_two", title="")
    mixed = replace(nim, actions=(replace(nim.actions[0], title="Take stones"), other, replace(other, name="rest")))

    assert ["a title made of a name: “Take two” in “Take two”"] == [str(each) for each in lint_titles((mixed, mixed))]
    assert [] == lint_titles((replace(nim, actions=(other,)),))


@pytest.mark.parametrize("name", find_game.names())
def test_titles_are_words_at_every_table(name: str) -> None:
    game = read_game(name)

    assert [] == [str(each) for each in lint_titles(with_players(game, players) for players in game.seats)]


@pytest.mark.parametrize("name", find_game.names())
def test_every_phrase_for_the_score_belongs_to_a_line_of_it(name: str) -> None:
    game = read_game(name)
    said = {term for term in templates_of(game) if term.startswith("score_")}

    known = {each.name for each in game.variables} | {each.name for each in game.constants}
    assert said <= score_terms(game) | known | {each.name for each in game.defs}


@pytest.mark.parametrize("name", ["pilgrim", "my_village", "world_without_end", "column_of_fire"])
def test_a_large_game_explains_forty_words(name: str) -> None:
    assert 40 <= len(explained_terms(read_game(name)))


def test_a_name_of_the_game_may_look_like_anything() -> None:
    assert [] == list(lint("The stone lies on b.", frozenset({"b"})))


@pytest.mark.parametrize("name", [name for name in find_game.names() if name != "pilgrim"])
def test_the_english_of_a_shipped_game_has_no_problems(name: str) -> None:
    game = read_game(name)
    names = names_of(game)
    found = [problem for action in game.actions for problem in lint_rule(say_action(game, action), names)]

    assert [] == [str(problem) for problem in (*found, *lint_game_text(game))]
