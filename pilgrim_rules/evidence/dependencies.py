"""Dependencies: what a verdict speaks of, and what a proof takes for granted, told from its core.

Reads:  records, labels of cores.   Writes: names of claims, as records and as `Fingerprints.named` spell them.
After:  a proof stands while everything it rests on is proved.
"""

from __future__ import annotations

from collections.abc import Iterable

from pilgrim_rules.evidence.record import Record

#: Kinds of obligations about a step; they take for granted that the step leaves no range.
STEP_KINDS = frozenset({"kept", "step", "decreases"})
#: Kinds that are settled by playing: any change of the rules may spoil the play.
PLAYED_KINDS = frozenset(
    {"can_happen", "can_refuse", "triggered", "reachable", "sight", "no_leak", "symmetry", "audit"}
)
#: The part of a claim about steps that is about all steps which change nothing it looks at.
OTHERWISE = "otherwise"
#: Labels of a core that name a claim.
_CLAIMS = ("invariant", "conserved", "law")


def rests_on(record: Record) -> tuple[str, ...]:
    """Return the claims (as `Record.claim`, or the name of a range obligation) that a proof takes for granted."""
    if record.source != "proof":  # who visits states takes nothing for granted
        return ()
    game = record.name.partition(".")[0]
    needed = []
    for label in record.core:
        kind, _, name = label.partition(":")
        if kind in _CLAIMS:
            needed.append(f"{game}.{kind}.{name}")
        elif kind == "range" and name:
            needed.append(f"{game}.range/{name}")
        elif kind == "defined":  # the encoding gives some value to what has none
            needed.append(f"{game}.defined")
    symmetric = record.kind == "symmetry" and "." not in record.part  # of an action
    if symmetric or (record.kind in STEP_KINDS and record.part != OTHERWISE):
        needed.append(f"{game}.range/{record.part}")
    return tuple(dict.fromkeys(needed))


def claims_in(core: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the claims in a core, sorted."""
    labels = (label.partition(":") for label in core)
    return tuple(sorted({f"claim {name}" for kind, _, name in labels if kind in _CLAIMS}))
