"""Every shipped game as a Python game of OpenSpiel."""

import copy

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="the tests of OpenSpiel need: pip install open_spiel")

import numpy as np
from open_spiel.python.algorithms import cfr, expected_game_score, ismcts, mcts

import pilgrim_rules as pr
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


def test_rulings_are_parameters_of_a_game():
    game = openspiel.game("nim", rulings={"last_stick": "loses"}, longest=40)
    state = game.new_initial_state()
    state.apply_action(0)
    again = pyspiel.load_game("pilgrim_rules_nim_2_win(last_stick=loses)")
    _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))

    assert "loses" == game.get_parameters()["last_stick"]
    for each in (game, again, pyspiel.load_game(str(game)), read.get_game()):
        assert {"last_stick": "loses"} == each.rules.game.instance["rulings"]
    assert openspiel.game("nim").rules.game.instance["rulings"] is None


def test_a_preset_and_a_file_are_parameters_too():
    preset = pr.load("pilgrim").core.presets[0].name

    assert preset == openspiel.game("pilgrim", preset=preset).get_parameters()["preset"]
    with pytest.raises(pr.RulesError):
        openspiel.game("nim", rulings={"last_stik": "loses"})


def test_what_is_proved_of_the_points_is_declared():
    game = openspiel.game("kuhn_poker")

    assert pyspiel.GameType.Utility.ZERO_SUM == game.get_type().utility
    assert (-2, 5, 0) == (game.min_utility(), game.max_utility(), game.utility_sum())
    assert pyspiel.GameType.Utility.GENERAL_SUM == openspiel.game("kalah").get_type().utility


def test_a_position_is_shown_as_a_board():
    state = openspiel.game("noughts_and_crosses").new_initial_state()
    state.apply_action(4)

    assert ". C ." in str(state)


def test_the_value_of_kuhn_poker_is_the_published_one():
    """H. W. Kuhn, A simplified two-person poker (1950): the first player loses one eighteenth of a chip a game."""
    game = openspiel.game("kuhn_poker")  # for chips, as the rules score
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()

    values = expected_game_score.policy_value(game.new_initial_state(), [solver.average_policy()] * 2)

    assert [-1 / 18, 1 / 18] == pytest.approx(values, abs=0.002)


def dealt(*moves):
    state = openspiel.game("kuhn_poker", reward="score").new_initial_state()
    for move in moves:
        state.apply_action(next(at for at in state.legal_actions() if state.action_to_string(at) == move))
    return state


def test_a_past_is_drawn_that_looks_the_same_to_the_player():
    state = dealt("deal(1)", "deal(2)", "lay_aside(0)", "check_")
    drawn = [state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0)) for _ in range(40)]

    assert {state.information_state_string(0)} == {each.information_state_string(0) for each in drawn}
    assert {0, 2} == {each.now["hand", "ben"] for each in drawn}
    assert {1} == {each.now["hand", "ann"] for each in drawn}
    assert {2} == {state.resample_from_infostate(1, lambda: 0.5).now["hand", "ben"]}


def test_information_set_search_plays_kuhn_poker():
    """With the best card a bet is called."""
    bot = ismcts.ISMCTSBot(
        game=openspiel.game("kuhn_poker", reward="score"),
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        uct_c=2.0,
        max_simulations=200,
        random_state=np.random.RandomState(1),
    )
    state = dealt("deal(1)", "deal(2)", "lay_aside(0)", "bet")

    assert "call" == state.action_to_string(bot.step(state))


def test_the_information_state_says_what_was_seen_of_each_move():
    lines = dealt("deal(1)", "deal(2)", "lay_aside(0)", "bet").information_state_string(1).splitlines()

    assert ["chance: deal(?)", "chance: deal(2)", "chance: lay_aside(?)", "ann: bet"] == [
        line.partition(";")[0] for line in lines[1:]
    ]


@pytest.mark.slow
def test_information_set_search_plays_love_letter():
    """It finds out by itself that the princess is better kept."""
    game = openspiel.game("love_letter")
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(2)),
        uct_c=1.4,
        max_simulations=60,
        random_state=np.random.RandomState(2),
    )
    state = game.new_initial_state()
    for move in (
        "draw_deck_aside(countess)",
        "draw_deck_shown(king)",
        "draw_deck_shown(priest)",
        "draw_deck_shown(guardsman)",
        "draw_deck_hand(princess)",
        "draw_deck_hand(baron)",
        "draw_deck_hand(handmaid)",
    ):
        state.apply_action(next(at for at in state.legal_actions() if state.action_to_string(at) == move))

    assert "play_handmaid" == state.action_to_string(bot.step(state))
