"""No verdict about secrecy is false: random games with secrets are compared with brute force over all pairs of states."""

from __future__ import annotations

from collections import Counter

import pytest

from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.semantics.reference import Reference
from tests.support.brute_force_secrets import leaks, reachable, seen_through
from tests.support.random_secrets import SecretDrawer, ZoneDrawer, random_secrets
from verifier.claims.obligations import obligations
from verifier.prove.settings import ProofSettings
from verifier.prove.settle import Settler

GAMES, SUITE, SOAK = 10, 3, 60
BUDGET = 300_000


def compare(seed, folder, drawer=SecretDrawer):
    """Return what was wrong, and what was counted."""
    text, game = random_secrets(seed, folder, drawer)
    reference = Reference.from_game(game)
    states = reachable(reference)
    truth = {"no_leak": leaks(reference, states), "sight": seen_through(reference, states)}
    settler = Settler(game, ProofSettings(BUDGET, confirm=False))
    wrong, counts = [], Counter()
    for obligation in obligations(game):
        if obligation.kind not in truth:
            continue
        verdict = settler.settle(obligation).record.verdict
        counts[obligation.kind, verdict] += 1
        broken = obligation.action in truth[obligation.kind]
        if (verdict is Verdict.PROVED and broken) or (verdict is Verdict.REFUTED and not broken):
            wrong.append(f"seed {seed}: `{obligation.name}` is {verdict}, and brute force says otherwise\n{text}")
    return wrong, counts


def compared(tmp_path, number, drawer=SecretDrawer):
    wrong, counts = [], Counter()
    for seed in range(number * GAMES, (number + 1) * GAMES):
        more, counted = compare(seed, tmp_path, drawer)
        wrong += more
        counts += counted
    return wrong, counts


@pytest.mark.parametrize("number", range(SUITE))
def test_no_verdict_about_secrets_is_false(tmp_path, number):
    wrong, counts = compared(tmp_path, number)

    assert [] == wrong
    assert counts["no_leak", Verdict.PROVED] > 0
    assert counts["no_leak", Verdict.REFUTED] > 0


@pytest.mark.slow
@pytest.mark.parametrize("number", range(SUITE, SUITE + SOAK))
def test_no_verdict_about_secrets_is_false_in_the_long_run(tmp_path, number):
    wrong, _ = compared(tmp_path, number)

    assert [] == wrong


@pytest.mark.parametrize(
    "number", [*range(SUITE), *(pytest.param(at, marks=pytest.mark.slow) for at in range(SUITE, SUITE + SOAK))]
)
def test_no_verdict_about_who_sees_into_zones_is_false(tmp_path, number):
    wrong, counts = compared(tmp_path, number, ZoneDrawer)

    assert [] == wrong
    assert counts["no_leak", Verdict.PROVED] > 0
