"""An invariant that follows from others: shown once, from nothing but what is named, and never from itself."""

from __future__ import annotations

import json

import pytest

from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.evidence.record import Verdict
from tests.support.proved_texts import game, proved, record
from verifier.claims.obligations import obligations
from verifier.prove.verdict_cache import Cache

RULES = """
    game sample
        players 2..2 named red, blue

    stages
        playing by turn
        over nobody

    state
        turn : Player
        low  : 0..9
        high : 0..9 = 1

    action up
        during playing
        require high < 8
        do
            low = high
            high = high + 1

    action stop
        during playing
        require high >= 8
        do
            stage = over

    invariant next: high == low + 1
    invariant apart {how}: low < high
    invariant bounded: high <= 8
"""


def sample(how: str):
    return game(RULES.replace("{how}", how))


def test_it_has_one_obligation_instead_of_one_for_each_action():
    names = [each.name for each in obligations(sample("follows from next")) if each.subject == "apart"]

    assert ["sample.falsifiable/apart", "sample.invariant.apart/follows"] == names


def test_what_follows_is_proved_from_what_is_named():
    found = record(sample("follows from next"), "invariant.apart/follows")

    assert (Verdict.PROVED, "consequence") == (found.verdict, found.method)
    assert "invariant:next" in found.core


def test_what_does_not_follow_is_shown_with_a_state_that_satisfies_the_others():
    found = record(sample("follows from bounded"), "invariant.apart/follows")

    assert Verdict.NOT_INDUCTIVE is found.verdict
    assert found.picture is not None
    assert found.picture.after is None
    assert found.picture.before["low"][0] >= found.picture.before["high"][0]
    assert "in a state that satisfies those" in found.reason


def test_what_is_false_in_play_is_refuted_by_a_play():
    found = record(
        game(RULES.replace("{how}: low < high", "follows from next: low + 2 <= high")), "invariant.apart/follows"
    )

    assert (Verdict.REFUTED, "play") == (found.verdict, found.method)


def test_it_does_not_stand_if_what_it_follows_from_does_not():
    text = RULES.replace("{how}", "follows from next").replace("low = high\n", "low = high - 1\n")
    report = proved(game(text.replace(": 0..9 = 1", ": 0..9 = 2").replace("high < 8", "high < 8 and high > 2")))
    verdicts = {each.name: each.verdict for each in report.records}

    assert Verdict.REFUTED is verdicts["sample.invariant.next/initially"]
    assert Verdict.NOT_SETTLED is verdicts["sample.invariant.apart/follows"]


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("follows from apart", "a claim cannot rest on itself"),
        ("follows from other", "`apart` would follow from itself, by way of `other`"),
    ],
)
def test_nothing_follows_from_itself(how: str, says: str):
    text = RULES.replace("{how}", how) + "    invariant other follows from apart: low <= high\n"

    with pytest.raises(RulesError) as refusal:
        game(text)

    assert says in [each.message for each in refusal.value.diagnostics]


def test_only_an_invariant_follows_from_others():
    with pytest.raises(RulesError) as refusal:
        game(RULES.replace("{how}", "") + "    step rising follows from apart: high' >= high\n")

    assert ["a `step` cannot follow from invariants"] == [each.message for each in refusal.value.diagnostics]


def test_a_kept_proof_does_not_outlive_the_list_of_what_it_follows_from(tmp_path, monkeypatch):
    monkeypatch.setenv("PILGRIM_CACHE", str(tmp_path))
    before, after = sample("follows from next"), sample("follows from bounded")
    proved(before, cache=True)
    named = [each for each in obligations(after) if each.kind == "follows"]

    def kept(rules):
        return Cache.load(rules, budget=12_000_000, confirm=False, all_rulings=False).fresh(named)

    assert ["sample.invariant.apart/follows"] == list(kept(before))
    assert {} == kept(after)


def test_the_second_solver_agrees():
    found = record(sample("follows from next"), "invariant.apart/follows", confirm=True)

    assert "agrees" == found.confirmed, json.dumps(found.reason)
