"""Evidence of a campaign: what random play says about each obligation of the game.

Reads:  a game and a report.   Writes: entries of the evidence file, from the source `fuzz`.
After:  play proves nothing: what it did not break is `tested`, with the number of games and the seed; what it broke is
        `refuted`, with the play.
"""

from __future__ import annotations

from collections.abc import Mapping

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Game
from verifier.fuzz.report import CampaignReport
from verifier.obligations import Kind, obligations
from verifier.report.evidence import Entry

METHOD = "random play"

#: What play asks; an obligation about an action is tested only if the action was made.
ASKED: frozenset[Kind] = frozenset(
    {
        "range",
        "one_side",
        "one_auto",
        "no_dead_end",
        "weights",
        "can_happen",
        "initially",
        "kept",
        "step",
        "decreases",
        "audit",
    }
)


def entries(game: Game, report: CampaignReport, instance: Mapping[str, object]) -> list[Entry]:
    """Return what a campaign says, one entry an obligation that it asked."""
    tally, rules = report.tally, Fingerprints(game).rules
    bounds = [f"{tally.games:,} games", f"{tally.steps:,} steps", f"seed {report.seed}"]
    found: list[Entry] = []
    for each in obligations(game):
        failure = tally.failures.get(each.name)
        made = each.action is None or tally.coverage.actions[each.action] > 0
        if each.kind not in ASKED or not (made or failure):
            continue
        says = {"verdict": "tested"} if failure is None else {"verdict": "refuted", "reason": failure.says}
        play = {} if failure is None else {"play": list(failure.moves)}
        clauses = {"clauses": list(each.clauses)} if each.clauses else {}
        found.append(
            {
                "name": each.name, "kind": each.kind, "claim": each.claim, "sentence": each.sentence, **says,
                "source": "fuzz", "instance": dict(instance), "method": METHOD, "bounds": bounds, **clauses, **play,
                "fingerprints": {"rules": rules},
            }
        )  # fmt: skip
    return found
