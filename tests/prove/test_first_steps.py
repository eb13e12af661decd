"""Induction over several steps begins with all first states: it is no proof where play cannot look at one of them."""

from pilgrim_rules.evidence.record import Verdict
from tests.support.proved_texts import game, record

COUNTER = """\
    game counter
        players 2..2

    stages
        playing by turn
        over nobody

    state
        turn : Player
        {cells}

    action go
        during playing
        {go}

    action leave
        during playing
        do stage = over

    {claims}
    """


def test_a_broken_contract_ends_no_play_for_other_claims():
    cells = "a : 0..3 = 0\n        b : 0..9 = 0"
    go = "require a < 3\n        do\n            a += 1\n            if b < 9: b += 1"
    claims = (
        "contract low of go\n        ensures a' < 2\n\n    invariant small: b <= 1\n    step slow: b' == b or b' <= 1"
    )
    text = COUNTER.format(cells=cells, go=go, claims=claims)

    assert Verdict.REFUTED is record(game(text), "contract.low.ensures_1/go").verdict
    assert Verdict.NOT_INDUCTIVE is record(game(text), "invariant.small/go").verdict
    assert Verdict.NOT_INDUCTIVE is record(game(text), "step.slow/go").verdict


def test_a_counter_that_the_engine_cannot_hold_is_not_left_out():
    cells = "a : 0.. = 70000\n        done : bool"
    go = "require not done\n        do\n            a = a * a\n            done = true"
    text = COUNTER.format(cells=cells, go=go, claims="invariant small: a < 2000000000")

    assert Verdict.NOT_INDUCTIVE is record(game(text), "invariant.small/go").verdict
