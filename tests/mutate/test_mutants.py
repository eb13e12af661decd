"""Mistakes that can be made in the rules."""

from __future__ import annotations

from fnmatch import filter as filter_names
from pathlib import Path

import pytest

from pilgrim_rules.core.ir import Apply, Lit, Read
from pilgrim_rules.core.validate import validate
from pilgrim_rules.core.walk import assignments
from pilgrim_rules.loading import read_game
from tests.engine.build import both, enum, lit, number, var
from tests.fuzz.texts import walk
from verifier.mutate.changes import changes
from verifier.mutate.mutants import mistakes, mutant
from verifier.mutate.store import reasons

ZOO = ["nim", "kuhn_poker", "pig", "kalah", "bank", "noughts_and_crosses"]


def names(game):
    return [mistake.name for mistake in mistakes(game)]


def test_reasons_speak_of_mistakes_that_can_be_made():
    """A line that has changed takes its reasons with it."""
    known = reasons(Path(__file__).with_name("pilgrim.toml"))
    possible = names(read_game("pilgrim", players=4))
    told = {*known.equivalent, *known.explained}
    assert set() == {each for each in told if each not in possible and not filter_names(possible, each)}


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
            assert each.actions or each.mistake.kind == "decider"
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


def test_the_arithmetic_of_pairs_is_nobodys_mistake():
    player, house = enum("Player", "red", "blue"), number(1, 3)
    pit = both(player, house)
    built = Apply(
        "+",
        (
            Apply("*", (Lit(1, player), Lit(3, number(3, 3))), number(0, 5)),
            Apply("-", (Lit(2, house), Lit(1, house)), number(0, 2)),
        ),
        pit,
    )
    assert ["blue → red", "2 → 1", "2 → 3"] == [words for words, _ in changes(built, {})]
    part = Apply("div", (built, Lit(3, number(3, 3))), player)
    assert ["blue → red", "2 → 1", "2 → 3"] == [words for words, _ in changes(part, {})]
