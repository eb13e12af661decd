"""Evidence of a search: what it says about each obligation of the game.

Reads:  a game and the result of its search.   Writes: entries of the evidence file, from the source `explore`.
After:  `proved` is said only after a search that closed, and only of what it asked; a refutation carries its play.
"""

from __future__ import annotations

from collections.abc import Mapping

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Game
from verifier.explore.findings import Exploration, Finding, FindingKind
from verifier.obligations import Kind, Obligation, obligations
from verifier.report.evidence import Entry, entry
from verifier.verdict import Record, Verdict

METHOD = "exhaustive search"

#: The finding that breaks an obligation of each kind. What is missing here, a search does not ask.
BREAKS: dict[Kind, tuple[FindingKind, ...]] = {
    "range": ("contradiction",),
    "weights": ("contradiction",),
    "one_side": ("to move",),
    "one_auto": ("two autos",),
    "no_dead_end": ("dead end",),
    "initially": ("invariant", "conserved"),
    "kept": ("invariant", "conserved"),
    "step": ("step",),
    "decreases": ("terminates",),
}


def entries(game: Game, found: Exploration, instance: Mapping[str, object], *, claims: bool = True) -> list[Entry]:
    """Return what a search says, one entry an obligation; `claims`: whether it asked the author's claims."""
    marks = Fingerprints(game)
    records = [_record(each, found, marks.rules) for each in obligations(game) if claims or each.subject is None]
    return [entry(record, instance, "explore") for record in records if record is not None]


def _record(obligation: Obligation, found: Exploration, rules: str) -> Record | None:
    judged = _judged(obligation, found)
    if judged is None:
        return None
    verdict, reason, play = judged
    return Record(
        name=obligation.name, kind=obligation.kind, claim=obligation.claim, sentence=obligation.sentence,
        verdict=verdict, method=METHOD, reason=reason, bounds=(f"{found.states:,} states, this instance",),
        clauses=obligation.clauses, play=play, fingerprints={"rules": rules},
    )  # fmt: skip


def _judged(obligation: Obligation, found: Exploration) -> tuple[Verdict, str, tuple[str, ...]] | None:
    """Return verdict, reason and play; None if a search has nothing to say."""
    unseen = (Verdict.NOT_SETTLED, found.reason or "", ())
    match obligation.kind:
        case "can_happen":
            if found.actions[str(obligation.action)]:
                return Verdict.PROVED, "", ()
            return (Verdict.REFUTED, "it happens in no reachable state", ()) if found.closed else unseen
        case "reachable":
            play = next((each.play for each in found.witnesses if each.name == obligation.subject), None)
            if play is not None:
                return Verdict.PROVED, "", tuple(step.text for step in play)
            return (Verdict.REFUTED, "no reachable state satisfies it", ()) if found.closed else unseen
        case kind if kind in BREAKS:
            about = [each for each in found.findings if each.kind in BREAKS[kind] and _concerns(obligation, each)]
            broken = next((each for each in about if _shows(obligation, each)), None)
            if broken is not None:
                return Verdict.REFUTED, broken.says, tuple(broken.moves)
            if about:  # the search tells the first place only
                return Verdict.NOT_SETTLED, f"`{about[0].name}` is broken already by another play", ()
            return (Verdict.PROVED, "", ()) if found.closed else unseen
        case _:
            return None


def _concerns(obligation: Obligation, finding: Finding) -> bool:
    """Return whether the finding is about the claim, the action or the stage of the obligation."""
    if obligation.subject is not None:
        return finding.name == obligation.subject
    if obligation.stage is not None:
        return obligation.name.endswith(f"/{finding.stage}")
    return finding.action == obligation.action


def _shows(obligation: Obligation, finding: Finding) -> bool:
    """Return whether the finding refutes the obligation itself, and not another part of the same claim."""
    return obligation.subject is None or finding.action == obligation.action
