"""Gather: what proofs, search and play have found, as entries of one form.

Reads:  a core game and the results of one run.   Writes: entries.
After:  a search that has not seen everything, and play, are never more than `tested`; what was not looked at has no
        entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Game
from pilgrim_rules.source import SourceFile
from verifier.obligations import obligations
from verifier.prove import Report
from verifier.report.claims import Sheet, sheets
from verifier.report.entry import Entry, Finding
from verifier.report.why import why
from verifier.standing import rests_on
from verifier.tools import OURS, SEARCH, SECOND, SOLVER, versions
from verifier.verdict import Record

if TYPE_CHECKING:  # numpy and hypothesis are loaded by whoever searches or plays
    from verifier.explore.findings import Exploration, FindingKind
    from verifier.fuzz.report import CampaignReport

#: The claims that speak of what a search finds, by the kind of the finding; the others are claims of the author.
ABOUT: Mapping[FindingKind, str] = {
    "contradiction": "range",
    "dead end": "no_dead_end",
    "two autos": "one_auto",
    "to move": "one_side",
}
#: Kinds of claims that are asked of every state and step that is visited.
LOOKED_AT = ("range", "one_side", "one_auto", "no_dead_end", "invariant", "conserved", "step", "terminates")


def of_proofs(game: Game, report: Report, sources: Mapping[str, SourceFile] | None = None) -> Iterator[Entry]:
    """Yield an entry for each record; with the sources, each knows its place."""
    asked = {each.name: each for each in obligations(game)}
    for record in report.records:
        solvers = [SOLVER] if record.queries or record.rlimit else []
        solvers += [SECOND] if record.confirmed else []
        yield Entry(
            name=record.name,
            kind=record.kind,
            claim=record.claim,
            source="proof",
            verdict=record.verdict.value,
            method=record.method,
            sentence=record.sentence,
            about=record.fingerprints,
            tools=versions((OURS, *solvers)),
            reason=record.reason,
            bounds=record.bounds,
            clauses=record.clauses,
            core=tuple(sorted(record.core)),
            rests=rests_on(game, record),
            play=record.play,
            account=why(game, asked[record.name], record),
            confirmed=record.confirmed,  # type: ignore[arg-type]  # one of the three words, or nothing
            seconds=round(record.seconds, 2),
            rlimit=record.rlimit,
            queries=record.queries,
            place=_place(record, sources or {}),
        )


def _place(record: Record, sources: Mapping[str, SourceFile]) -> tuple[str, int, int, int, int] | None:
    if record.place is None or record.place[0] not in sources:
        return None
    file, start, end = record.place
    source = sources[file]
    # A declaration ends where the next one begins; what is empty in between is not part of it.
    end = start + len(source.text[start:end].rstrip())
    return (file, *source.position(start), *source.position(end))


def of_search(game: Game, found: Exploration) -> Iterator[Entry]:
    """Yield an entry for each claim that the search has looked at."""
    wrong = {f"{game.name}.{ABOUT.get(each.kind) or f'{each.kind}.{each.name}'}": each for each in found.findings}
    seen = f"{found.states:,} states"
    # A search fixes the data that proofs leave open.
    left_open = any(each.assumed and each.source != "ruling" for each in game.constants)
    whole: Finding = "proved within limits" if left_open else "proved"
    data = ("the data of this edition only",) if whole != "proved" else ()
    shown = {each.name: tuple(step.text for step in each.play) for each in found.witnesses}
    made = _Maker(game, "search", "exhaustive search" if found.closed else "search", versions((OURS, SEARCH)))
    for sheet in sheets(game):
        failure = wrong.get(sheet.name)
        if failure is not None:
            yield made.entry(sheet, "refuted", (seen,), failure.says, tuple(failure.moves))
        elif sheet.kind in LOOKED_AT:
            yield made.entry(sheet, whole if found.closed else "tested", (seen, *data))
        elif sheet.kind == "reachable" and str(sheet.subject) in shown:
            yield made.entry(sheet, "proved", (seen,), play=shown[str(sheet.subject)])
        elif sheet.kind == "reachable" and found.closed:
            yield made.entry(sheet, "refuted", (seen,), "no state satisfies it")


def of_play(game: Game, found: CampaignReport) -> Iterator[Entry]:
    """Yield an entry for each claim that random play has looked at, and for each obligation it has broken."""
    tally = found.tally
    if not tally.games:
        return
    idle = (f"`{name}` was never made" for name in found.never_made)
    bounds = (f"{tally.games:,} games, {tally.steps:,} steps, seed {found.seed}", *idle)
    made = _Maker(game, "fuzz", "random play", versions((OURS,)))
    wrong = {failure.name: failure for failure in found.failures}
    for sheet in sheets(game):
        failures = [wrong[each.name] for each in sheet.obligations if each.name in wrong]
        for failure in failures:
            yield made.entry(sheet, "refuted", bounds, failure.says, failure.moves, failure.name)
        if sheet.kind in (*LOOKED_AT, "audit") and not failures:
            yield made.entry(sheet, "tested", bounds)


class _Maker:
    """Makes the entries of one source."""

    def __init__(self, game: Game, source: str, method: str, tools: Mapping[str, str]) -> None:
        self.prints = Fingerprints(game).named()
        self.players = "1 player" if game.players == 1 else f"{game.players} players"
        self.source, self.method, self.tools = source, method, tools

    def entry(
        self, sheet: Sheet, verdict: Finding, bounds: tuple[str, ...], reason: str = "", play: tuple[str, ...] = (),
        name: str = "",
    ) -> Entry:  # fmt: skip
        """Return the entry of a claim, or of one of its obligations by name."""
        subject = ["claim " + sheet.subject, "ranking " + sheet.subject] if sheet.subject else []
        about = ("rules", *(each for each in subject if each in self.prints))
        return Entry(
            name=name or sheet.name,
            kind=sheet.kind,
            claim=sheet.name,
            source=self.source,  # type: ignore[arg-type]  # the two that are made above
            verdict=verdict,
            method=self.method,
            sentence=sheet.sentence,
            about={each: self.prints[each] for each in about},
            tools=self.tools,
            reason=reason,
            bounds=(self.players, *bounds),
            clauses=sheet.clauses,
            play=play,
        )
