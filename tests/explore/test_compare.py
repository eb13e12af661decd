"""Two games, compared in every state that one of them can reach."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pilgrim_rules.core.ir import Lit, Require
from pilgrim_rules.language.load import read_game
from tests.support.walk_texts import walk
from verifier.explore.compare import Behaviour


def with_action(game, name, **changes):
    actions = tuple(replace(each, **changes) if each.name == name else each for each in game.actions)
    return replace(game, actions=actions)


def action(game, name):
    return next(each for each in game.actions if each.name == name)


@pytest.fixture
def game(tmp_path):
    return walk(tmp_path)


@pytest.fixture
def behaviour(game):
    found = Behaviour.from_game(game, max_states=10_000)
    assert found is not None
    return found


def test_a_game_is_the_same_as_itself(game, behaviour):
    assert behaviour.difference(game, [each.name for each in game.actions]) is None


def test_a_move_that_is_legal_in_one_game_only_is_found_after_a_shortest_play(game, behaviour):
    other = with_action(game, "stop", guard=())
    found = behaviour.difference(other, ["stop"])
    assert ((), "`stop` is legal in the changed game only") == (found.play, found.says)
    stricter = action(game, "leap").guard[0]
    impossible = replace(stricter, test=Lit(0, stricter.test.type))
    found = behaviour.difference(with_action(game, "leap", guard=(impossible,)), ["leap"])
    assert ((), "`leap` is legal in the original only") == (found.play, found.says)


def test_a_move_that_leads_elsewhere_is_found(game, behaviour):
    body = action(game, "rest").body[1:]
    found = behaviour.difference(with_action(game, "rest", body=body), ["rest"])
    assert "`rest` leads to different states" == found.says
    assert ["leap", "rest", "leap", "rest", "leap"] == [step.text for step in found.play]


def test_what_differs_in_no_reachable_state_is_the_same(game, behaviour):
    """`step` asks for less than nine; nobody ever stands further."""
    line = action(game, "step").guard[0]
    assert isinstance(line, Require)
    loose = replace(line, test=replace(line.test, op="!="))
    assert behaviour.difference(with_action(game, "step", guard=(loose,)), ["step"]) is None


def test_another_decider_is_found(game, behaviour):
    stages = tuple(replace(each, by=Lit(0, game.player)) if each.by is not None else each for each in game.stages)
    found = behaviour.difference(replace(game, stages=stages), [])
    assert (["step"], "somebody else decides") == ([step.text for step in found.play], found.says)


def test_a_game_with_too_many_states_has_no_behaviour():
    assert Behaviour.from_game(read_game("counters"), max_states=1000) is None
