"""Evidence as the documents use it: read from JSON and nothing else, and judged by today's rules.

Reads:  docs/evidence/<game>.json, written by the verifier.   Writes: `Record`s.
After:  a record counts only while everything it speaks of has the fingerprint it was made for; otherwise it is stale.
        A proof that takes something for granted counts only while that is proved. A file that is not there means that
        all is open.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rules_docs.bounds import games_in
from rules_docs.status import Status, weakest

__all__ = ["PROVED", "BadEvidence", "Evidence", "Part", "Record", "read_evidence"]

FORMAT = "pilgrim-rules/evidence/1"
PROVED = frozenset({Status.PROVED, Status.PROVED_WITHIN_LIMITS})
#: What is known of mistakes made on purpose says nothing about a claim.
SOURCES = ("proof", "search", "fuzz")


class BadEvidence(Exception):
    """The file is not evidence that these documents can read."""


@dataclass(frozen=True, slots=True)
class Record:
    """What was found out about an obligation, or about a claim as a whole.

    name     `<game>.<kind>.<claim>/<rule>`; the part after the slash is a rule, a stage or `initially`.
    source   who says so: a proof, a search of states, random play.
    method   how: induction, exhaustive search, play.
    bounds   under which bounds and assumptions.
    reason   why it is not settled, or what refutes it.
    core     what the proof rests on.         rests  claims and obligations that it takes for granted.
    play     moves from the start that show a refutation or a witness.
    about    fingerprints of what it speaks of.
    """

    name: str
    kind: str
    claim: str
    source: str
    status: Status
    sentence: str = ""
    method: str = ""
    bounds: tuple[str, ...] = ()
    reason: str = ""
    core: tuple[str, ...] = ()
    rests: tuple[str, ...] = ()
    play: tuple[str, ...] = ()
    confirmed: str = ""
    about: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)

    @property
    def part(self) -> str:
        """The rule or stage that the record is about; empty if it is about the whole claim."""
        return self.name.partition("/")[2]

    @property
    def subject(self) -> str:
        """The claim of the author that the record is about, by its own name; empty if nobody has claimed it."""
        if self.kind == "falsifiable":
            return self.part
        return self.claim.split(".", 2)[2] if self.claim.count(".") > 1 else ""


@dataclass(frozen=True)
class Part:
    """What is known of one instance of a game."""

    players: int
    rulings: Mapping[str, str] = field(default_factory=dict)
    usual: bool = True  #: with the edition and the map that the game has anyway
    records: tuple[Record, ...] = ()

    def today(self, fingerprints: Mapping[str, str], needed: Mapping[str, tuple[str, ...]]) -> Part:
        """Return what still counts.

        fingerprints  of the rules as they are: records that were made for another text are stale.
        needed        the parts that the proof of each claim must have.
        """
        made = [
            record
            if record.about and record.about.items() <= fingerprints.items()
            else replace(record, status=Status.STALE)
            for record in self.records
        ]
        part = replace(self, records=tuple(made))
        while (next_ := part.standing(needed)) != part:
            part = next_
        return part

    def standing(self, needed: Mapping[str, tuple[str, ...]]) -> Part:
        """Return the records, those that rest on something that is not proved marked as not settled."""
        claims: dict[str, list[Record]] = {}
        for record in self.records:
            claims.setdefault(record.claim, []).append(record)
        known = {record.name for record in self.records if record.status in PROVED}
        known -= claims.keys()
        known |= {
            claim for claim, found in claims.items() if _status(found, needed.get(found[0].subject, ())) in PROVED
        }

        def standing(record: Record) -> Record:
            fallen = [name for name in record.rests if not {name, name.partition("/")[0]} & known]
            if record.status not in PROVED or not fallen:
                return record
            because = f"it rests on `{fallen[0].partition('.')[2]}`, which is not proved"
            return replace(record, status=Status.NOT_SETTLED, reason=because)

        return replace(self, records=tuple(map(standing, self.records)))

    def about(self, claim: str) -> list[Record]:
        """Return the records about a claim, given by its own name."""
        return self._by_subject.get(claim, [])

    @cached_property
    def _by_subject(self) -> dict[str, list[Record]]:
        found: dict[str, list[Record]] = {}
        for record in self.records:
            found.setdefault(record.subject, []).append(record)
        return found

    @cached_property
    def played(self) -> frozenset[str]:
        """What is said of the random play that found nothing wrong."""
        tested = (record for record in self.records if record.status is Status.TESTED)
        return frozenset(bound for record in tested for bound in record.bounds)

    @cached_property
    def by_rule(self) -> dict[str, list[Record]]:
        """The records about each rule or stage, whatever they claim of it."""
        found: dict[str, list[Record]] = {}
        for record in self.records:
            found.setdefault(record.part, []).append(record)
        return found


@dataclass(frozen=True)
class Evidence:
    """All that counts about one game, instance by instance, and the parts that each claim needs."""

    parts: tuple[Part, ...] = ()
    needed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def tools(self) -> str:
        """The tools that were used, with their versions."""
        found = {
            tool: version for part in self.parts for record in part.records for tool, version in record.tools.items()
        }
        return ", ".join(f"{tool} {version}" for tool, version in sorted(found.items()))

    def played(self, rule: str) -> int:
        """Return how many games were played at random by the rules of today, where a rule was used in some of them."""
        bounds = (part.played for part in self.parts)
        return sum(games_in(found) for found in bounds if f"`{rule}` was never made" not in found)

    def about(self, claim: str) -> tuple[Record, ...]:
        """Return the records of a claim, given by its own name; that it says something goes without saying."""
        found = [record for part in self.parts for record in part.about(claim)]
        return tuple(record for record in found if record.kind != "falsifiable" or record.status not in PROVED)

    def of_rule(self, rule: str) -> tuple[Record, ...]:
        """Return the records about a rule, whatever they claim of it."""
        found = [record for part in self.parts for record in part.by_rule.get(rule, ())]
        return tuple(record for record in found if record.kind != "falsifiable")

    def status(self, claim: str) -> Status:
        """Return the status of a claim, given by its own name: the weakest over the instances that were looked at."""
        looked_at = [found for part in self.parts if (found := part.about(claim))]
        return weakest(_status(found, self.needed.get(claim, ())) for found in looked_at)


def _status(records: Sequence[Record], needed: Iterable[str]) -> Status:
    """Return the status of a claim in one instance.

    All parts of a proof are needed, so the weakest decides, and one that is missing is open. Of several ways to look at
    the claim the best counts, unless one of them refutes it or finds that it says nothing.
    """
    proof = {record.part: record.status for record in records if record.source == "proof"}
    ways = [record.status for record in records if record.source != "proof"]
    if proof:
        ways.append(weakest([*proof.values(), *(Status.OPEN for part in needed if part not in proof)]))
    spoilt = [status for status in ways if status in (Status.REFUTED, Status.VACUOUS)]
    return weakest(spoilt) if spoilt else max(ways, default=Status.OPEN)


def read_evidence(path: Path) -> tuple[Part, ...]:
    """Read the evidence of a game, instance by instance; nothing if there is no file."""
    if not path.exists():
        return ()
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise BadEvidence(f"{path.name} is not of the form {FORMAT}")
        return tuple(_part(each) for each in data["instances"])
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise BadEvidence(f"{path.name} cannot be read: {type(problem).__name__}: {problem}") from None


def _part(data: dict[str, Any]) -> Part:
    prints = data["fingerprints"]
    usual = not (data.get("edition") or data.get("map"))
    records = (_record(entry, prints) for entry in data["records"] if entry["source"] in SOURCES)
    return Part(int(data["players"]), dict(data["rulings"]), usual, tuple(records))


def _record(entry: dict[str, Any], prints: dict[str, str]) -> Record:
    status = Status[entry["verdict"].replace(" ", "_").upper()]
    if entry["kind"] == "example" and status is Status.PROVED:
        status = Status.EXAMPLE
    return Record(
        name=entry["name"],
        kind=entry["kind"],
        claim=entry["claim"],
        source=entry["source"],
        status=status,
        sentence=entry["sentence"],
        method=entry["method"],
        bounds=tuple(entry.get("bounds", ())),
        reason=entry.get("reason", ""),
        core=tuple(entry.get("core", ())),
        rests=tuple(entry.get("rests", ())),
        play=tuple(entry.get("play", ())),
        confirmed=entry.get("confirmed", ""),
        about={name: prints[name] for name in entry["about"]},
        tools=entry["tools"],
    )
