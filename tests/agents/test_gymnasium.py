"""Games for one agent, and many games at once, as environments of Gymnasium."""

import warnings

import pytest

pytest.importorskip("gymnasium", reason="the tests of Gymnasium need: pip install pilgrim-rules[agents]")

import numpy as np
from gymnasium.utils.env_checker import check_env

import pilgrim_rules as pr
from pilgrim_rules.agents import gymnasium, pettingzoo
from pilgrim_rules.agents.vector import vector_env
from pilgrim_rules.api.observations import Observations
from tests.agents.shared import game


@pytest.mark.parametrize("name", ["nim", "kuhn_poker", "watermill", "love_letter"])
@pytest.mark.parametrize("planes", [False, True])
def test_a_game_for_one_agent_passes_the_test_of_the_interface(name, planes):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a space is not normalised, and that there is no registered name
        check_env(gymnasium.env(game(name), illegal="lose", planes=planes), skip_render_check=True)


def play(env, seed):
    """Play a game by the first legal action; return everything that was seen."""
    seen = [env.reset(seed=seed)]
    while not env.state_now.over:
        seen.append(env.step(int(np.flatnonzero(env.action_masks())[0])))
    return seen


def test_the_agent_is_asked_only_when_it_decides_and_gets_its_reward_at_the_end():
    env = gymnasium.env(game("nim"), seat="ben")
    first, *steps = play(env, 5)

    assert "ben" == first[1]["to_move"]
    assert [0.0] * (len(steps) - 1) == [reward for _, reward, *_ in steps[:-1]]
    assert (1.0 if env.state_now.winners() == ["ben"] else -1.0) == steps[-1][1]
    assert steps[-1][2]


def test_the_same_seed_gives_the_same_play_with_any_opponent():
    for others in ("random", "mcts:20", lambda state, seed: state.moves()[seed % len(state.moves())]):
        plays = [[str(each) for each in play(gymnasium.env(game("nim"), others=others), 3)] for _ in range(2)]

        assert plays[0] == plays[1]


def test_an_illegal_action_is_refused_with_its_reasons_or_loses():
    strict, loose = (
        gymnasium.env(game("noughts_and_crosses")),
        gymnasium.env(game("noughts_and_crosses"), illegal="lose"),
    )
    for env in (strict, loose):
        env.reset(seed=1)
        env.step(0)

    with pytest.raises(pr.IllegalMove, match="the square is taken"):
        strict.step(0)
    assert (-1.0, True, False) == loose.step(0)[1:4]


@pytest.mark.parametrize("words", [{"seat": "zoe"}, {"others": "clever"}])
def test_who_does_not_play_is_refused(words):
    with pytest.raises(ValueError, match=r"nobody is called|no opponent"):
        gymnasium.env(game("nim"), **words)


def test_planes_have_a_one_for_the_value_of_each_cell():
    seen = Observations(game("noughts_and_crosses"))
    row = seen.row(game("noughts_and_crosses").start().play("place((2, 2))"), 1)

    planes = seen.planes(row)

    assert [f"{name} = {value}" for name, value in zip(seen.names, row, strict=True)] == [
        name for name, one in zip(seen.plane_names, planes, strict=True) if one
    ]
    assert (planes == seen.planes(np.stack([row, row]))).all()


def test_a_cell_with_many_values_is_one_number():
    seen = Observations(game("bank"))
    planes = dict(zip(seen.plane_names, seen.planes(seen.row(game("bank").start(), 0)), strict=True))

    assert 1.0 == planes["bank"]
    assert 0.0 == planes[f"hand[{game('bank').players[0]}]"]


def test_the_bookkeeping_of_a_set_up_is_left_out():
    zoo, whole = pettingzoo.env(game("pilgrim")), pettingzoo.env(game("pilgrim"), bookkeeping=True)
    left_out = {name.partition("[")[0] for name in {*whole.observations.names} - {*zoo.observations.names}}

    assert {"duties_dealt", "sites_placed", "counters_left"} <= left_out
    assert not {"stage", "piety", "turn"} & left_out
    zoo.reset(seed=1)
    whole.reset(seed=1)
    assert (zoo.observe("player_0") == whole.observe("player_0")[zoo.observations.columns]).all()


@pytest.mark.parametrize("name", ["nim", "kuhn_poker", "pig", "noughts_and_crosses"])
@pytest.mark.parametrize("reward", ["win", "score"])
def test_many_games_go_on_as_one_at_a_time(name, reward):
    """The first game of eight, beside the same moves made in PettingZoo's environment."""
    vector = vector_env(game(name), 8, seed=4, reward=reward)
    single = pettingzoo.env(game(name), reward=reward)
    seen, told = vector.reset(seed=4)
    single.reset()
    single.state_now = game(name).start(4)
    single._go_on()
    for turn in range(40):
        agent = f"player_{told['to_move'][0]}"
        assert agent == single.agent_selection
        assert (single.observe(agent) == seen[0]).all()
        assert (single.infos[agent]["action_mask"] == told["action_mask"][0]).all()
        actions = [int(np.flatnonzero(row)[-(turn % 2)]) for row in told["action_mask"]]
        single.step(actions[0])
        seen, rewards, over, cut, told = vector.step(actions)
        assert not cut.any()
        if over[0]:
            assert list(single.rewards.values()) == pytest.approx(list(told["returns"][0]))
            assert single.rewards[agent] == pytest.approx(rewards[0])
            break
    else:
        pytest.fail("the game is too long for this test")
    assert seen.shape == vector.observation_space.shape
    assert seen[0] in vector.single_observation_space


def test_a_game_that_has_ended_begins_again():
    vector = vector_env(game("kuhn_poker"), 16, planes=True)
    seen, told = vector.reset(seed=1)
    ends = 0
    for _ in range(20):
        seen, rewards, over, _, told = vector.step([int(np.flatnonzero(row)[0]) for row in told["action_mask"]])
        ends += over.sum()
        assert told["action_mask"].any(axis=1).all()
        assert not rewards[~over].any()
        assert told["returns"].sum() == pytest.approx(0)

    assert ends > 50
    assert seen.dtype == np.float32
