"""Compiled Python, WebAssembly and the reference evaluator agree, on random games and random well-typed states."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from pilgrim_rules.engine.python.compile import Compiled, source
from pilgrim_rules.engine.wasm.types import Unprintable
from pilgrim_rules.semantics.errors import Breach, Contradiction
from tests.engine.on_wasm import OnWasm
from tests.support.random_games import games, positions

# A random game that fails is printed whole, however large.
pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(game=games(), places=st.lists(positions(), min_size=1, max_size=3))
def test_compiled_functions_agree_with_the_reference(game, places):
    check(game, places)


def check(game, places):
    code = Compiled(game, source(game))
    reference, layout = code.reference, code.layout
    try:
        wasm = OnWasm(game)
    except Unprintable:  # a random game may need wider numbers or longer functions than a real one
        event("no WebAssembly")
        wasm = None
    for position in places:
        state = layout.encode(position)
        after = layout.encode(places[0])
        assert position == layout.decode(state)
        for number, action in enumerate(game.actions):
            stage = {**position, "stage": [action.stages[0]]}
            here = layout.encode(stage)
            legal = list(reference.legal(stage, action))
            assert legal == code.legal(here, action.name)
            assert [] == code.legal(layout.encode({**position, "stage": [2]}), action.name)
            assert wasm is None or legal == wasm.legal(here, number)
            for args in legal[:6]:
                assert code.allowed(here, action.name, args)
                weight = reference.weight(stage, action, args)
                assert weight == code.weight(here, action.name, args)
                assert wasm is None or weight == wasm.weight(here, number, args)
                expected = outcome(layout, reference.apply, stage, action, args)
                assert expected == outcome(layout, code.apply, here, action.name, args)
                assert wasm is None or (None if isinstance(expected, Breach) else expected) == wasm.apply(
                    here, number, args
                )
        assert reference.by(position) == code.by(state)
        assert wasm is None or reference.by(position) == wasm.by(state)
        for number, claim in enumerate(game.claims):
            holds = reference.holds(claim, position, places[0])
            assert holds == code.holds(claim.name, state, after)
            assert wasm is None or holds == wasm.holds(number, state, after)
        for player in range(3):
            for each in [code] if wasm is None else [code, wasm]:
                assert reference.score(position, player) == each.score(state, player)
                assert reference.rank(position, player) == each.rank(state, player)


def outcome(layout, run, *args):
    try:
        after = run(*args)
    except Contradiction as contradiction:
        return contradiction.breach
    return after if isinstance(after, bytes) else layout.encode(after)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
@given(game=games(), places=st.lists(positions(), min_size=1, max_size=3))
def test_compiled_functions_agree_with_the_reference_in_a_long_run(game, places):
    check(game, places)
