"""The set of states: exact, whatever the hash does."""

from __future__ import annotations

import numpy as np
import pytest

from verifier.explore.state_set import Budget, OutOfBudget, States

PLENTY = Budget(10**7, 1 << 30)


@pytest.mark.parametrize(("words", "top"), [(1, 50), (1, 2**40), (2, 9), (3, 2**62), (5, 3)])
def test_the_set_holds_what_a_python_set_would(words, top):
    random = np.random.default_rng(words)
    states, expected = States(words, 63, PLENTY), {}
    for _ in range(40):
        batch = random.integers(0, top, (words, 700), dtype=np.int64)
        new = states.add(batch)
        assert len(set(new.tolist())) == len(new)
        fresh = {tuple(column) for column in batch.T.tolist()} - expected.keys()
        assert {tuple(batch[:, at].tolist()) for at in new} == fresh
        for at in new:
            expected[tuple(batch[:, at].tolist())] = len(expected)
    assert states.count == len(expected)
    assert [tuple(column) for column in states.words[:, : states.count].T.tolist()] == list(expected)


def test_states_that_share_a_slot_stay_apart():
    """Whole batches that collide: only the high bits differ, which the shifted product loses in a small table."""
    states = States(1, 63, PLENTY)
    batch = (np.arange(4000, dtype=np.int64) << 50)[None]
    assert len(states.add(batch)) == 4000
    assert len(states.add(batch)) == 0


def test_few_possible_states_have_slots_of_their_own():
    states = States(1, 10, PLENTY)
    batch = np.array([[5, 7, 5, 1023, 0, 7]], dtype=np.int64)
    assert sorted(batch[0][states.add(batch)].tolist()) == [0, 5, 7, 1023]


@pytest.mark.parametrize("budget", [Budget(5000, 1 << 30), Budget(10**7, 300_000)])
def test_the_budget_is_kept(budget):
    states = States(1, 63, budget)

    def fill():
        for at in range(100):
            states.add(np.arange(at * 1000, at * 1000 + 1000, dtype=np.int64)[None])

    with pytest.raises(OutOfBudget, match="budget of"):
        fill()
    assert states.bytes <= budget.bytes
    assert states.count <= budget.states + 1000
