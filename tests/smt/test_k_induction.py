"""Induction over several steps: where one step is not enough, where two are not, and what a proof by it rests on."""

from __future__ import annotations

import pytest

from pilgrim_rules.evidence.dependencies import rests_on
from pilgrim_rules.evidence.record import Verdict
from tests.support.proved_texts import game, proved, record
from verifier.claims.obligations import obligations
from verifier.play.visits import first_steps
from verifier.prove.settings import ProofSettings
from verifier.prove.settle import Settler
from verifier.prove.verdict_cache import Cache
from verifier.smt.strategy import k_induction
from verifier.smt.strategy.refine import Proved

#: A token steps from place to place.
ROUND = """\
    game round "Round"
        players 1..1 named ann

    stages
        walking by ann

    state
        at : 0..5 = 0

    action walk
        do at = {rule}

    invariant never_five: at != {bad}
    """

#: Beside the round from 0 to 1 there is a way from 2 to 5 that nothing leads into.
CHAIN = "(0 if at == 1 else 1 if at == 0 else at + 1 if at in {2, 3, 4} else 5)"


def chain(bad: int = 5):
    return game(ROUND.replace("{rule}", CHAIN).replace("{bad}", str(bad)))


def two_steps():
    """5 is reached from 4 only, and nothing leads to 4."""
    return game(ROUND.replace("{rule}", "(0 if at == 1 else 1 if at == 0 else 5)").replace("{bad}", "5"))


@pytest.fixture
def unaided(monkeypatch):
    """Nothing is proposed from play."""
    monkeypatch.setattr("verifier.prove.settle.strengthened", lambda *_: None)


def test_a_claim_that_needs_two_steps_is_proved_and_says_so():
    found = record(two_steps(), "invariant.never_five/walk")

    assert (Verdict.PROVED, "k-induction, k=2") == (found.verdict, found.method)


def test_the_second_solver_is_asked_about_each_path():
    found = record(two_steps(), "invariant.never_five/walk", confirm=True)

    assert "agrees" == found.confirmed


def test_a_claim_may_need_three_steps():
    """Nothing leads to 2: so nothing is at 3 after one step, at 4 after two."""
    played = game(ROUND.replace("{rule}", "(1 - at if at in {0, 1} else 4 if at == 3 else 5)").replace("{bad}", "5"))
    found = record(played, "invariant.never_five/walk")

    assert (Verdict.PROVED, "k-induction, k=3") == (found.verdict, found.method)


def test_a_claim_that_needs_more_steps_stays_not_inductive(unaided):
    assert Verdict.NOT_INDUCTIVE is record(chain(), "invariant.never_five/walk").verdict


def test_a_claim_that_is_false_after_a_few_steps_is_refuted_and_not_proved():
    """The base: paths say nothing of the first states."""
    played = game(ROUND.replace("{rule}", "(at + 1 if at < 5 else 5)").replace("{bad}", "1"))

    assert Verdict.REFUTED is record(played, "invariant.never_five/walk").verdict


def test_without_its_base_a_path_proves_what_is_false():
    """Why the first states are looked at: from 0 the token steps to 1, and nothing else leads to 1."""
    played = game(ROUND.replace("{rule}", "(1 if at == 0 else 2)").replace("{bad}", "1"))
    (obligation,) = (each for each in obligations(played) if each.name.endswith("never_five/walk"))

    settler = Settler(played, ProofSettings(2_000_000, confirm=False))
    settled = k_induction.settle(settler.ladder, obligation, 2)
    first = first_steps(settler.compiled, 1)

    assert isinstance(settled.outcome, Proved)
    assert first is not None
    assert obligation.name in first.broken
    assert Verdict.REFUTED is settler.settle(obligation).record.verdict


def test_a_proof_by_paths_rests_on_the_range_of_every_step_and_on_the_whole_text():
    played = two_steps()
    found = record(played, "invariant.never_five/walk")

    assert "round.range/walk" in rests_on(found)
    assert "rules" in found.about


def test_a_proof_by_paths_is_not_reused_when_another_action_is_added():
    played = two_steps()
    report = proved(played)
    cache = Cache.load(played, budget=1, confirm=False, all_rulings=False)
    todo = [each for each in obligations(played) if each.subject == "never_five" and each.kind == "kept"]
    found = [each for each in report.records if each.name == todo[0].name]
    print_here = cache._print(todo[0], found[0])

    other = game(
        (ROUND + "\n    action jump\n        do at = 4\n")
        .replace("{rule}", "(0 if at == 1 else 1 if at == 0 else 5)")
        .replace("{bad}", "5")
    )
    elsewhere = Cache.load(other, budget=1, confirm=False, all_rulings=False)._print(todo[0], found[0])

    assert print_here != elsewhere


def test_too_many_paths_are_not_tried(unaided, monkeypatch):
    monkeypatch.setattr(k_induction, "MOST_PATHS", 0)

    assert Verdict.NOT_INDUCTIVE is record(two_steps(), "invariant.never_five/walk").verdict


def test_a_claim_about_steps_that_change_nothing_has_no_path(unaided):
    """Its obligation is about no action."""
    text = ROUND.replace("{rule}", "at").replace("{bad}", "5") + "\n    step grows: at != 4 or at' > at\n"
    text = text.replace("    action walk\n        do at = at\n", "    action stay\n        do still = not still\n")
    played = game(text.replace("at : 0..5 = 0", "at : 0..5 = 0\n        still : bool = false"))

    assert Verdict.NOT_INDUCTIVE is record(played, "step.grows/otherwise").verdict
