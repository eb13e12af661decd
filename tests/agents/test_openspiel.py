"""Every shipped game as a Python game of OpenSpiel."""

import copy

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="the tests of OpenSpiel need: pip install open_spiel")

from open_spiel.python.algorithms import cfr, expected_game_score

from pilgrim_rules.agents import openspiel
from tests.agents.shared import every_instance


@every_instance
def test_every_game_passes_the_random_simulation(name, players):
    simulate(openspiel.game(name, players, longest=30), games=1)


@pytest.mark.slow
@every_instance
def test_every_game_passes_the_random_simulation_of_whole_games(name, players):
    simulate(openspiel.game(name, players, longest=500), games=2)


def simulate(game, games):
    pyspiel.random_sim_test(game, num_sims=games, serialize=False, verbose=False)


def test_a_position_survives_being_written_and_read():
    game = openspiel.game("kuhn_poker")
    state = game.new_initial_state()
    state.apply_action(state.chance_outcomes()[0][0])

    _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))

    assert str(read) == str(state) == str(copy.deepcopy(state)) == str(state.clone())


def test_what_a_player_remembers_does_not_tell_the_other_card():
    def remembered(card):
        state = openspiel.game("kuhn_poker").new_initial_state()
        for move in ("deal(1)", f"deal({card})"):
            state.apply_action(next(at for at, _ in state.chance_outcomes() if state.action_to_string(at) == move))
        return [state.information_state_string(seat) for seat in (0, 1)]

    assert remembered(0)[0] == remembered(2)[0]
    assert remembered(0)[1] != remembered(2)[1]


def test_the_value_of_kuhn_poker_is_the_published_one():
    """H. W. Kuhn, A simplified two-person poker (1950): the first player loses one eighteenth of a chip a game."""
    game = openspiel.game("kuhn_poker", reward="score")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()

    values = expected_game_score.policy_value(game.new_initial_state(), [solver.average_policy()] * 2)

    assert values[0] - values[1] == pytest.approx(2 * -1 / 18, abs=0.02)
