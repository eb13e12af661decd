"""Strategies and state machines for tests with hypothesis."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.stateful import run_state_machine_as_test

import pilgrim_rules as pr
from pilgrim_rules.api.trace import Record
from pilgrim_rules.language.load import read_game
from tests.support.walk_texts import walk
from verifier.fuzz.state_machine import RuleBroken, machine
from verifier.fuzz.strategies import plays, random_states, states

FEW = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck), database=None)
NIM = pr.load("nim")


@FEW
@given(plays(NIM))
def test_a_play_can_be_recorded_and_replayed(play):
    assert play.state == Record.from_json(play.to_json()).replay(NIM).state


@FEW
@given(plays(NIM, to_the_end=True))
def test_a_play_to_the_end_has_a_winner(play):
    assert play.state.over
    assert play.state.winners()


@FEW
@given(states(NIM))
def test_states_are_reachable(state):
    assert state.over == (not state.moves())


@FEW
@given(random_states(NIM))
def test_random_states_are_well_typed(state):
    assert state == NIM.state_from_json(state.to_json())


def test_random_states_need_not_be_reachable():
    seen = set()

    @FEW
    @given(random_states(NIM))
    def draw(state):
        seen.add(state.stage == "over" and bool(state["heap"]))

    draw()
    assert len(seen) == 2


def test_a_failing_play_is_shrunk():
    found = []

    @settings(max_examples=200, deadline=None, database=None)
    @given(plays(NIM))
    def nobody_takes_from_the_last_heap(play):
        taken = [move for move in play.decisions if move.startswith("take(")]
        if len(taken) >= 2:
            found.append(play.decisions)
            raise AssertionError

    with pytest.raises(AssertionError):
        nobody_takes_from_the_last_heap()
    assert 2 == len(found[-1])


@pytest.mark.parametrize("name", ["nim", "kuhn_poker", "pig"])
def test_the_machine_plays_a_shipped_game(name):
    run_state_machine_as_test(machine(read_game(name)), settings=settings(FEW, max_examples=8, stateful_step_count=15))


def test_the_machine_shows_what_is_wrong_as_an_example(tmp_path):
    playing = machine(walk(tmp_path, claims="invariant fresh\n    tired < 2\n"), save_to=tmp_path / "traces")
    with pytest.raises(RuleBroken) as caught:
        run_state_machine_as_test(playing, settings=settings(FEW, max_examples=30, stateful_step_count=8))
    assert ("leap", "rest", "leap") == caught.value.failure.moves
    text = str(caught.value)
    assert "    when leap\n    when leap\n    expect tired < 2\n" in text
    (path,) = (tmp_path / "traces").iterdir()
    assert str(path) in text
    assert 3 == len(Record.load(path).steps)
