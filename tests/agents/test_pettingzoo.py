"""Every shipped game as a PettingZoo environment."""

import runpy
import warnings
from pathlib import Path

import pytest

pytest.importorskip("pettingzoo", reason="the tests of PettingZoo need: pip install pilgrim-rules[agents]")

with warnings.catch_warnings():  # of the library's own examples, which its tests import
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, seed_test

import numpy as np
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

import pilgrim_rules as pr
from pilgrim_rules.agents.pettingzoo import env
from tests.agents.shared import every_instance, game


@every_instance
def test_every_game_passes_the_test_of_the_interface(name, players, capsys):
    api_test(env(game(name, players)), num_cycles=30)


@every_instance
def test_every_game_passes_the_test_of_seeds(name, players):
    seed_test(lambda: env(game(name, players)), num_cycles=30)


@pytest.mark.slow
@every_instance
def test_every_game_passes_both_tests_at_length(name, players, capsys):
    api_test(env(game(name, players)), num_cycles=1000)
    seed_test(lambda: env(game(name, players)), num_cycles=1000)


def play(zoo, *moves):
    for move in moves:
        zoo.step(zoo.action_numbers.number(move))


def test_the_mask_allows_exactly_the_legal_moves():
    zoo = env(game("nim"))
    zoo.reset(seed=1)

    mask = zoo.infos[zoo.agent_selection]["action_mask"]

    assert mask.dtype == np.int8
    assert set(zoo.state_now.moves()) == {zoo.action_numbers.move(at) for at in np.flatnonzero(mask)}
    assert not zoo.infos["player_1"]["action_mask"].any()


def test_winning_is_worth_one_and_losing_costs_one():
    zoo = env(game("noughts_and_crosses"))
    zoo.reset()
    play(zoo, "place((1, 1))", "place((2, 1))", "place((1, 2))", "place((2, 2))", "place((1, 3))")

    assert {"player_0": 1.0, "player_1": -1.0} == zoo.rewards
    assert all(zoo.terminations.values())
    assert not any(zoo.truncations.values())


def test_points_can_be_played_for():
    zoo = env(game("kuhn_poker"), reward="score")
    zoo.reset(seed=3)
    play(zoo, "bet", "fold")

    assert [float(score.total) for score in zoo.state_now.scores().values()] == list(zoo.rewards.values())
    assert zoo.rewards["player_0"] > zoo.rewards["player_1"]


def test_a_play_that_need_not_end_is_cut():
    zoo = env(game("counters"), longest=2)
    zoo.reset()
    for _ in range(2):
        play(zoo, zoo.state_now.moves()[0])

    assert {"player_0": True} == zoo.truncations
    assert {"player_0": False} == zoo.terminations


def test_an_illegal_action_says_why_and_changes_nothing():
    zoo = env(game("noughts_and_crosses"))
    zoo.reset()
    play(zoo, "place((2, 2))")
    before = zoo.state_now

    with pytest.raises(pr.IllegalMove, match="the square is taken"):
        play(zoo, "place((2, 2))")

    assert zoo.state_now is before
    assert zoo.agent_selection == "player_1"


def test_an_illegal_action_loses_with_the_wrapper_for_that(capsys):
    zoo = TerminateIllegalWrapper(env(game("noughts_and_crosses")), illegal_reward=-1)
    zoo.reset()
    centre = zoo.unwrapped.action_numbers.number("place((2, 2))")
    zoo.step(centre)
    zoo.step(centre)

    assert {"player_0": 0, "player_1": -1.0} == zoo.rewards


@pytest.mark.parametrize(("action", "error"), [(None, ValueError), (-1, IndexError), (9, IndexError)])
def test_an_action_that_is_no_move_is_refused(action, error):
    zoo = env(game("noughts_and_crosses"))
    zoo.reset()

    with pytest.raises(error):
        zoo.step(action)


def test_nothing_can_be_done_before_the_play_begins():
    with pytest.raises(RuntimeError, match="reset"):
        env(game("nim")).step(0)


def test_a_hidden_card_cannot_be_told_from_an_observation():
    zoo = env(game("kuhn_poker"))
    theirs = zoo.observations.names.index("hand[ben]")
    own = zoo.observations.names.index("hand[ann]")
    seen = set()
    for seed in range(12):
        zoo.reset(seed=seed)
        row = zoo.observe("player_0")
        assert row[own] == zoo.state_now["hand", "ann"]
        seen.add(int(row[theirs]))

    assert len(seen) == 1
    assert zoo.state()[theirs] == zoo.state_now["hand", "ben"]


def test_a_seed_settles_the_plays_after_it_too():
    def deals(zoo):
        zoo.reset(seed=0)
        first = zoo.state_now
        zoo.reset()
        return first, zoo.state_now

    assert deals(env(game("pilgrim"))) == deals(env(game("pilgrim")))
    assert len(set(deals(env(game("pilgrim"))))) == 2


def test_the_position_can_be_shown():
    zoo = env("kuhn_poker")
    zoo.reset(seed=1)

    assert '"ann": "?"' in zoo.render()


def test_the_example_of_the_documents_plays_a_game():
    example = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "howto" / "random_agents.py"))

    worth = example["play"]("nim", seed=1)

    assert [-1.0, 1.0] == sorted(worth.values())
    assert worth == example["play"]("nim", seed=1)
