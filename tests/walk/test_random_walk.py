"""The one random walk: the same on every machine, and every policy may choose every move."""

from collections import Counter
from itertools import pairwise

import pytest

from pilgrim_rules.api.game import load
from pilgrim_rules.walk.policies import FAVOURED, SWARM, ByAction, Guided, Uniform, Weighted
from pilgrim_rules.walk.random_source import RandomSource
from pilgrim_rules.walk.random_walk import options_of, random_arguments, random_state, walk

OPTIONS = [((0, (1,)), 1), ((0, (2,)), 1), ((0, (3,)), 1), ((1, ()), 1)]


def counted(policy, options=OPTIONS, times=2000):
    random = RandomSource(3)
    return Counter(policy.choose(options, random) for _ in range(times))


def test_a_seed_gives_the_same_numbers_everywhere():
    assert [87, 4, 46, 3] == _numbers(RandomSource(7), 4)


def _numbers(random, count):
    return [random.below(100) for _ in range(count)]


@pytest.mark.parametrize(("one", "other"), [("a", "b"), (1, 2), ("1/2", "12")])
def test_different_seeds_give_different_numbers(one, other):
    assert _numbers(RandomSource(one), 8) != _numbers(RandomSource(other), 8)
    assert _numbers(RandomSource(one), 8) == _numbers(RandomSource(one), 8)


def test_a_sample_has_no_thing_twice():
    assert {*range(5)} == {*RandomSource(1).sample(range(5), 9)}
    assert 3 == len({*RandomSource(1).sample(range(50), 3)})


def test_uniform_play_weighs_the_outcomes_of_chance():
    found = counted(Uniform(), [((0, ()), 1), ((1, ()), 3)])

    assert 0.7 < found[1, ()] / sum(found.values()) < 0.8


def test_an_action_with_one_move_is_as_likely_as_one_with_three():
    found = counted(ByAction())

    assert 0.45 < found[1, ()] / sum(found.values()) < 0.55
    assert {move for move, _ in OPTIONS} == {*found}


def test_what_is_preferred_is_chosen_among():
    assert {(1, ())} == {*counted(ByAction(lambda actions: [each for each in actions if each == 1]))}


def test_chance_is_weighed_by_action_too_if_asked_for():
    found = counted(ByAction(chance=True), [((0, ()), 1), ((1, ()), 9)])

    assert found[1, ()] > 8 * found[0, ()] > 0


def test_a_swarm_favours_some_actions_and_excludes_none():
    drawn = Weighted.swarm(range(40), RandomSource(1), frozenset({3}))

    assert FAVOURED == drawn.weights[3]
    assert {*SWARM} == {*drawn.weights.values()}
    assert {move for move, _ in OPTIONS} == {*counted(Weighted({0: 1, 1: 9}))}


def test_a_guided_walk_looks_for_what_was_tried_least_as_often_as_it_should():
    found = counted(Guided(Weighted({0: 1, 1: 1_000_000}), lambda move: (move[1] != (2,),), 20))

    assert 0.15 < found[0, (2,)] / sum(found.values()) < 0.25


@pytest.mark.parametrize("name", ["nim", "pig", "kuhn_poker"])
def test_a_walk_makes_only_moves_that_can_be_made_and_is_the_same_again(name):
    game = load(name)

    def step(state, move):
        assert game.runner.allows(state, move)
        return game.code.apply_of[move[0]](state, *move[1])

    def played(seed):
        options = lambda state: options_of(game.runner, state)  # noqa: E731
        return list(walk(game.code.start, options, step, Uniform(), RandomSource(seed), 200))

    one = played(5)

    assert one == played(5)
    assert one != played(6)
    assert all(first.after == second.before for first, second in pairwise(one))


def test_a_walk_ends_where_a_step_leads_nowhere():
    assert [] == list(walk(b"", lambda _: OPTIONS, lambda *_: None, Uniform(), RandomSource(0), 9))
    assert 9 == len(list(walk(b"", lambda _: OPTIONS, lambda *_: b"", Uniform(), RandomSource(0), 9)))


def test_random_states_and_arguments_are_of_their_types():
    game = load("nim")
    random = RandomSource(2)

    for _ in range(50):
        game.state_from_bytes(random_state(game.layout, random))
        for action in game.core.actions:
            types = [param.type for param in action.params]
            args = random_arguments(types, random)
            assert all(type_.lo <= arg <= type_.hi for type_, arg in zip(types, args, strict=True))
