"""The encoding means what the engine does: on random games and the games of the zoo, in states reachable or not."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pilgrim_rules.core.ir import Action, Checked, Fold, Game, Parameter, Ranking, Stage
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.language.load import read_game
from tests.support.core_builder import HERE, Binder, Bound, Pick, Read, game, lit, maybe, number, op, put, var
from tests.support.random_games import games, positions
from tests.support.road_game import roads
from tests.support.searchable_games import ONE_STAGE, THREE, bank, counters
from tests.support.zoo import TABLES, classic
from verifier.crosscheck.engine_vs_smt import disagreements
from verifier.play.visits import good_states, random_play, random_states
from verifier.smt.encode import choice, sums
from verifier.smt.terms.terms import Arena


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(games(), positions())
def test_a_random_game_is_encoded_as_it_is_played(drawn: Game, state: dict[str, list[int]]):
    assert [] == list(disagreements(drawn, [state], solve=False, arguments=4))


@pytest.mark.slow
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(games(), st.lists(positions(), min_size=1, max_size=3))
def test_many_random_games_are_encoded_as_they_are_played(drawn: Game, states: list[dict[str, list[int]]]):
    assert [] == list(disagreements(drawn, states))


@pytest.mark.parametrize("played", [bank(), counters(), roads(radius=1, tiles=5)], ids=lambda played: played.name)
def test_a_game_is_encoded_as_it_is_played(played: Game):
    code = compiled(played, ghosts=True)
    states = [code.layout.decode(state) for state in random_states(code, 2)]
    states += good_states(random_play(code, steps=60), 2)

    assert [] == list(disagreements(played, states))


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_game_of_the_zoo_is_encoded_as_it_is_played(name: str, players: int):
    """Every definition, claim, step and list of legal moves; in a state of play, and in one that no play may reach."""
    played = classic(name, players)
    code = compiled(played, ghosts=True)
    states = [code.layout.decode(state) for state in random_states(code, 1)]
    states += good_states(random_play(code, steps=60), 1)[-1:]

    assert [] == list(disagreements(played, states))


def pilgrim(stages: int) -> tuple[Game, list[dict[str, list[int]]]]:
    """Return the game for three, and a state of play in each of some stages in which players decide."""
    played = read_game("pilgrim", players=3)
    code = compiled(played, ghosts=True)
    found: dict[int, bytes] = {}
    for state in random_play(code, steps=600).came:
        stage = code.stage(state)
        if stage.kind == "player" and any(action.params for action in played.actions if stage.code in action.stages):
            found[stage.code] = state
    return played, [code.layout.decode(state) for state in list(found.values())[:stages]]


def test_some_of_pilgrim_is_encoded_as_it_is_played():
    played, states = pilgrim(2)

    assert 2 == len(states)
    assert [] == list(disagreements(played, states, most=2))


@pytest.mark.slow
def test_all_of_pilgrim_is_encoded_as_it_is_played():
    played, states = pilgrim(8)

    assert [] == list(disagreements(played, states))


# The checks above can fail: each of these faults in the encoder is noticed.


def heaps() -> Game:
    """Twenty heaps; a move puts a stone on two of them, or twice on one, and the next player is the first who has none."""
    at, height = number(0, 19), number(0, 40)
    left, right, player = Bound("a", at), Bound("b", at), Bound("p", THREE)
    stones = Fold("sum", (Binder("h", at),), None, Read("heap", (Bound("h", at),), height), None, number(0, 800))
    turn = Read("turn", (), THREE)
    waiting = Pick(Binder("p", THREE, start=turn), op("!=", player, turn), (), maybe(THREE))
    return game(
        "heaps", THREE, ONE_STAGE,
        stages=(Stage(0, "playing", "player", turn),),
        variables=(
            var("stage", ONE_STAGE, lit(ONE_STAGE, 0)),
            var("heap", height, lit(height, 0), at),
            var("turn", THREE, lit(THREE, 0)),
        ),
        actions=(
            Action(
                "put", "action", (Parameter("a", at), Parameter("b", at)), (0,), (),
                (
                    put("heap", (left,), lit(number(1, 1), 1), "add"),
                    put("heap", (right,), lit(number(1, 1), 1), "add"),
                    put("turn", (), Checked(waiting, THREE, span=HERE)),
                ),
            ),
        ),
        rankings=(Ranking("stones", (stones,)),),
    )  # fmt: skip


def no_distinction(_encoder, _domain, written):
    """Two writes that meet in one cell are counted twice."""
    return [(terms, Arena().truth(True)) for terms in written]


def forgotten_order(encoder, binder, _scope):
    """A sequence always begins at its first value."""
    return [encoder.arena.num(code) for code in range(binder.type.lo, binder.type.hi + 1)]


def test_heaps_are_encoded_as_they_are_played():
    assert [] == list(disagreements(heaps(), some_states(heaps())))


@pytest.mark.parametrize(
    ("module", "name", "fault"),
    [(sums, "_distinct", no_distinction), (choice, "in_order", forgotten_order)],
    ids=["writes that meet", "order of a sequence"],
)
def test_a_fault_in_the_encoder_is_noticed(monkeypatch, module, name, fault):
    monkeypatch.setattr(module, name, fault)

    assert list(disagreements(heaps(), some_states(heaps()), solve=False))


def some_states(played: Game) -> list[dict[str, list[int]]]:
    code = compiled(played, ghosts=True)
    return [code.layout.decode(state) for state in random_states(code, 4)]
