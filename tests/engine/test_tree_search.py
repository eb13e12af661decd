"""A player that looks ahead: the same on every machine, and better than one that does not."""

from __future__ import annotations

import struct

import pytest

from pilgrim_rules import load
from pilgrim_rules.api.veiled_player import VeiledPlayer
from pilgrim_rules.engine.bulk_play import BulkPolicy
from pilgrim_rules.engine.kernels.roll_out import WORTH
from pilgrim_rules.engine.machines.choose import machines
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.engine.tree_search import Search, TreePlayer, put_tree, room_for_moves
from pilgrim_rules.semantics.errors import Contradiction
from tests.support.market_game import market


def thinks(game, state, *, wasm, iterations=60):
    """Return what a search on one kind of machine finds."""
    machine = machines(game.code, wasm=wasm)()
    return TreePlayer(game.code, machine, Search(iterations), iterations + 1).think([state.data], seed=7)


@pytest.mark.parametrize("name", ["noughts_and_crosses", "pig", "hoard", "watermill", "bank"])
def test_every_machine_thinks_alike(name):
    game = load(name)

    python, wasm = (thinks(game, game.start(3), wasm=wasm) for wasm in (False, True))

    assert python == wasm
    assert 60 == sum(each.visits for each in wasm)


def test_every_legal_move_is_looked_at_and_no_other():
    state = load("pilgrim").start(5)

    advice = state.advise(400)

    assert sorted(state.moves()) == sorted(each.move for each in advice.opinions)
    assert advice.opinions[0].move == advice.move
    assert all(0 <= each.worth <= 1 for each in advice.opinions)


def test_a_victory_is_taken_and_a_threat_is_met():
    game = load("noughts_and_crosses")
    threat = game.start().play("place((1, 1))", "place((2, 2))", "place((1, 2))")

    assert "place((1, 3))" == threat.advise(500).move
    assert "place((1, 3))" == threat.play("place((3, 3))").advise(500).move


@pytest.mark.parametrize("seed", range(3))
def test_nim_is_won_by_the_only_winning_move(seed):
    game = load("nim")
    state = game.start()

    after = state.play(state.advise(200_000, seed=seed).move)

    xor = 0
    for heap in after["heap"].values():
        xor ^= heap
    assert 0 == xor


def test_a_limit_in_seconds_is_kept_whatever_the_game_costs():
    advice = load("connect_four").start().advise(seconds=0.05)

    assert advice.move in load("connect_four").start().moves()


def test_the_same_seed_gives_the_same_advice_and_another_seed_may_not():
    state = load("hex").start()

    assert state.advise(100, seed=1) == state.advise(100, seed=1)
    assert state.advise(100, seed=1) != state.advise(100, seed=2)


def test_looking_ahead_wins():
    game = load("connect_four")

    found = game.playouts(20, seats={game.players[0]: "mcts:200"})

    assert found.winners[:, 0].sum() >= 17


def test_a_move_that_was_worth_more_is_made_more_often_behind_the_tree():
    game = load("noughts_and_crosses")
    made = {wasm: _made_behind_the_tree(game, machines(game.code, wasm=wasm)(), best=4) for wasm in (True, False)}

    assert made[True] == made[False]
    assert 600 * 0.2 < made[True].count(4) < 600 * 0.4, "the best of three, not of one (0.11) and not of all (1)"


def _made_behind_the_tree(game, machine, best):
    """Return which moves a search would make in 600 games, by number, if one of those at the start was worth a victory and the others none."""
    tree = put_tree(game.code, machine, Search(), 2)
    played = machine.view(tree, 4).cast("I")[0]
    state = machine.view(played + 16, 4).cast("I")[0]
    machine.view(state, len(game.code.start))[:] = game.code.start
    out = machine.allocate(room_for_moves(game.code))
    end = machine.call("moves", state, out)
    moves = list(machine.view(out, end - out).cast("Q"))
    for number, move in enumerate(moves):
        entry = machine.call("habit", tree, move, machine.call("by", state))
        struct.pack_into("<IQ", machine.view(entry, 12), 0, 1, WORTH if number == best else 0)
    return [moves.index(machine.call("usual_move", tree, out, end, 0)) for _ in range(600)]


def test_who_looks_further_ahead_in_pilgrim_has_more_points():
    game = load("pilgrim")

    found = game.playouts(12, seats={game.players[0]: "mcts:30"})

    assert found.winners[:, 0].all()
    assert found.scores[:, 0].sum() > 3 * found.scores[:, 1].sum()


def test_a_seat_takes_a_policy_of_its_own():
    game = load("nim")

    with pytest.raises(ValueError, match="there is no player"):
        game.playouts(1, seats={"nobody": "mcts"})
    with pytest.raises(ValueError, match="a policy is"):
        game.playouts(1, seats={game.players[0]: "mcts:0"})
    with pytest.raises(ValueError, match="count iterations, not seconds"):
        game.playouts(1, policy="mcts:1s")


def test_the_search_does_not_look_at_secrets():
    """Who holds the best or the worst card of three advises the same whatever the other one holds."""
    game = load("kuhn_poker")
    start = game.start()

    for card in range(3):
        others = [each for each in range(3) if each != card]
        advised = []
        for other, spare in (others, others[::-1]):
            state = start.play(f"deal({card})", f"deal({other})", f"lay_aside({spare})")
            advised.append(state.advise(100, seed=5))
        assert advised[0] == advised[1]


@pytest.mark.parametrize("name", ["kuhn_poker", "love_letter"])
def test_games_with_secrets_are_searched_in_bulk(name):
    game = load(name, 2)
    first, second = game.players

    found = game.playouts(12, seed=3, policy="mcts:30", longest=60)
    seated = game.playouts(12, seed=3, seats={first: "mcts:30", second: "greedy"}, longest=60)

    assert found.over.all()
    assert seated.over.all()
    assert list(found) == list(game.playouts(12, seed=3, policy="mcts:30", longest=60, threads=2))


def test_a_search_in_bulk_does_not_look_at_secrets():
    """Two games that differ in what the first player does not see only: the first decision is the same."""
    game = load("kuhn_poker")
    start = game.start()
    for card in range(3):
        others = [each for each in range(3) if each != card]
        decided = []
        for other, spare in (others, others[::-1]):
            state = start.play(f"deal({card})", f"deal({other})", f"lay_aside({spare})")
            player = VeiledPlayer(game, machines(game.code)(), state.data, BulkPolicy("mcts", search=Search(50)), 1)
            decided.append(player.moves(5)[:1])
        assert decided[0] == decided[1]


def test_every_machine_searches_alike_where_there_are_secrets():
    game = load("kuhn_poker")
    policy = BulkPolicy("mcts", search=Search(20))

    wasm, python = (
        VeiledPlayer(game, machines(game.code, wasm=wasm)(), game.code.start, policy, None).run(9, 3)
        for wasm in (True, False)
    )

    assert wasm == python


def test_nobody_is_advised_when_nobody_decides():
    game = load("nim")
    state = game.start()
    while not state.over:
        state = state.play(state.moves()[0])

    with pytest.raises(ValueError, match="nobody decides"):
        state.advise()
    with pytest.raises(ValueError, match="iterations"):
        game.start().advise(0)


def test_a_contradiction_in_thought_is_told():
    code = compiled(market(generous=True))
    for wasm in (True, False):
        player = TreePlayer(code, machines(code, wasm=wasm)(), Search(2000), 2001)
        with pytest.raises(Contradiction):
            player.think([code.start], seed=1)
