"""Evidence as the documents use it: one record an obligation, read from JSON and nothing else.

Reads:  docs/evidence/<game>.json, written by the verifier.   Writes: `Record`s.
After:  a record counts only while everything it speaks of has the fingerprint it was made for; otherwise it is stale.
        A file that is not there means that all is open.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rules_docs.status import Status, weakest

__all__ = ["Evidence", "Record", "read_evidence"]


@dataclass(frozen=True, slots=True)
class Record:
    """What was found out about one obligation.

    name     `<game>.<kind>.<claim>/<rule>`; the part after the slash is a rule, a stage or `initially`.
    method   how: induction, exhaustive search, play; empty if nothing worked.
    bounds   under which bounds and assumptions.
    reason   why it is not settled, or what refutes it.
    core     what the proof rests on.
    play     moves from the start that show a refutation or a witness.
    """

    name: str
    claim: str
    status: Status
    sentence: str = ""
    method: str = ""
    bounds: tuple[str, ...] = ()
    reason: str = ""
    core: tuple[str, ...] = ()
    play: tuple[str, ...] = ()
    confirmed: str = ""
    fingerprints: Mapping[str, str] = field(default_factory=dict)

    @property
    def part(self) -> str:
        """The rule or stage that the record is about; empty if it is about the whole claim."""
        return self.name.partition("/")[2]


@dataclass(frozen=True, slots=True)
class Evidence:
    """All records about one game, each with the status it has today, and the tools that made them."""

    records: tuple[Record, ...] = ()
    tools: str = ""

    def about(self, claim: str) -> tuple[Record, ...]:
        """Return the records of a claim, given by its own name."""
        return tuple(record for record in self.records if record.claim.rpartition(".")[2] == claim)

    def of_rule(self, rule: str) -> tuple[Record, ...]:
        """Return the records about a rule, whatever they claim of it."""
        return tuple(record for record in self.records if record.part == rule)

    def status(self, claim: str) -> Status:
        """Return the status of a claim: the weakest of its records."""
        return weakest(record.status for record in self.about(claim))

    def today(self, fingerprints: Mapping[str, str]) -> Evidence:
        """Return the evidence with every record stale that was made for another text."""

        def fresh(record: Record) -> bool:
            return bool(record.fingerprints) and record.fingerprints.items() <= fingerprints.items()

        return replace(
            self,
            records=tuple(record if fresh(record) else replace(record, status=Status.STALE) for record in self.records),
        )


def read_evidence(path: Path) -> Evidence:
    """Read the evidence of a game."""
    if not path.exists():
        return Evidence()
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    tools = data.get("tools", {})
    return Evidence(
        tuple(_record(entry) for entry in data["records"]),
        ", ".join(f"{tool} {version}" for tool, version in sorted(tools.items())),
    )


def _record(entry: dict[str, Any]) -> Record:
    status = Status[entry["verdict"].replace(" ", "_").upper()]
    if entry.get("kind") == "example" and status is Status.PROVED:
        status = Status.EXAMPLE
    return Record(
        name=entry["name"],
        claim=entry["claim"],
        status=status,
        sentence=entry.get("sentence", ""),
        method=entry.get("method", ""),
        bounds=tuple(entry.get("bounds", ())),
        reason=entry.get("reason", ""),
        core=tuple(entry.get("core", ())),
        play=tuple(entry.get("play", ())),
        confirmed=entry.get("confirmed", ""),
        fingerprints=entry.get("fingerprints", {}),
    )
