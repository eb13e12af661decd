"""SARIF 2.1.0: what is not fine, as findings that point at lines of the rules.

Reads:  outcomes.   Writes: one run; its rules are the kinds of claims.
After:  every record that is not fine is a result, an error if it is refuted or two accounts disagree, else a warning. A
        play is a code flow: each step points at its action and says what it changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.evidence.record import FINE, Record
from verifier.prove.tool_versions import OURS, versions
from verifier.report.claim_groups import claim_groups, claim_kind
from verifier.report.counterexamples import ReplayedStep, steps
from verifier.report.run_result import RunResult
from verifier.report.terminal_text import reasons

Data: TypeAlias = dict[str, Any]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"
#: What each kind of claim asks, in a few words; a finding adds the sentence of its own claim.
KINDS = {
    "law": "The data obey their laws",
    "range": "No value leaves its range",
    "defined": "Every value exists that is asked for",
    "one_side": "Exactly one player is to decide",
    "one_auto": "At most one thing happens by itself",
    "no_dead_end": "The game cannot get stuck",
    "policy_covers": "An automaton always has something to do",
    "weights": "No weight is below zero",
    "can_happen": "Every action can happen",
    "can_refuse": "Every requirement can fail",
    "falsifiable": "Every invariant says something",
    "triggered": "Every implication applies somewhere",
    "invariant": "An invariant holds in every state",
    "conserved": "A conserved quantity stays the same",
    "step": "A claim is true of every step",
    "contract": "An action keeps its contract",
    "terminates": "Every play ends",
    "reachable": "Something can be reached",
    "example": "An example comes out as written",
    "rank": "No two players can tie",
    "sight": "What is legal depends on nothing unseen",
    "no_leak": "Nobody learns what the rules do not give away",
    "symmetry": "A symmetry changes nothing",
    "audit": "An audit holds in every visited state",
    "mutation": "A mistake made on purpose is noticed",
    "agreement": "Two accounts of the same agree",
}


def sarif(outcomes: Sequence[RunResult]) -> str:
    """Return the outcomes as SARIF text."""
    results = [result for outcome in outcomes for result in _results(outcome)]
    used = [kind for kind in KINDS if any(result["ruleId"] == kind for result in results)]
    for result in results:
        result["ruleIndex"] = used.index(result["ruleId"])
    driver: Data = {
        "name": "pilgrim",
        "version": versions((OURS,)).get(OURS, "unknown"),
        "rules": [{"id": kind, "shortDescription": {"text": KINDS[kind]}} for kind in used],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False) + "\n"


def _results(outcome: RunResult) -> Iterator[Data]:
    spans = {each.name: each.span for group in claim_groups(outcome.game) for each in group.obligations}
    first = {group.name: group.obligations[0].span for group in claim_groups(outcome.game)}
    for record in outcome.records:
        if record.verdict in FINE and record.confirmed != "disagrees":
            continue
        alarm = record.confirmed == "disagrees"
        place = _location(outcome, spans.get(record.name, first.get(record.claim)))
        play = list(steps(outcome.game, record.play))
        yield {
            "ruleId": "agreement" if alarm else claim_kind(record.claim),
            "level": "error" if alarm or record.verdict in ("refuted", "survived") else "warning",
            "message": {"text": _message(record)},
            "partialFingerprints": {"claim/v1": f"{record.name} {record.source} {outcome.instance.players}"},
            **({"locations": [place]} if place else {}),
            **({"codeFlows": [{"threadFlows": [{"locations": _flow(outcome, play)}]}]} if play else {}),
            "properties": {"verdict": record.verdict, "method": record.method, "clauses": list(record.clauses)},
        }
    for alarm_text in outcome.alarms:
        yield {"ruleId": "agreement", "level": "error", "message": {"text": alarm_text}}


def _message(record: Record) -> str:
    head = f"{record.name} is {record.verdict}: {record.sentence}"
    return "\n".join((head, *reasons(record)))


def _flow(outcome: RunResult, play: Sequence[ReplayedStep]) -> list[Data]:
    actions = {action.name: action.note.span for action in outcome.game.actions}
    found = []
    for number, step in enumerate(play, 1):
        place = _location(outcome, actions.get(step.action)) or {}
        changed = (cell.partition(": ") for cell in step.changed)
        state = {name: {"text": values.rpartition("→")[2].strip()} for name, _, values in changed}
        found.append(
            {
                "executionOrder": number,
                "location": {**place, "message": {"text": step.text}},
                **({"state": state} if state else {}),
            }
        )
    return found


def _location(outcome: RunResult, span: Span | None) -> Data | None:
    """Return the place of a declaration; None if its text is not at hand."""
    source = None if span is None else outcome.sources.get(span.file)
    if span is None or source is None:
        return None
    end = span.start + len(source.text[span.start : span.end].rstrip())
    (line, column), (last, after) = source.position(span.start), source.position(end)
    region = {"startLine": line, "startColumn": column, "endLine": last, "endColumn": after}
    return {"physicalLocation": {"artifactLocation": _artifact(span.file), "region": region}}


def _artifact(file: str) -> Data:
    """Return where a file is: relative to the checkout, as the rules name it, or by its full address."""
    path = Path(file)
    return {"uri": path.as_uri()} if path.is_absolute() else {"uri": quote(path.as_posix()), "uriBaseId": ROOT}
