"""Each gate of vacuity fires on a game with the fault, and is silent on the same game mended."""

from __future__ import annotations

import pytest

from pilgrim_rules.evidence.record import Verdict
from tests.support.proved_texts import game, proved, record
from verifier.claims.obligations import obligations

FOUNTAIN = """\
    game fountain "The fountain"
        players 2..2 named ann, bob

    stages
        drawing by turn
        over nobody

    state
        water       : 0..9 = 9
        jug[Player] : 0..9 = 0
        turn        : Player = ann

    guard enough(n: 1..3)
        require water >= n
            else "there is not so much water"

    action draw(n: 1..3)
        check enough(n)
        require {line}
            else "{line}"
        do
            water -= n
            jug[turn] += n
            turn = next(turn)

    action spill(n: 1..3)
        check enough(n)
        do water -= n

    action leave
        require {leave}
            else "there is water left"
        do stage = over

    invariant no_more_than_there_was: water + (sum of jug[p] for p in Player) <= 9
    invariant left_at_the_end: {claim}
    """


def fountain(line: str = "n != 2", leave: str = "water == 0", claim: str = "stage == over implies water == 0"):
    return game(FOUNTAIN.format(line=line, leave=leave, claim=claim))


def vacuous(played) -> set[str]:
    return {each.name.partition(".")[2] for each in proved(played).records if each.verdict is Verdict.VACUOUS}


def test_nothing_about_the_mended_game_is_vacuous():
    report = proved(fountain())

    assert {Verdict.PROVED} == {each.verdict for each in report.records}
    assert 0 == report.exit_code


# ------------------------------------------------------------------------------------------------------------- actions


def test_an_action_that_can_never_happen_is_found():
    assert "can_happen/leave" in vacuous(fountain(leave="water + jug[ann] > 9"))


# -------------------------------------------------------------------------------------------------------- requirements


@pytest.mark.parametrize(
    ("line", "needs"),
    [
        ("n <= 3", set()),  # by the types alone
        ("water > 0", {"require:enough.require.1"}),  # by what is required before it
        ("jug[ann] <= 9 - water", {"invariant:no_more_than_there_was"}),  # by an invariant
    ],
)
def test_a_requirement_that_never_fails_is_found_and_says_what_implies_it(line: str, needs: set[str]):
    played = fountain(line=line)
    found = record(played, "can_refuse/draw.require.1")

    assert Verdict.VACUOUS is found.verdict
    assert needs == {label for label in found.core if label.startswith(("require:", "invariant:"))}
    assert "it never fails" in found.reason
    assert 3 == proved(played).exit_code


@pytest.mark.parametrize("line", ["n != 2", "jug[turn] < 5", "water != 3"])
def test_a_requirement_that_can_fail_is_not_vacuous(line: str):
    assert Verdict.PROVED is record(fountain(line=line), "can_refuse/draw.require.1").verdict


def test_a_requirement_that_only_rare_states_break_is_shown_by_a_state_of_the_solver(monkeypatch):
    monkeypatch.setattr("verifier.prove.vacuity.STEPS", 0)
    found = record(fountain(), "can_refuse/draw.require.1")

    assert (Verdict.PROVED, "solver's state") == (found.verdict, found.method)


def test_a_line_that_actions_share_counts_once():
    names = [each.name for each in obligations(fountain())]

    assert 1 == names.count("fountain.can_refuse/enough.require.1")


SHARED = """\
    game shared "A shared guard"
        players 1..1 named ann

    stages
        low by ann
        high by ann

    state
        n : 0..5 = 0

    guard small()
        require n < 5
            else "enough"

    action up
        during low
        require n < 3
            else "high enough"
        {both}check small()
        do n += 1

    action away
        during low
        require n == 3
            else "not yet"
        do stage = high

    action more
        during high
        check small()
        do n += 1
    """


def test_a_line_that_is_idle_in_one_action_and_not_in_another_is_no_fault():
    """In `up` it follows from the line before, in `more` it decides."""
    assert Verdict.PROVED is record(game(SHARED.format(both="")), "can_refuse/small.require.1").verdict


def test_a_line_that_is_idle_wherever_it_is_used_is_a_fault():
    alone = game(
        SHARED.format(both="").replace("during high\n        check small()", "during high\n        require n < 5")
    )
    found = record(alone, "can_refuse/small.require.1")

    assert Verdict.VACUOUS is found.verdict


def test_what_the_instance_or_the_language_decides_is_not_asked_about():
    text = """\
        game few "Few"
            players 1..1 named ann

        ruling strict
            option yes default
            option no

        stages
            playing by ann

        state
            held : 0..3 = 0

        action take
            require strict == yes or players > 1
            let k = first j in 0..3 where j == held
                else "nothing to take"
            require k < 3
            do held += 1
        """

    asked = [each.name for each in obligations(game(text)) if each.kind == "can_refuse"]
    assert ["few.can_refuse/take.require.3"] == asked


RULED = """\
    game ruled "Ruled"
        players 1..1 named ann

    ruling limit
        option four default
        option two

    stages
        playing by ann

    state
        held : 0..4 = 0

    action take
        require held < 4
        require limit == four or held < {limit}
        do held += 1
    """


def test_a_requirement_that_matters_under_another_ruling_is_not_idle():
    assert Verdict.PROVED is record(game(RULED.format(limit=2)), "can_refuse/take.require.2").verdict


def test_a_requirement_that_matters_under_no_ruling_is_idle():
    assert Verdict.VACUOUS is record(game(RULED.format(limit=4)), "can_refuse/take.require.2").verdict


# -------------------------------------------------------------------------------------------------------- implications


@pytest.mark.parametrize(
    "claim",
    [
        "water > 9 - jug[ann] and stage == over implies jug[bob] == 0",
        "all p in Player: jug[p] > 9 - water implies stage == over",
        "all p in Player where jug[p] > 9 - water: stage == over",
    ],
)
def test_an_implication_that_never_applies_is_found(claim: str):
    found = record(fountain(claim=claim), "triggered/left_at_the_end")

    assert Verdict.VACUOUS is found.verdict
    assert "invariant:no_more_than_there_was" in found.core


@pytest.mark.parametrize(
    "claim",
    [
        "stage == over implies water == 0",
        "all p in Player: jug[p] == 9 implies water == 0",
        "all p in Player where jug[p] == 9: water == 0",
    ],
)
def test_an_implication_that_applies_somewhere_is_not_vacuous(claim: str):
    assert Verdict.PROVED is record(fountain(claim=claim), "triggered/left_at_the_end").verdict


def test_each_implication_of_a_claim_is_asked_about():
    claim = "(stage == over implies water == 0) and (water > 9 - jug[bob] implies water == 9)"
    found = {each.name.rpartition("/")[2]: each.verdict for each in proved(fountain(claim=claim), "triggered*").records}

    assert {"left_at_the_end.1": Verdict.PROVED, "left_at_the_end.2": Verdict.VACUOUS} == found


def test_what_only_the_number_of_players_decides_is_no_implication():
    names = [each.name for each in obligations(fountain(claim="players == 2 implies water <= 9 - jug[ann]"))]

    assert not [name for name in names if "triggered" in name]


# ---------------------------------------------------------------------------------------------------------- invariants


def test_an_invariant_that_no_state_breaks_is_found():
    assert "falsifiable/left_at_the_end" in vacuous(fountain(claim="water + jug[ann] <= 18"))
