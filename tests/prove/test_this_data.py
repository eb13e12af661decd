"""What does not hold for all assumed data, and does for those of the edition, is not proved; the message says what is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pilgrim_rules.evidence.record import FailureExplanation, Verdict
from tests.support.proved_texts import game
from verifier.claims.obligations import obligations
from verifier.prove.run import verify
from verifier.report.explain_failure import explain_failure

#: How far the token may go is a guess; that it stays below 6 is true of the guess, and not of all that it could be.
WALK = """\
    game walk "Walk"
        players 1..1 named ann

    stages
        walking by ann

    param far : 0..9 = {far}

    state
        n    : 0..12 = 0
        home : bool = false

    action walk
        require n < far
        do n += 1

    action rest
        do home = true

    invariant near: n <= 5
    invariant hidden: not home or n <= 6
    """
MISSING = "with the data of this edition it is proved: a law is missing that says what is promised of `far`"


def walk(far=3):
    read = game(WALK.format(far=far))
    return replace(read, constants=tuple(replace(each, assumed=each.name == "far") for each in read.constants))


def proved(played, name):
    report = verify(played, jobs=1, confirm=False, cache=False)
    return next(each for each in report.records if each.name == f"walk.{name}")


def test_a_claim_that_holds_for_a_guess_alone_is_not_proved_and_the_guess_is_named():
    found = proved(walk(), "invariant.near/walk")

    assert Verdict.NOT_INDUCTIVE is found.verdict
    assert MISSING in found.reason


def test_a_claim_that_the_data_of_the_edition_break_too_is_refuted_without_that_line():
    found = proved(walk(far=7), "invariant.near/walk")

    assert (Verdict.REFUTED, False) == (found.verdict, MISSING in found.reason)


@pytest.mark.parametrize(
    ("played", "verdict"), [(walk, Verdict.NOT_INDUCTIVE), (lambda: game(WALK.format(far=3)), Verdict.PROVED)]
)
def test_only_data_that_are_assumed_can_be_missing_a_law(played, verdict):
    found = proved(played(), "invariant.near/walk")

    assert (verdict, verdict is Verdict.NOT_INDUCTIVE) == (found.verdict, MISSING in found.reason)


def test_nothing_is_said_where_the_data_have_nothing_to_do_with_it():
    assert MISSING not in proved(walk(), "invariant.hidden/rest").reason


def test_a_start_that_is_wrong_for_other_data_only_is_explained_without_the_data_of_the_edition():
    """By the edition's value nothing is false at the start, so no part of the claim is named."""
    read = game(WALK.format(far=3).replace("n    : 0..12 = 0", "n    : 0..12 = far"))
    played = replace(read, constants=tuple(replace(each, assumed=each.name == "far") for each in read.constants))
    name = "invariant.near/initially"
    report = verify(played, names=(f"walk.{name}",), jobs=1, confirm=False, cache=False)
    found = next(each for each in report.records if each.name == f"walk.{name}")
    obligation = next(each for each in obligations(played) if each.name == f"walk.{name}")

    assert Verdict.REFUTED == found.verdict
    assert FailureExplanation() == explain_failure(played, obligation, found)
