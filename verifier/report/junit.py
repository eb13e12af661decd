"""JUnit XML: what was found as test results, for services that show those.

Reads:  outcomes.   Writes: one suite a game, one test case an record.
After:  a disagreement is an error, and everything that is not fine is a failure: nothing unproved looks green.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET  # only written, never parsed

from pilgrim_rules.evidence.record import FINE, Record
from verifier.report.run_result import RunResult
from verifier.report.terminal_text import reasons

#: What XML 1.0 has no place for, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(outcomes: Sequence[RunResult]) -> str:
    """Return the outcomes as JUnit XML."""
    root = ET.Element("testsuites", name="pilgrim")
    for outcome in outcomes:
        _suite(root, outcome)
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suite(root: ET.Element, outcome: RunResult) -> None:
    suite = ET.SubElement(
        root, "testsuite", name=_printable(f"{outcome.game.name}, {outcome.instance.players} players")
    )
    for record in outcome.records:
        _case(suite, record)
    for number, alarm in enumerate(outcome.alarms, 1):
        case = ET.SubElement(suite, "testcase", classname=f"{outcome.game.name}.agreement", name=f"alarm {number}")
        ET.SubElement(case, "error", type="disagreement", message=_printable(alarm))
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    suite.set("time", f"{sum(record.seconds for record in outcome.records):.2f}")


def _case(suite: ET.Element, record: Record) -> None:
    name = record.name if record.source == "proof" else f"{record.name} ({record.source})"
    case = ET.SubElement(suite, "testcase", classname=record.claim, name=name, time=f"{record.seconds:.2f}")
    if record.place is not None:
        case.set("file", _printable(record.place.file))
        case.set("line", str(record.place.line))
    if record.confirmed == "disagrees":
        problem = ET.SubElement(case, "error", type="disagreement")
        problem.set("message", _printable(record.reason or "the second solver disagrees"))
    elif record.verdict not in FINE:
        problem = ET.SubElement(case, "failure", type=record.verdict)
        problem.set("message", _printable(record.reason or record.verdict))
    else:
        return
    problem.text = _printable("\n".join((record.sentence, *reasons(record))))


def _printable(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
