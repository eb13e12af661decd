"""Mistakes that can be made in the rules."""

from __future__ import annotations

from fnmatch import filter as filter_names
from pathlib import Path

import pytest

from pilgrim_rules.core.forms import expand_form
from pilgrim_rules.core.ir import BOOL, Lit, Read
from pilgrim_rules.core.rule_walk import assignments
from pilgrim_rules.core.show import show_item
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.core.validate import validate
from pilgrim_rules.language.load import read_game
from tests.support.core_builder import both, enum, lit, number, var
from tests.support.walk_texts import walk
from verifier.mutate.changes import changes
from verifier.mutate.judge import Judge, MutationSettings
from verifier.mutate.mutants import mistakes, mutant
from verifier.mutate.report import read_reasons

ZOO = ["nim", "kuhn_poker", "pig", "kalah", "bank", "noughts_and_crosses"]


def names(game):
    return [mistake.name for mistake in mistakes(game)]


def test_reasons_speak_of_mistakes_that_can_be_made():
    """A line that has changed takes its reasons with it."""
    known = read_reasons(Path(__file__).with_name("pilgrim.toml"))
    possible = names(read_game("pilgrim", players=4))
    told = {*known.equivalent, *known.explained} - {*possible}
    assert set() == {each for each in told if not filter_names(possible, each)}


def made(game, name):
    return mutant(game, next(mistake for mistake in mistakes(game) if mistake.name == name))


def test_every_kind_of_mistake_is_made(tmp_path):
    found = names(walk(tmp_path))
    assert "step.require.1 drop: the requirement is missing" in found
    assert "step.require.1 negate: the requirement is negated" in found
    assert "step.require.1 change: < → <=" in found
    assert "step.require.1 change: 9 → 8" in found
    assert "step.do.1 drop: the effect is missing" in found
    assert "step.do.1 double: the effect happens twice" in found
    assert "leap.do.3 change: resting → over" in found
    assert "rest.if.1 change: == → !=" in found
    assert "walking decider: always `red` decides" in found


def test_variables_of_the_same_shape_are_mistaken_for_each_other():
    three = number(0, 3)
    variables = {
        "here": var("here", three, lit(three, 0)),
        "there": var("there", three, lit(three, 0)),
        "many": var("many", three, lit(three, 0), three),
        "ghostly": var("ghostly", three, lit(three, 0), ghost=True),
    }
    assert ["here → there"] == [words for words, _ in changes(Read("here", (), three), variables)]


@pytest.mark.parametrize("name", ZOO)
def test_names_are_unique_and_mutants_obey_the_core(name):
    game = read_game(name)
    found = list(mistakes(game))
    assert len({mistake.name for mistake in found}) == len(found) > 5
    made_of_them = [mutant(game, mistake) for mistake in found]
    for each in made_of_them:
        if each is not None:
            validate(each.game)
            assert each.game != game
            assert each.actions or each.mistake.kind in ("decider", "secrecy", "table")  # which belong to no action
    assert sum(each is not None for each in made_of_them) > len(found) // 2


def test_a_shared_line_is_changed_wherever_it_was_expanded():
    game = read_game("kuhn_poker")
    found = made(game, "done.do.1 drop: the effect is missing")
    assert {"check_", "bet", "call", "fold"} == set(found.actions)
    for action in found.game.actions:
        assert not [stmt for stmt in assignments(action.body) if stmt.key == "done.do.1"]


def test_a_mistake_in_a_definition_touches_the_actions_that_use_it():
    game = read_game("nim")
    found = [mutant(game, each) for each in mistakes(game) if each.key == "sticks"]
    assert all(each is None or each.actions == ("take",) for each in found)


def test_negating_an_equation_is_not_tried_twice(tmp_path):
    found = names(walk(tmp_path))
    assert "rest.if.1 negate: the condition is negated" not in found


def test_mistakes_are_made_in_what_was_written_not_in_what_it_stands_for():
    player, house = enum("Player", "red", "blue"), number(1, 3)
    pit = both(player, house)
    built = expand_form("pair", (Lit(1, player), Lit(2, house)), pit, pit)
    assert ["blue → red", "2 → 1", "2 → 3"] == [words for words, _ in changes(built, {})]
    part = expand_form("first", (built,), pit, player)
    assert ["blue → red", "2 → 1", "2 → 3"] == [words for words, _ in changes(part, {})]
    after = expand_form("next", (part,), player, player)
    assert ["next → previous", "blue → red", "2 → 1", "2 → 3"] == [words for words, _ in changes(after, {})]


def test_one_of_several_values_is_forgotten():
    house = number(1, 3)
    listed = expand_form("in", (Read("here", (), house), lit(house, 1), lit(house, 3)), house, BOOL)
    found = {words: show(changed) for words, changed in changes(listed, {"here": var("here", house, lit(house, 1))})}
    assert "here in {3}" == found["{… 1 …} → {…}"]


def test_the_number_of_players_is_mistaken_for_one_more():
    player = enum("Player", "red", "blue")
    many = expand_form("players", (), player, number(2, 2))
    assert ["players → players -1", "players → players +1"] == [words for words, _ in changes(many, {})]


def test_another_amount_of_a_cost_is_required_and_paid():
    found = made(read_game("watermill"), "grind.pay.1 change: 1 → 2")
    grind = next(action for action in found.game.actions if action.name == "grind")
    shown = show_item(grind, found.game)
    assert "cost 2 grain" in shown
    assert "require 2 <= " in show_item(grind, found.game, expanded=True)


def test_one_effect_is_mistaken_for_another_that_takes_the_same():
    words = {each.words for each in mistakes(read_game("pilgrim", players=2)) if ".run." in each.key}
    assert any(" → " in each and not each.startswith("argument") for each in words)


def test_nothing_is_changed_inside_what_a_line_stands_for():
    keys = {each.key for each in mistakes(read_game("watermill"))}
    assert not [key for key in keys if key.endswith((".from", ".to")) or ".back." in key]


def test_what_is_told_and_who_sees_can_be_forgotten():
    found = [name for name in names(read_game("love_letter")) if " secrecy: " in name]

    assert "play_guardsman.reveal.1 secrecy: it is not told" in found
    assert "hand secrecy: nobody sees it" in found
    assert [] == [name for name in names(read_game("nim")) if " secrecy: " in name]


@pytest.mark.parametrize("name", ["play_guardsman.reveal.1 secrecy: it is not told", "hand secrecy: nobody sees it"])
def test_a_forgotten_word_about_secrecy_is_noticed_by_a_proof(name):
    judge = Judge((read_game("love_letter"),), MutationSettings(max_states=0, games=0))

    found = judge.judge(name)
    assert ("killed", "proofs") == (found.fate, found.by)
