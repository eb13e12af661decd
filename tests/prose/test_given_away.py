"""What the rules give away on purpose is a list."""

from pilgrim_rules.language.load import read_game
from pilgrim_rules.prose import say_action
from pilgrim_rules.prose.given_away import given_away


def test_everything_that_is_told_on_purpose_is_listed():
    found = given_away(read_game("love_letter"))
    says = {each.where: each.says for each in found}

    assert "Everybody always knows how many lie in `deck`." == says["deck"]
    assert "tells everybody `gone`" in says["play_prince"]
    assert "tells v where `v == turn and not safe[rival()]`" in says["play_priest"]
    assert says["hand"].startswith("`hand` is opened to the viewer as soon as")
    assert 13 == len(found)


def test_a_game_without_secrets_gives_nothing_away():
    assert () == given_away(read_game("nim"))


def test_a_page_says_who_sees_an_argument_and_what_is_told():
    game = read_game("love_letter")
    steps = {
        action.name: [step.text for step in say_action(game, action).sections[-1].steps] for action in game.actions
    }

    assert "Nobody sees which kind it is." == steps["draw_deck_aside"][-1]
    assert steps["draw_deck_hand"][-1].endswith("sees which kind it is.")
    assert steps["play_guardsman"][-1].startswith("Everybody is told whether the rival is not safe")
