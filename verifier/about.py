"""About: what a verdict speaks of, so that evidence can be seen to be old.

Reads:  an obligation, its verdict and the core of its proof.   Writes: names as `Fingerprints.named` spells them.
After:  while everything named is unchanged, the verdict stands, as far as what it takes for granted stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verifier.obligations import Kind, Obligation
from verifier.verdict import Verdict

#: What is found by playing: any change of the rules may spoil the play.
PLAYED: frozenset[Kind] = frozenset({"can_happen", "can_refuse", "triggered", "reachable", "sight", "audit"})
#: Labels of a core that name a claim.
CLAIMS = ("invariant", "conserved", "law")
#: Labels of a core that name a step of a path, or an invariant that nobody has written.
WIDE = ("range:", "strengthening:")


def about(obligation: Obligation, verdict: Verdict, core: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the goal and of everything that the argument rests on."""
    found = [] if obligation.action is None else [f"action {obligation.action}"]
    match obligation.kind:
        case "example":
            found.append(f"example {obligation.subject}")
        case "decreases":
            found.append(f"ranking {obligation.subject}")
        case "no_ties":
            found.append("score")
        case _ if obligation.subject is not None:
            found.append(f"claim {obligation.subject}")
        case _:
            pass
    if obligation.kind == "initially":
        found.append("start")
    # A proof rests on its core. Whatever is not proved may be, once anything else in the rules has changed.
    weak = verdict not in (Verdict.PROVED, Verdict.LIMITED)
    if obligation.kind in PLAYED or obligation.stage is not None or weak or is_wide(core):
        found.append("rules")
    return tuple(dict.fromkeys((*found, *claims_in(core))))


def is_wide(core: Iterable[str]) -> bool:
    """Return whether a proof speaks of steps other than the obligation's own, and so of every action there is."""
    return any(label.startswith(WIDE) for label in core)


def claims_in(core: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the claims in a core, sorted."""
    labels = (label.partition(":") for label in core)
    return tuple(sorted({f"claim {name}" for kind, _, name in labels if kind in CLAIMS}))
