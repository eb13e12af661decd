"""Names of a game and names of the prover do not meet in a solver."""

import pytest

from pilgrim_rules.evidence.record import Verdict
from tests.support.proved_texts import game, record

RULES = """
    game names
        players 2..2 named red, blue

    stages
        playing by red
        over nobody

    state
        {name} : bool = true
        key    : 0..100000
        count  : 0..100000

    action off
        during playing
        require count == 100000
            else "not yet"
        do {name} = false

    action turn_key
        during playing
        require not {name} and key < 100000
            else "not yet"
        do key += 1

    action wait
        during playing
        require count < 100000
            else "long enough"
        do count += 1

    invariant low
        key <= count and key < 500
"""


@pytest.mark.parametrize("name", ["goal", "range", "t12", "label"])
def test_a_cell_may_be_called_as_the_prover_calls_a_part_of_its_query(name):
    """With the goal assumed under a cell's own name, `not goal` could never hold, and what is false was proved."""
    found = record(game(RULES.format(name=name)), "names.invariant.low/turn_key")

    assert Verdict.NOT_INDUCTIVE == found.verdict


@pytest.mark.parametrize("name", ["goal", "t12"])
def test_a_second_solver_reads_a_query_about_a_cell_of_such_a_name(name):
    text = RULES.format(name=name).replace("key <= count and key < 500", f"{name} or key >= 0")
    found = record(game(text), "names.range/turn_key", confirm=True)

    assert Verdict.PROVED == found.verdict
    assert found.confirmed
