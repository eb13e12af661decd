"""Many games at once: the same games as the library plays, on every machine; what breaks is found and told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pilgrim_rules import load
from pilgrim_rules.core.ghosts import without_ghosts
from pilgrim_rules.core.ir import Claim, Lit, Read
from pilgrim_rules.engine.affected_claims import affected_claims
from pilgrim_rules.engine.bulk_play import BulkPlayer, BulkPolicy, play_games
from pilgrim_rules.engine.machines.choose import machines
from pilgrim_rules.engine.machines.python_machine import PythonMachine
from pilgrim_rules.engine.machines.wasm_machine import WasmCode
from pilgrim_rules.engine.python.compile import Compiled, compiled, source
from pilgrim_rules.engine.tree_search import Search
from pilgrim_rules.engine.wasm import functions
from pilgrim_rules.engine.wasm.types import Unprintable
from pilgrim_rules.language import find_game
from pilgrim_rules.semantics import chance
from pilgrim_rules.semantics.errors import Contradiction, UnknownAction
from tests.support.core_builder import op
from tests.support.market_game import market

POLICIES = {
    "random": BulkPolicy(),
    "greedy": BulkPolicy("greedy"),
    "swarm": BulkPolicy("weighted", palette=(1, 6, 36)),
    "mcts": BulkPolicy("mcts", search=Search(iterations=4)),
}


#: Games whose score asks a network, which WebAssembly cannot: they are played in Python.
ASK_NETWORKS = {"byways"}


def library_game(game, seed, longest):
    """Play one game at random through the library; return its decisions and its last state."""
    state, generator = game.start(seed), chance.seeded(~seed)
    for decisions in range(longest):
        if state.over:
            return decisions, state
        moves = state.moves()
        at, generator = chance.below(generator, len(moves))
        state = state.play(moves[at])
    return longest, state


@pytest.mark.parametrize("name", find_game.names())
def test_bulk_play_plays_the_games_of_the_library(name):
    game = load(name)
    longest = 60

    found = game.playouts(3, seed=11, longest=longest)

    for at, seed in enumerate((11, 12, 13)):
        decisions, state = library_game(game, seed, longest)
        points = {player: score.total for player, score in state.scores().items()}
        assert (seed, decisions, state.over, tuple(state.winners()), points) == found[at]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", sorted({*find_game.names()} - ASK_NETWORKS))
def test_every_machine_gives_the_same_results(name, policy):
    code = load(name).code

    wasm, python = (
        play_games(code, machines(code, wasm=wasm), 2, seed=5, policy=POLICIES[policy], longest=25)
        for wasm in (True, False)
    )

    assert python == wasm


@pytest.mark.parametrize("name", sorted(ASK_NETWORKS))
def test_a_game_that_webassembly_cannot_hold_is_played_in_python(name):
    code = load(name).code

    with pytest.raises(Unprintable):
        machines(code, wasm=True)
    assert isinstance(machines(code)(), PythonMachine)


def test_results_do_not_depend_on_the_number_of_threads():
    game = load("kalah")

    one, three = (game.playouts(100, seed=9, threads=threads) for threads in (1, 3))

    assert list(one) == list(three)
    assert one.used == three.used


def test_results_are_arrays_too():
    game = load("noughts_and_crosses")

    found = game.playouts(50)

    assert [each.decisions for each in found] == found.lengths.tolist()
    assert [each.over for each in found] == found.over.tolist()
    assert [[each.points[name] for name in found.players] for each in found] == found.scores.tolist()
    assert [[name in each.winners for name in found.players] for each in found] == found.winners.tolist()
    assert sum(found.used.values()) == found.lengths.sum()
    assert np.isin(found.lengths, range(5, 10)).all()


def test_games_begin_in_the_state_that_is_given():
    game = load("noughts_and_crosses")
    state = game.start()
    for _ in range(4):
        state = state.play(state.moves()[0])

    assert set(range(1, 6)) >= set(game.playouts(30, start=state).lengths.tolist())


def test_a_heavy_action_is_chosen_often_and_one_without_weight_only_if_there_is_no_other():
    game = load("pilgrim")

    never, even, often = (
        game.playouts(20, policy={"tithe": weight}, longest=100).used["tithe"] for weight in (0, 1, 1000)
    )

    assert never < even < often


def test_a_policy_that_does_not_exist_is_refused():
    game = load("nim")

    with pytest.raises(UnknownAction, match="did you mean `take`"):
        game.playouts(1, policy={"taek": 3})
    with pytest.raises(ValueError, match="a policy is"):
        game.playouts(1, policy="wise")
    with pytest.raises(ValueError, match="from 0 to"):
        game.playouts(1, policy={"take": -1})


# ------------------------------------------------------------------------------------------------------ what goes wrong


@pytest.fixture(scope="module")
def leaky():
    """Return a market that pays more than a purse can hold."""
    return compiled(market(generous=True))


def test_a_contradiction_is_raised_with_the_steps_that_led_to_it(leaky):
    for wasm in (True, False):
        with pytest.raises(Contradiction) as raised:
            play_games(leaky, machines(leaky, wasm=wasm), 10)

        assert "would be" in raised.value.breach.says
        assert raised.value.steps


def test_a_claim_that_breaks_ends_the_run_and_its_moves_replay():
    core = without_ghosts(load("noughts_and_crosses").core)
    stage = op("!=", Read("stage", (), core.stage), Lit(core.stages[-1].code, core.stage))
    game = replace(core, claims=(Claim("never_over", "invariant", stage),))
    code = Compiled(game, source(game))
    checks = affected_claims(game)

    found = [
        play_games(code, machines(code, checks, wasm=wasm), 10, seed=3, watch=True).broken for wasm in (True, False)
    ]

    assert found[0] == found[1]
    assert (3, 0) == (found[0].seed, found[0].claim)
    moves = BulkPlayer(code, machines(code, checks)(), code.start, BulkPolicy(), None).moves(3, watch=True)
    state = code.start
    for number, args in moves:
        assert code.holds("never_over", state)
        state = code.apply_of[number](state, *args)
    assert not code.holds("never_over", state)


def test_only_what_an_action_can_break_is_asked_and_nothing_of_pilgrim_breaks():
    core = load("pilgrim", ghosts=True).core
    code = compiled(core, ghosts=True)
    checks = affected_claims(core)
    claims = sum(claim.kind in ("invariant", "conserved", "step") for claim in core.claims)

    asked = sum(map(len, checks.values())) / len(checks)
    found = play_games(code, machines(code, checks, wasm=True), 20, watch=True)

    assert asked < claims * 0.7
    assert found.broken is None
    assert isinstance(machines(code, wasm=False)(), PythonMachine)


def test_a_function_with_more_locals_than_webassembly_allows_is_not_printed(monkeypatch):
    monkeypatch.setattr(functions, "_MOST_LOCALS", 3)

    with pytest.raises(Unprintable, match="needs more than 3 locals"):
        WasmCode(load("kalah").code.game, "a module that nobody kept")
