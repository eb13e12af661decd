"""Examples and witnesses: what is wrong with one is found, and said in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Lit
from pilgrim_rules.core.show import show_game
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.examples import CompiledReadings, run_example
from tests.support.proved_texts import game, record
from verifier.mutate.campaign import run as mutate

TILL = """\
    game till "The till"
        players 1..1 named ann

    ruling tips
        option kept default
        option returned

    stages
        selling by ann
        counting auto
        over nobody

    state
        coins : 0..9 = 0
        sold  : 0..9 = 0
        extra : 0..9 = 0

    action sell(n: 1..3)
        require sold + n <= 9
            else "sold out"
        do
            sold += n
            coins += {paid}
            if sold == 9: stage = counting

    auto count_up
        do
            {auto}
            stage = over

    invariant paid_for: coins == sold

    example one_sale
        {lines}
    """


def till(*lines: str, paid: str = "n", auto: str = "extra = 0"):
    return game(TILL.format(lines="\n        ".join(lines), paid=paid, auto=auto))


def outcome(played) -> tuple[Verdict, str]:
    found = record(played, "example.one_sale")
    return found.verdict, found.reason


def test_an_example_that_comes_out_is_proved_with_its_moves():
    found = record(till("when sell(2)", "expect coins == 2"), "example.one_sale")

    assert (Verdict.PROVED, ("sell(2)",)) == (found.verdict, found.play)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (("when sell(2)", "expect coins == 3"), "`coins == 3` is false"),
        (("given coins = 9", "given sold = 9", "when sell(2)"), "`sell(2)` is not allowed: sold out"),
        (("refuse sell(2)",), "`sell(2)` is allowed, but should be refused"),
        (("given coins = 3", "when sell(2)"), "the position that is given breaks `paid_for`"),
        (("given coins = 3", "expect coins == 3"), "the position that is given breaks `paid_for`"),
    ],
)
def test_an_example_that_does_not_come_out_is_refuted_and_says_why(lines, says):
    verdict, reason = outcome(till(*lines))

    assert Verdict.REFUTED is verdict
    assert reason.startswith(says)


def test_invariants_are_asked_after_every_move():
    """What the example expects is true, and yet the position is one that must not be."""
    assert (Verdict.REFUTED, "`sell(2)` breaks `paid_for`") == outcome(
        till("when sell(2)", "expect sold == 2", paid="n - 1")
    )


def test_invariants_are_asked_after_what_follows_by_itself():
    lines = ("given coins = 6", "given sold = 6", "when sell(3)", "expect stage == over")

    assert Verdict.PROVED is outcome(till(*lines))[0]
    assert (Verdict.REFUTED, "after `sell(3)`, `count_up` happens by itself and breaks `paid_for`") == outcome(
        till(*lines, auto="coins = 0")
    )


def test_under_another_reading_too_the_invariants_are_asked():
    lines = ("when sell(2)", "expect sold == 2 under tips = returned")
    reading = "(n if tips == kept else n - 1)"

    assert (Verdict.REFUTED, "`sell(2)` breaks `paid_for` under tips = returned") == outcome(till(*lines, paid=reading))


def test_every_part_of_an_expectation_is_shown_with_its_values():
    found = outcome(till("when sell(2)", "expect coins == 2 and sold == 3 and coins + sold == 5"))

    says = """\
`sold == 3` is false: sold = 2
`coins + sold == 5` is false: coins = 2, sold = 2
`coins == 2` holds: coins = 2"""
    assert (Verdict.REFUTED, says) == found


def test_a_contradiction_on_the_way_is_the_example_s_fault():
    verdict, reason = outcome(till("when sell(2)", paid="12"))

    assert Verdict.REFUTED is verdict
    assert "coins" in reason


# ------------------------------------------------------------------------------------------------------- who decides


TURNS = """\
    game turns "Turns"
        players 2..2 named ann, ben

    stages
        calling by caller
        over nobody

    state
        caller : Player = ann
        calls  : 0..9 = 0

    action call
        require calls < 9
        do
            calls += 1
            caller = next(caller)

    action stop
        do stage = over

    example in_turn
        {lines}
    """


def test_an_example_may_say_who_decides():
    first, second = "when call by ann", "when call by {}"
    right = game(TURNS.format(lines="\n        ".join((first, second.format("ben")))))
    wrong = game(TURNS.format(lines="\n        ".join((first, second.format("ann")))))

    assert "" == run_example(CompiledReadings.from_game(right), right.examples[0]).wrong
    assert "`call` is not for ann to decide" == run_example(CompiledReadings.from_game(wrong), wrong.examples[0]).wrong
    assert "when call by ben" in show_game(right)
    assert Fingerprints(right).example("in_turn") != Fingerprints(wrong).example("in_turn")


def test_who_decides_must_be_a_player():
    with pytest.raises(RulesError, match="PR201"):
        game(TURNS.format(lines="when call by bob"))


def test_a_mistake_in_who_decides_is_noticed_by_an_example_that_says_it():
    told = game(TURNS.format(lines="when call by ann\n        when call by ben"))
    silent = game(TURNS.format(lines="when call\n        when call"))
    (judged,) = mutate(told, max_states=0, plays=0, only=lambda mistake: mistake.kind == "decider").outcomes
    (other,) = mutate(silent, max_states=0, plays=0, only=lambda mistake: mistake.kind == "decider").outcomes

    assert ("killed", "examples") == (judged.fate, judged.by)
    assert "survived" == other.fate


# ------------------------------------------------------------------------------------------------------ what answers


CLAIMED = """\
    game pledge "A pledge"
        players 1..1 named ann

    ruling limit
        option low default
        option high

    stages
        paying by ann
        over nobody

    state
        coins : 0..9 = 2 if limit == low else 3
        debts : 0..9 = 0

    def most() = 4 if limit == low else 8

    action pay(n: 1..3)
        require coins + n <= most()
        do coins += n

    action stop
        do stage = over

    invariant within: coins <= most()
    invariant no_debts: debts == 0
    """


@pytest.mark.parametrize("option", ["low", "high"])
def test_compiled_claims_and_the_evaluator_give_the_same_answer_under_every_reading(option):
    readings = CompiledReadings.from_game(game(CLAIMED))
    reading = readings.with_options((("limit", option),))
    reference = reading.reference

    assert reference.start() == reading.start()
    for coins in range(10):
        for debts in range(2):
            position = {**reference.start(), "coins": [coins], "debts": [debts]}
            claims = [claim for claim in readings.game.claims if not reference.holds(claim, position)]
            assert reading.broken(position) == (claims[0].name if claims else None)
            assert (reading.broken(position, frozenset({"debts"})) is None) == (debts == 0)


def test_a_claim_that_a_changed_definition_decides_is_asked_of_the_changed_game():
    readings = CompiledReadings.from_game(game(CLAIMED))
    stricter = replace(readings.game.defs[0], body=Lit(1, readings.game.defs[0].body.type))
    changed = readings.reading(replace(readings.game, defs=(stricter,)))
    start = changed.reference.start()

    assert None is readings.reading(readings.game).broken(start)
    assert "within" == changed.broken(start)
