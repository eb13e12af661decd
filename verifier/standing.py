"""Standing: which proofs stand, given what they rest on.

Reads:  records of one run.   Writes: the same records; a proof that rests on something unproved is not settled.
After:  whatever is still called proved rests on proved things only. Invariants may rest on each other in a circle: all of
        them are assumed before a step and proved after it, which is one induction for the whole circle.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pilgrim_rules.core.ir import Game
from verifier.obligations import OTHERWISE, Kind, Obligation
from verifier.verdict import Record, Verdict

STEPS: frozenset[Kind] = frozenset({"kept", "step", "decreases"})
PROOFS = (Verdict.PROVED, Verdict.LIMITED)


def rests_on(game: Game, record: Record) -> tuple[str, ...]:
    """Return the claims (as `Obligation.claim`, or the name of a range obligation) that a proof takes for granted."""
    needed = []
    for label in record.core:
        kind, _, name = label.partition(":")
        if kind in ("invariant", "conserved", "law"):
            needed.append(f"{game.name}.{kind}.{name}")
        elif kind == "range" and name:
            needed.append(f"{game.name}.range/{name}")
    part = record.name.rpartition("/")[2]
    if record.kind in STEPS and part != OTHERWISE:
        needed.append(f"{game.name}.range/{part}")
    return tuple(dict.fromkeys(needed))


def standing(game: Game, records: Iterable[Record], every: Iterable[Obligation]) -> tuple[Record, ...]:
    """Return the records, those that rest on something unproved marked as not settled.

    `every` obligation of the game is named, so that a claim of which a part was not looked at is known for that.
    """
    kept = {record.name: record for record in records}
    of_claim: dict[str, list[str]] = {}
    for record in kept.values():
        of_claim.setdefault(record.claim, []).append(record.name)
        of_claim.setdefault(record.name, [record.name])
    changed = True
    while changed:
        changed = False
        for name, record in kept.items():
            if record.verdict not in (*PROOFS, Verdict.VACUOUS):
                continue
            fallen = [need for need in rests_on(game, record) if _fails(kept, of_claim.get(need, []))]
            if fallen:
                because = ", ".join(f"`{need.removeprefix(game.name + '.')}`" for need in fallen)
                reason = f"the argument rests on {because}, which is not proved"
                kept[name] = replace(record, verdict=Verdict.NOT_SETTLED, reason=reason)
                changed = True
    whole = set(of_claim) - {each.claim for each in every if each.name not in kept}
    return tuple(_with_assumptions(game, record, whole) for record in kept.values())


def _fails(kept: dict[str, Record], names: list[str]) -> bool:
    return any(kept[name].verdict not in PROOFS for name in names)


def _with_assumptions(game: Game, record: Record, whole: set[str]) -> Record:
    """Say what a proof takes for granted that was not looked at in this run."""
    if record.verdict not in PROOFS:
        return record
    unseen = [need for need in rests_on(game, record) if need not in whole]
    notes = tuple(f"given `{need.removeprefix(game.name + '.')}`, not looked at in this run" for need in unseen)
    return replace(record, bounds=(*record.bounds, *notes)) if notes else record
