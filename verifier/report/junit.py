"""JUnit XML: a report as test results, for services that show those.

Reads:  a report.   Writes: one suite, one test case an obligation.
After:  a refutation is a failure, an alarm an error, anything unsettled a failure too: nothing unproved looks green.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET  # only written, never parsed

from verifier.prove import Report
from verifier.verdict import Record, Verdict

GREEN = (Verdict.PROVED, Verdict.LIMITED)


def junit(report: Report) -> str:
    """Return the report as JUnit XML."""
    red = [record for record in report.records if record.verdict not in GREEN and not record.alarm]
    alarms = [record for record in report.records if record.alarm]
    seconds = sum(record.seconds for record in report.records)
    suite = ET.Element(
        "testsuite",
        name=f"pilgrim verify {report.game}",
        tests=str(len(report.records)),
        failures=str(len(red)),
        errors=str(len(alarms)),
        time=f"{seconds:.3f}",
    )
    for record in report.records:
        _case(suite, record)
    ET.indent(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(suite, encoding="unicode") + "\n"


def _case(suite: ET.Element, record: Record) -> None:
    case = ET.SubElement(suite, "testcase", classname=record.claim, name=record.name, time=f"{record.seconds:.3f}")
    if record.alarm:
        _text(
            ET.SubElement(case, "error", type="disagreement", message=record.reason or "two solvers disagree"), record
        )
    elif record.verdict not in GREEN:
        _text(ET.SubElement(case, "failure", type=str(record.verdict), message=record.reason), record)


def _text(element: ET.Element, record: Record) -> None:
    play = f"\nafter {', '.join(record.play)}" if record.play else ""
    element.text = _printable(f"{record.sentence}{play}")


def _printable(text: str) -> str:
    """XML has no place for control characters."""
    return "".join(char for char in text if char >= " " or char in "\n\t")
