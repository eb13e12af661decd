"""Moves as numbers, and what a play is worth."""

import pytest

import pilgrim_rules as pr
from pilgrim_rules.agents.returns import bounds, constant_sum, default_reward, returns
from pilgrim_rules.api import action_numbers
from pilgrim_rules.api.action_numbers import ActionNumbers
from pilgrim_rules.language import find_game
from pilgrim_rules.semantics import chance
from tests.agents.shared import game


@pytest.mark.parametrize("name", find_game.names())
@pytest.mark.parametrize("kind", ["action", "chance"])
def test_every_number_is_one_move_and_every_move_one_number(name, kind):
    moves = ActionNumbers(game(name), kind)

    every = [moves.move(number) for number in range(len(moves))]

    assert len(set(every)) == len(moves)
    assert [moves.number(move) for move in every] == list(range(len(moves)))


def test_too_many_moves_are_refused(monkeypatch):
    monkeypatch.setattr(action_numbers, "MOST", 8)

    with pytest.raises(ValueError, match="has 9 moves; at most 8 can be numbered"):
        ActionNumbers(game("noughts_and_crosses"))


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


def test_points_count_where_the_rules_score_more_than_who_has_won():
    assert {"watermill": "score", "kuhn_poker": "score", "kalah": "score", "nim": "win", "hex": "win"} == {
        name: default_reward(game(name)) for name in ("watermill", "kuhn_poker", "kalah", "nim", "hex")
    }


def test_points_add_up_to_what_an_invariant_says():
    assert 0 == constant_sum(game("kuhn_poker"), "score") == constant_sum(game("kuhn_poker", 3), "score")
    assert constant_sum(game("kalah"), "score") is None
    assert 0 == constant_sum(game("kalah"), "win")


SHARED = """
game shared "Shared"
    players 2..2 named ann, ben

stages
    playing by ann
    over nobody

state
    coins[Player] : 0..3 = 0

action split(n: 0..3)
    by ann
    during playing
    do
        coins[ann] = n
        coins[ben] = 3 - n
        stage = over

score of p
    line "Coins" coins[p]

rank p by score desc

invariant three: stage == over implies (sum of {points} for p in Player) == 3
"""


@pytest.mark.parametrize(("points", "wanted"), [("score(p)", 3), ("coins[p]", 3), ("coins[p] * 1", None)])
def test_a_sum_is_known_if_it_is_that_of_the_points(tmp_path, points, wanted):
    (tmp_path / "game.rules").write_text(SHARED.format(points=points))

    assert wanted == constant_sum(pr.load(tmp_path), "score")
