"""Compiled code and the reference evaluator agree, on random games and random well-typed states."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pilgrim_rules.core.ir import OPERATORS
from pilgrim_rules.engine.codegen.module import source
from pilgrim_rules.engine.compile import Compiled
from pilgrim_rules.engine.errors import Contradiction
from pilgrim_rules.engine.evaluate import OPERATIONS
from tests.engine.random_games import games, positions

# A random game that fails is printed whole, however large.
pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(game=games(), places=st.lists(positions(), min_size=1, max_size=3))
def test_compiled_functions_agree_with_the_reference(game, places):
    check(game, places)


def check(game, places):
    code = Compiled(game, source(game))
    reference, layout = code.reference, code.layout
    for position in places:
        state = layout.encode(position)
        after = layout.encode(places[0])
        assert position == layout.decode(state)
        for action in game.actions:
            stage = {**position, "stage": [action.stages[0]]}
            here = layout.encode(stage)
            legal = list(reference.legal(stage, action))
            assert legal == code.legal(here, action.name)
            assert [] == code.legal(layout.encode({**position, "stage": [2]}), action.name)
            for args in legal[:6]:
                assert code.allowed(here, action.name, args)
                assert reference.weight(stage, action, args) == code.weight(here, action.name, args)
                assert outcome(layout, reference.apply, stage, action, args) == outcome(
                    layout, code.apply, here, action.name, args
                )
        assert reference.by(position) == code.by(state)
        for claim in game.claims:
            assert reference.holds(claim, position, places[0]) == code.holds(claim.name, state, after)
        for player in range(3):
            assert reference.score(position, player) == code.score(state, player)
            assert reference.rank(position, player) == code.rank(state, player)


def outcome(layout, run, *args):
    try:
        after = run(*args)
    except Contradiction as contradiction:
        return type(contradiction)
    return after if isinstance(after, bytes) else layout.encode(after)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
@given(game=games(), places=st.lists(positions(), min_size=1, max_size=3))
def test_compiled_functions_agree_with_the_reference_in_a_long_run(game, places):
    check(game, places)


def test_every_operator_of_the_language_is_in_the_table():
    assert OPERATORS == OPERATIONS.keys() | {"and", "or", "implies"}
