"""Proof and exhaustive search never contradict each other, on random games small enough to be searched."""

from __future__ import annotations

from collections import defaultdict

import pytest

from pilgrim_rules.evidence.record import Verdict
from tests.support.random_games import random_game
from verifier.explore.search import explore
from verifier.prove.run import verify

#: What the search calls the failures of each kind of obligation.
FINDING = {
    "kept": "invariant",
    "initially": "invariant",
    "step": "step",
    "decreases": "terminates",
    "range": "contradiction",
    "no_dead_end": "dead end",
    "one_side": "to move",
}


@pytest.mark.parametrize("seed", [60, 67, 83, 117, 126, 191, 206])
def test_what_is_proved_is_never_seen_to_fail(seed: int):
    game = random_game(seed)
    report = verify(game, cache=False, confirm=False, jobs=1, budget=100_000)
    found = explore(game, max_states=20_000)

    verdicts = defaultdict(set)
    for record in report.records:
        assert not record.alarm, record.reason
        if record.kind in FINDING:
            verdicts[FINDING[record.kind]].add(record.verdict)
    failures = {finding.kind for finding in found.findings}

    assert set() == {kind for kind in failures if verdicts[kind] == {Verdict.PROVED}}
    if found.closed:
        assert set() == {kind for kind, seen in verdicts.items() if Verdict.REFUTED in seen} - failures
