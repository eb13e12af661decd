"""SARIF 2.1: a report as findings that point at lines of the spec.

Reads:  a report, and the source files it speaks of.   Writes: one SARIF run.
After:  every obligation that is not proved is a result: `error` if refuted, `warning` otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pilgrim_rules.source import SourceFile
from verifier.prove import Report
from verifier.report.evidence import tools
from verifier.verdict import Record, Verdict

RULES: dict[Verdict, str] = {
    Verdict.REFUTED: "A play from the start, replayed by the engine, breaks the claim.",
    Verdict.NOT_INDUCTIVE: "A step from a state that satisfies every invariant breaks the claim.",
    Verdict.NOT_SETTLED: "No proof and no counterexample was found.",
    Verdict.VACUOUS: "The claim is true for the wrong reason.",
}
DISAGREEMENT = "disagreement"


def sarif(report: Report, sources: Mapping[str, SourceFile]) -> str:
    """Return the report as SARIF text."""
    found = [record for record in report.records if record.alarm or record.verdict in RULES]
    rules = [{"id": _id(verdict), "shortDescription": {"text": text}} for verdict, text in RULES.items()]
    rules.append({"id": DISAGREEMENT, "shortDescription": {"text": "Two accounts that must agree do not."}})
    run = {
        "tool": {
            "driver": {
                "name": "pilgrim verify",
                "version": tools().get("pilgrim-rules", "unknown"),
                "rules": rules,
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(record, sources) for record in found],
    }
    return json.dumps(
        {"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "runs": [run]}, indent=1
    )


def _id(verdict: Verdict) -> str:
    return str(verdict).replace(" ", "-")


def _result(record: Record, sources: Mapping[str, SourceFile]) -> dict[str, Any]:
    parts = [f"{record.name}: {record.sentence}", record.reason]
    if record.play:
        parts.append(f"after {', '.join(record.play)}")
    severe = record.alarm or record.verdict is Verdict.REFUTED
    return {
        "ruleId": DISAGREEMENT if record.alarm else _id(record.verdict),
        "level": "error" if severe else "warning",
        "message": {"text": "\n".join(part for part in parts if part)},
        "partialFingerprints": {"obligation": record.name},
        "locations": [] if record.place is None else [_location(record.place, sources)],
    }


def _location(place: tuple[str, int, int], sources: Mapping[str, SourceFile]) -> dict[str, Any]:
    file, start, end = place
    region: dict[str, int] = {"charOffset": start, "charLength": max(0, end - start)}
    source = sources.get(file)
    if source is not None:
        line, column = source.position(start)
        last, last_column = source.position(end)
        region |= {"startLine": line, "startColumn": column, "endLine": last, "endColumn": last_column}
    return {"physicalLocation": {"artifactLocation": {"uri": file}, "region": region}}
