"""Moves as numbers, and what a play is worth."""

import pytest

from pilgrim_rules import specs
from pilgrim_rules.agents import numbering
from pilgrim_rules.agents.numbering import Numbering
from pilgrim_rules.agents.returns import bounds, default_reward, returns
from pilgrim_rules.engine import chance
from tests.agents.shared import game


@pytest.mark.parametrize("name", specs.names())
@pytest.mark.parametrize("kind", ["action", "chance"])
def test_every_number_is_one_move_and_every_move_one_number(name, kind):
    moves = Numbering(game(name), kind)

    every = [moves.move(number) for number in range(len(moves))]

    assert len(set(every)) == len(moves)
    assert [moves.number(move) for move in every] == list(range(len(moves)))


def test_too_many_moves_are_refused(monkeypatch):
    monkeypatch.setattr(numbering, "MOST", 8)

    with pytest.raises(ValueError, match="has 9 moves; at most 8 can be numbered"):
        Numbering(game("noughts_and_crosses"))


@pytest.mark.parametrize("name", ["auction", "kalah", "kuhn_poker", "pig", "pilgrim", "watermill"])
@pytest.mark.parametrize("reward", ["win", "score"])
def test_what_a_play_is_worth_lies_within_its_bounds(name, reward):
    least, most = bounds(game(name), reward)
    for seed in range(3):
        state, generator = game(name).start(seed), chance.seeded(seed)
        while not state.over:
            moves = state.moves()
            at, generator = chance.below(generator, len(moves))
            state = state.play(moves[at])
        worth = returns(state, reward)

        assert all(least <= each <= most for each in worth)
        if reward == "win" and len(worth) > 1:
            assert sum(worth) == pytest.approx(0)


def test_whoever_plays_alone_plays_for_points():
    assert "score" == default_reward(game("watermill"))
    assert "win" == default_reward(game("nim"))
