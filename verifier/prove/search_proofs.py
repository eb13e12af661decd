"""A search that closes is a proof: what induction leaves open is settled by having visited every state.

Reads:  the report of a proof run and a search of the same game.   Writes: the report, in which the search has its say.
After:  whatever the search has looked at in every reachable state is proved, for the data and the rulings it was made with;
        that is said in the bounds. A search that ended early changes nothing, and no refutation is taken back.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pilgrim_rules.core.ir import Game
from pilgrim_rules.evidence.compact import players_bound
from pilgrim_rules.evidence.dependencies import rests_on
from pilgrim_rules.evidence.record import PROOFS, Record, Verdict
from verifier.claims.verdict_dependencies import RESTS
from verifier.prove.run import Report

if TYPE_CHECKING:  # numpy is loaded by whoever searches
    from verifier.explore.search_result import Exploration

METHOD = "exhaustive search"
#: Kinds of obligations that are asked of every state and step of a search.
SEARCHED = frozenset(
    {
        "range",
        "initially",
        "kept",
        "follows",
        "step",
        "decreases",
        "one_side",
        "one_auto",
        "no_dead_end",
        "policy_covers",
        "weights",
    }
)
#: Kinds that no search is asked about, but whose proofs may take for granted what a search settles.
RESTING = frozenset({"defined", "no_ties", "sight", "no_leak", "symmetry"})
#: What a proof does not answer, and a search may.
OPEN = (Verdict.NOT_SETTLED, Verdict.NOT_INDUCTIVE, Verdict.CONDITIONAL)


def search_verdict(game: Game, *, all_rulings: bool = False) -> tuple[Verdict, tuple[str, ...]]:
    """Return what a closed search proves, and under which limits: it fixes the data, and the rulings."""
    data = any(each.assumed and each.source not in ("ruling", "option") for each in game.constants)
    limits: tuple[str, ...] = ("the data of this edition only",) if data else ()
    if all_rulings and game.rulings:
        limits = (*limits, "the rulings as they are chosen only")
    return (Verdict.LIMITED if limits else Verdict.PROVED), limits


def with_search(report: Report, game: Game, found: Exploration, *, all_rulings: bool = False) -> Report:
    """Return the report with everything that a closed search settles."""
    if not found.closed:
        return report
    verdict, limits = search_verdict(game, all_rulings=all_rulings)
    bounds = (players_bound(game.players), f"{found.states:,} states", *limits)
    broken = {f"{each.kind}.{each.name}" for each in found.findings} | {each.kind for each in found.findings}

    def settled(record: Record) -> Record:
        if record.verdict not in OPEN or record.alarm:
            return record
        changed = replace(record, method=METHOD, bounds=bounds, core=(), picture=None, confirmed="")
        if record.kind in SEARCHED and not _is_broken(record, broken):
            return replace(changed, verdict=verdict, reason="")
        if record.kind == "can_happen":
            if found.actions.get(record.part):
                return replace(changed, verdict=verdict, reason="")
            return replace(changed, verdict=Verdict.VACUOUS, reason="it happens in no reachable state")
        return record

    records = tuple(map(settled, report.records))
    unproved = {name for each in records if each.verdict not in PROOFS for name in (each.name, each.claim)}

    def stands(record: Record) -> Record:
        """Return a proof that stands now: what it takes for granted is proved by the search."""
        rested = record.kind in RESTING and record.verdict is Verdict.NOT_SETTLED and record.reason.startswith(RESTS)
        if not rested or unproved.intersection(rests_on(record)):
            return record
        return replace(record, verdict=verdict, reason="", bounds=(*record.bounds, *bounds[1:]))

    return replace(report, records=tuple(map(stands, records)))


def _is_broken(record: Record, broken: set[str]) -> bool:
    """Return whether the search has found something wrong with what the record is about, or with the search itself."""
    if broken & {"contradiction", "dead end", "two autos", "to move", "no policy"}:
        return (
            record.kind in ("range", "weights", "no_dead_end", "policy_covers", "one_auto", "one_side")
            or "contradiction" in broken
        )
    return f"{record.claim.split('.')[1]}.{record.subject}" in broken
