"""Gather: what proofs, search and play have found, as records.

Reads:  a core game and the results of one run.   Writes: records.
After:  a search that has not seen everything, and play, are never more than `tested`; what was not looked at has no
        record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pilgrim_rules.core.contracts import contradicted
from pilgrim_rules.core.fingerprint import fingerprints_of
from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.core.ir import Game
from pilgrim_rules.diagnostics.source import SourceFile
from pilgrim_rules.evidence.compact import players_bound
from pilgrim_rules.evidence.deciding_code import CODE, deciding_code
from pilgrim_rules.evidence.record import ClaimSpan, Record, Source, Verdict
from verifier.claims.implication_premises import triggers
from verifier.claims.obligations import obligations
from verifier.fuzz.play_coverage import ENOUGH, PlayCoverage
from verifier.prove.run import Report
from verifier.prove.search_proofs import METHOD, search_verdict
from verifier.prove.tool_versions import OURS, SEARCH, SECOND, SOLVER, versions
from verifier.report.claim_groups import ClaimGroup, claim_groups
from verifier.report.explain_failure import explain_failure

if TYPE_CHECKING:  # numpy and hypothesis are loaded by whoever searches or plays
    from verifier.explore.search_result import Exploration, Finding, FindingKind
    from verifier.fuzz.report import CampaignReport

#: The claims that speak of what a search finds, by the kind of the finding; the others are claims of the author.
ABOUT: Mapping[FindingKind, str] = {
    "contradiction": "range",
    "dead end": "no_dead_end",
    "two autos": "one_auto",
    "no policy": "policy_covers",
    "to move": "one_side",
    "no_leak": "no_leak",
    "sight": "sight",
}
#: Kinds of claims that are asked of every state and step that is visited.
LOOKED_AT = (
    "range",
    "defined",
    "one_side",
    "one_auto",
    "no_dead_end",
    "policy_covers",
    "invariant",
    "conserved",
    "step",
    "contract",
    "terminates",
)

#: Kinds of claims about two states that look alike. A search compares what may be done and what follows, but not reasons for refusals,
#: and where something is given away on purpose it tries some pairs only: so it tests them.
SECRECY = ("sight", "no_leak")


def records_of_proofs(game: Game, report: Report, sources: Mapping[str, SourceFile] | None = None) -> Iterator[Record]:
    """Yield the records of a run with the tools that were used and what exactly is wrong; with the sources, the lines."""
    asked = {each.name: each for each in obligations(game)}
    for record in report.records:
        solvers = [SOLVER] if record.queries or record.rlimit else []
        solvers += [SECOND] if record.confirmed else []
        yield replace(
            record,
            tools={**versions((OURS, *solvers)), CODE: deciding_code()},
            core=tuple(sorted(record.core)),
            explanation=explain_failure(game, asked[record.name], record),
            seconds=round(record.seconds, 2),
            place=_place(record.place, sources or {}),
        )


def _place(place: ClaimSpan | None, sources: Mapping[str, SourceFile]) -> ClaimSpan | None:
    if place is None or place.file not in sources:
        return None
    source = sources[place.file]
    # A declaration ends where the next one begins; what is empty in between is not part of it.
    end = place.start + len(source.text[place.start : place.end].rstrip())
    return ClaimSpan(place.file, place.start, end, *source.position(place.start), *source.position(end))


def records_of_search(game: Game, found: Exploration) -> Iterator[Record]:
    """Yield an record for each claim that the search has looked at."""
    wrong = {f"{game.name}.{_about(each)}": each for each in found.findings}
    seen = f"{found.states:,} states"
    whole, data = search_verdict(game)
    shown = {each.name: tuple(step.text for step in each.play) for each in found.witnesses}
    made = _Maker(game, "search", METHOD if found.closed else "search", versions((OURS, SEARCH)))
    for group in claim_groups(game):
        failure = wrong.get(group.name)
        if failure is not None:
            yield made.record(group, Verdict.REFUTED, (seen,), failure.says, tuple(failure.moves))
        elif group.kind in (*LOOKED_AT, *(("audit",) if found.audited else ())):
            yield made.record(group, whole if found.closed else Verdict.TESTED, (seen, *data))
        elif group.kind in SECRECY and found.compared:
            yield made.record(group, Verdict.TESTED, (f"{seen}, compared where they look alike",))
        elif group.kind == "reachable" and str(group.subject) in shown:
            yield made.record(group, Verdict.PROVED, (seen,), play=shown[str(group.subject)])
        elif group.kind == "reachable" and found.closed:
            yield made.record(group, Verdict.REFUTED, (seen,), "no state satisfies it")


def _about(finding: Finding) -> str:
    """Return the claim that something found by a search is about; a contradiction names its action and its line."""
    if finding.kind == "contradiction":
        action, _, key = finding.name.partition(": ")
        return contradicted(key, action).partition("/")[0]
    return ABOUT.get(finding.kind) or f"{finding.kind}.{finding.name}"


def records_of_play(game: Game, found: CampaignReport) -> Iterator[Record]:
    """Yield an record for each claim that random play has looked at, and for each obligation it has broken."""
    tally = found.tally
    if not tally.games:
        return
    idle = (f"`{name}` was never made" for name in found.never_made)
    bounds = (f"{tally.games:,} games, {tally.steps:,} steps, seed {found.seed}", *idle)
    made = _Maker(game, "fuzz", "random play", versions((OURS,)))
    wrong = {failure.name: failure for failure in found.failures}
    for group in claim_groups(game):
        failures = [wrong[each.name] for each in group.obligations if each.name in wrong]
        for failure in failures:
            yield made.record(group, Verdict.REFUTED, bounds, failure.says, failure.moves, failure.name)
        if group.kind in (*LOOKED_AT, "audit") and not failures:
            verdict, premise = _exercised(game, group, tally.coverage)
            yield made.record(group, verdict, (*bounds, *premise))


def _exercised(game: Game, group: ClaimGroup, coverage: PlayCoverage) -> tuple[Verdict, tuple[str, ...]]:
    """Return whether what a claim presupposes has come about in play, and how often: the rarest of its implications."""
    claim = next((each for each in game.claims if each.name == group.subject), None)
    if claim is None or claim.kind in ("step", "contract"):
        return Verdict.TESTED, ()
    premises = triggers(claim.formula, Footprints.from_game(game))
    if not premises:
        return Verdict.TESTED, ()
    least = min(coverage.premises[f"{claim.name}/{number}"] for number in range(1, len(premises) + 1))
    if least == 0:
        return Verdict.NOT_EXERCISED, ("what it presupposes never came about",)
    more = " or more" if least >= ENOUGH else ""
    return Verdict.TESTED, (f"what it presupposes came about in {least:,}{more} states",)


class _Maker:
    """Makes the records of one source."""

    def __init__(self, game: Game, source: Source, method: str, tools: Mapping[str, str]) -> None:
        self.prints = fingerprints_of(game).named()
        self.cited = {claim.name: claim.note.clauses for claim in game.claims}
        self.players = players_bound(game.players)
        self.source, self.method, self.tools = source, method, tools

    def record(
        self, group: ClaimGroup, verdict: Verdict, bounds: tuple[str, ...], reason: str = "", play: tuple[str, ...] = (),
        name: str = "",
    ) -> Record:  # fmt: skip
        """Return the record of a claim, or of one of its obligations by name."""
        subject = ["claim " + group.subject, "ranking " + group.subject] if group.subject else []
        about = ("rules", *(each for each in subject if each in self.prints))
        return Record(
            name=name or group.name,
            kind=group.kind,
            sentence=group.sentence,
            verdict=verdict,
            method=self.method,
            source=self.source,
            reason=reason,
            bounds=(self.players, *bounds),
            clauses=self.cited.get(
                group.subject or "", group.clauses
            ),  # play tries the claim, not the rules one by one
            play=play,
            about={each: self.prints[each] for each in about},
            tools={**self.tools, CODE: deciding_code()},
        )
