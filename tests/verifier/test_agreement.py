"""The encoding means what the engine does: on random games and the games of the zoo, in states reachable or not."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.compile import compiled
from tests.engine.random_games import games, positions
from tests.explore.games import bank, counters
from tests.verifier.roads import roads
from verifier.agree import disagreements
from verifier.play import good_states, random_play, random_states


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(games(), st.lists(positions(), min_size=1, max_size=2))
def test_a_random_game_is_encoded_as_it_is_played(game: Game, states: list[dict[str, list[int]]]):
    assert [] == list(disagreements(game, states, solve=False))


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(games(), positions())
def test_the_solver_finds_exactly_the_legal_moves_of_a_random_game(game: Game, state: dict[str, list[int]]):
    assert [] == list(disagreements(game, [state]))


@pytest.mark.parametrize("game", [bank(), counters(), roads(radius=2, tiles=12)], ids=lambda game: game.name)
def test_a_game_is_encoded_as_it_is_played(game: Game):
    code = compiled(game, ghosts=True)
    states = [code.layout.decode(state) for state in random_states(code, 2)]
    states += good_states(random_play(code, steps=60), 2)

    assert [] == list(disagreements(game, states))
