"""Weights that are learned by playing: they reach what they are for, are the same on every machine, and know nothing of a game."""

from __future__ import annotations

import pytest

from pilgrim_rules import load
from pilgrim_rules.engine import learned_weights as learning
from pilgrim_rules.engine.machines.choose import machines
from pilgrim_rules.engine.python.compile import compiled
from verifier.play.hunt import Hunter, liked_actions

GAMES = 300


@pytest.fixture
def _no_cache(monkeypatch):
    monkeypatch.setenv("PILGRIM_CACHE", "")


@pytest.mark.usefixtures("_no_cache")
@pytest.mark.parametrize("name", ["watermill", "caravan", "almanac"])
def test_players_have_more_points(name):
    game = load(name)
    even, learned = (game.playouts(GAMES, seed=5, policy=policy) for policy in ("random", "learned"))
    assert learned.scores.mean() > 1.3 * even.scores.mean()


@pytest.mark.usefixtures("_no_cache")
@pytest.mark.parametrize("name", ["watermill", "caravan", "love_letter"])
def test_the_rarest_action_is_less_rare(name):
    game = load(name)
    chosen = [action.name for action in game.core.actions if action.kind == "action"]
    even, curious = (game.playouts(GAMES, seed=5, policy=policy).used for policy in ("random", "curious"))
    assert min(curious[each] for each in chosen) > 1.5 * min(even[each] for each in chosen)


@pytest.mark.usefixtures("_no_cache")
@pytest.mark.parametrize("goal", ["points", "variety"])
def test_weights_are_the_same_on_every_machine(goal, monkeypatch):
    monkeypatch.setattr(learning, "VECTORS", 8)
    monkeypatch.setattr(learning, "KEPT", 2)
    monkeypatch.setattr(learning, "GAMES", 4)
    monkeypatch.setattr(learning, "GENERATIONS", 2)
    code = load("watermill").code
    native, slow = (learning.learned_weights(code, machines(code, wasm=wasm), goal) for wasm in (True, False))
    assert native == slow
    assert len(set(native)) > 1


def test_what_was_learned_is_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("PILGRIM_CACHE", str(tmp_path))
    tmp_path.chmod(0o700)
    code = load("caravan").code
    found = learning.learned_weights(code, machines(code), "points")
    monkeypatch.setattr(learning, "_Learning", None)  # nobody learns any more
    assert learning.learned_weights(code, machines(code), "points") == found


@pytest.mark.usefixtures("_no_cache")
def test_where_there_is_no_choice_nothing_is_learned():
    code = load("kalah").code
    assert set(learning.learned_weights(code, machines(code), "points")) == {1}


def test_seats_share_their_weights():
    game = load("watermill", 2)
    first, second = game.players
    found = game.playouts(40, seed=1, seats={first: "learned", second: "random"})
    assert found.winners[:, 0].sum() > found.winners[:, 1].sum()
    with pytest.raises(ValueError, match="the same weights"):
        game.playouts(1, seats={first: "learned", second: "curious"})


def test_a_search_can_think_by_learned_weights():
    game = load("watermill", 2)
    assert len(game.playouts(2, seed=1, policy="learned+mcts:10")) == 2


def test_a_hunter_has_a_policy_of_what_is_liked():
    code = compiled(load("love_letter").core, ghosts=True)
    liked = liked_actions(code)
    plain, curious = Hunter(code), Hunter(code, liked=liked)
    assert curious.policies == plain.policies + 1
    rare = next(at for at, action in enumerate(code.game.actions) if action.name == "play_king")
    assert curious.turn(1, 0, GAMES).used[rare] > 1.5 * curious.turn(0, 0, GAMES).used[rare]
