"""Evidence as the documents use it: one record a claim, read from JSON and nothing else.

Reads:  docs/evidence/<game>.json, written by the verifier.   Writes: `Record`s.
After:  a file that cannot be read as evidence stops the build; a file that is not there means that all is open.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules_docs.status import Status, weakest

__all__ = ["Evidence", "Record", "read_evidence"]


@dataclass(frozen=True, slots=True)
class Record:
    """What was found out about one claim.

    how      induction, exhaustive search, bounded search, play; empty if nothing worked.
    limits   under which bounds and assumptions, in words; a proof within limits names them here.
    reason   why it is not settled, or what refutes it.
    """

    claim: str
    status: Status
    fingerprint: str
    how: str = ""
    limits: str = ""
    reason: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All records about one game, and the tools that made them."""

    records: tuple[Record, ...] = ()
    tools: str = ""

    def about(self, claim: str) -> tuple[Record, ...]:
        """Return the records of a claim."""
        return tuple(record for record in self.records if record.claim == claim)

    def status(self, claim: str, fingerprint: str | None) -> Status:
        """Return the status of a claim whose text has this fingerprint today."""
        found = self.about(claim)
        fresh = [record.status for record in found if fingerprint is not None and record.fingerprint == fingerprint]
        if not fresh:
            return Status.STALE if found else Status.OPEN
        return weakest(fresh)


def read_evidence(path: Path) -> Evidence:
    """Read the evidence of a game."""
    if not path.exists():
        return Evidence()
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return Evidence(tuple(_record(entry) for entry in data["records"]), data.get("tools", ""))


def _record(entry: dict[str, Any]) -> Record:
    return Record(
        claim=entry["claim"],
        status=Status[entry["verdict"].replace(" ", "_").upper()],
        fingerprint=entry["fingerprint"],
        how=entry.get("how", ""),
        limits=entry.get("limits", ""),
        reason=entry.get("reason", ""),
        rule=entry.get("rule", ""),
    )
