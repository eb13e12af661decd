"""A claim that play never met is not called tested."""

from __future__ import annotations

import pytest

from pilgrim_rules.evidence.record import Verdict, way
from tests.support.proved_texts import game
from verifier.fuzz.campaign import run
from verifier.fuzz.play_coverage import ENOUGH
from verifier.report.gather import records_of_play

WALK = """\
    game stroll "A stroll"
        players 1..1 named ann

    stages
        walking by ann
        over nobody

    state
        n : 0..{top} = 0
        shrine : bool = false

    action step
        do
            n += 1
            if n == {top}: stage = over

    action build
        require n > {top}
        do shrine = true

    {claim}
    """


def found(claim, top=9, games=5):
    played = game(WALK.format(claim=claim, top=top))
    records = {each.name: each for each in records_of_play(played, run(played, games=games))}
    return next(each for name, each in records.items() if name.endswith(".odd"))


@pytest.mark.parametrize("kind", ["invariant", "audit"])
@pytest.mark.parametrize("says", ["shrine implies n < 3", "n >= 0 and (shrine implies n < 3)"])
def test_a_claim_about_shrines_is_not_tested_by_games_without_one(kind, says):
    record = found(f"{kind} odd: {says}")

    assert Verdict.NOT_EXERCISED is record.verdict
    assert "what it presupposes never came about" in record.bounds


def test_a_claim_that_was_met_says_in_how_many_states():
    """Each of five games visits the states 4, 5, ... 9 once."""
    record = found("invariant odd: n > 3 implies not shrine")

    assert Verdict.TESTED is record.verdict
    assert "what it presupposes came about in 30 states" in record.bounds


def test_of_several_implications_the_rarest_decides():
    assert (
        Verdict.NOT_EXERCISED is found("invariant odd: (n > 3 implies not shrine) and (shrine implies n < 3)").verdict
    )


def test_what_comes_about_all_the_time_is_not_counted_for_ever():
    record = found("invariant odd: n > 0 implies not shrine", top=200, games=8)

    assert f"what it presupposes came about in {ENOUGH:,} or more states" in record.bounds


def test_a_claim_that_presupposes_nothing_is_tested_by_any_game():
    record = found("invariant odd: n <= 9")

    assert Verdict.TESTED is record.verdict
    assert not any("presupposes" in bound for bound in record.bounds)


@pytest.mark.parametrize(
    ("method", "word"),
    [
        ("simplification", "simplification"),
        ("induction, 3 parts", "induction"),
        ("k-induction, k=2", "induction"),
        ("exhaustive search", "search"),
        ("recorded play", "play"),
        ("evaluation", "evaluation"),
    ],
)
def test_ways_to_a_verdict_are_told_apart(method, word):
    assert word == way(method)
