"""Hints of earlier runs: witnesses are evaluated again, and count only where the invariants allow their state."""

from __future__ import annotations

import pytest

from pilgrim_rules.evidence.record import Verdict
from tests.support.proved_texts import game
from verifier.prove.hints import NO_HINTS, Hints, Witness, hints_from
from verifier.prove.make_records import KEPT_STATE
from verifier.prove.run import verify

WELL = """\
    game well "The well"
        players 1..1 named ann

    stages
        drawing by ann
        over nobody

    state
        water : 0..9 = 9
        jug   : 0..9 = 0

    action draw(n: 1..3)
        require water >= n
        require n != 2
        do
            water -= n
            jug += {gain}

    action leave
        do stage = over

    invariant all_there: {claim}
    """


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PILGRIM_CACHE", str(tmp_path))


def well(gain="n", claim="water + jug <= 9"):
    return game(WELL.replace("{gain}", gain).replace("{claim}", claim))


def refusals(played):
    found = verify(played, jobs=1, confirm=False).records
    return {each.name.rpartition("/")[2]: each for each in found if each.kind == "can_refuse"}


def test_a_state_that_showed_a_refusal_is_evaluated_again_after_an_edit():
    first = refusals(well())
    again = refusals(well(gain="n - 1"))

    assert {"play"} == {each.method for each in first.values()}
    assert {KEPT_STATE} == {each.method for each in again.values()}
    assert {Verdict.PROVED} == {each.verdict for each in again.values()}
    assert all("a state that the invariants allow" in each.reason for each in again.values())


def test_a_state_that_the_invariants_no_longer_allow_shows_nothing():
    """With the new claim no state in which the well is low is allowed, though play comes there and breaks it."""
    refusals(well())
    again = refusals(well(claim="water >= 8"))

    assert KEPT_STATE != again["draw.require.1"].method


def test_a_witness_is_the_same_after_it_was_kept():
    hints = Hints(witness=Witness("random play", bytes(range(40)), "draw", (1, -2)))

    assert hints == hints_from(hints.data())


@pytest.mark.parametrize(
    "data", [{}, {"witness": 3}, {"witness": ["a", "!!", None, []]}, {"witness": ["a", "", None, ["x"]]}]
)
def test_what_describes_no_witness_is_no_hint(data):
    assert NO_HINTS == hints_from(data)
