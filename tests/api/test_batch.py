"""Games side by side: the games of the library, on every machine, with arrays that say what the library says."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pilgrim_rules import Contradiction, IllegalMove, load
from pilgrim_rules.api import batch as batch_module
from pilgrim_rules.api.batch import Batch
from pilgrim_rules.api.observations import Observations
from pilgrim_rules.engine.machines.choose import machines
from pilgrim_rules.engine.rules import Rules
from tests.support.market_game import market


def played(batch, steps=10_000):
    """Go on at random until all games are over; return how many decisions were made."""
    decisions = 0
    for _ in range(steps):
        if batch.over.all():
            break
        decisions += int((~batch.over).sum())
        batch.step(batch.sample())
    return decisions


@pytest.mark.parametrize("name", ["auction", "byways", "hex", "kalah", "kuhn_poker", "pig", "watermill"])
def test_a_batch_plays_the_games_of_playouts(name):
    game = load(name)
    batch = game.batch(5, seed=21)
    expected = game.playouts(5, seed=21)

    decisions = played(batch)

    assert expected.lengths.sum() == decisions
    assert (expected.scores == batch.scores).all()
    assert (expected.winners == batch.winners).all()


@pytest.mark.parametrize("name", ["auction", "kuhn_poker", "nim", "pilgrim"])
def test_arrays_say_what_the_library_says(name):
    game = load(name)
    batch = game.batch(3, seed=4, observe=True)
    observations = Observations(game)

    for _ in range(6):
        for at in range(len(batch)):
            state = game.state_from_bytes(batch.state(at))
            seat = None if state.over else game.players.index(state.to_move)
            legal = [] if state.over else state.moves()
            assert sorted(map(batch.numbers.number, legal)) == np.flatnonzero(batch.mask[at]).tolist()
            assert (-1 if seat is None else seat) == batch.to_move[at]
            if seat is not None:
                assert observations.row(state, seat).tolist() == batch.observations[at].tolist()
        batch.step(batch.sample())


@pytest.mark.parametrize("name", ["pig", "pilgrim"])
def test_every_machine_gives_the_same_arrays(name, monkeypatch):
    game = load(name)
    found = []
    for wasm in (True, False):
        monkeypatch.setattr(batch_module, "machines", lambda code, wasm=wasm: machines(code, wasm=wasm))
        batch = game.batch(2, seed=8, observe=True)
        played(batch, 8)
        found.append([each.tolist() for each in (batch.states, batch.mask, batch.to_move, batch.observations)])

    assert found[0] == found[1]


def test_games_that_are_over_begin_again_with_seeds_of_their_own():
    game = load("noughts_and_crosses")
    batch = game.batch(4, seed=0)
    played(batch)

    batch.reset(np.array([True, False, True, False]))

    assert [False, True, False, True] == batch.over.tolist()
    assert game.playouts(2, seed=4).lengths.sum() == played(batch)
    assert (game.playouts(2, seed=4).winners == batch.winners[[0, 2]]).all()


def test_an_illegal_move_is_refused_with_its_reasons_and_nothing_changes():
    game = load("noughts_and_crosses")
    batch = game.batch(2)
    taken = batch.numbers.number("place((2, 2))")
    batch.step([taken, taken])
    before = batch.states.copy()

    with pytest.raises(IllegalMove, match="the square is taken"):
        batch.step([batch.numbers.number("place((1, 1))"), taken])
    with pytest.raises(ValueError, match="game 0: moves are numbered from 0 to 8, not 9"):
        batch.step([9, 0])

    assert (before == batch.states).all()


def test_arrays_outlive_their_batch():
    states = load("nim").batch(1000).states

    for _ in range(3):
        load("nim").batch(1000)

    assert (states == states[0]).all()


def test_batches_in_several_threads_do_not_disturb_each_other():
    game = load("kalah")

    def run(seed):
        batch = game.batch(50, seed=seed)
        return played(batch), batch.states.tolist()

    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(run, (1, 2, 3)))

    assert [run(seed) for seed in (1, 2, 3)] == together


def test_a_contradiction_names_the_game_and_what_is_wrong():
    batch = Batch(Rules(market(generous=True)), 3)

    with pytest.raises(Contradiction, match=r"game \d: .*would be"):
        played(batch)


def test_a_batch_has_games():
    with pytest.raises(ValueError, match="at least one game"):
        load("nim").batch(0)
    with pytest.raises(ValueError, match="of at most"):
        load("pilgrim").batch(1 << 24)
