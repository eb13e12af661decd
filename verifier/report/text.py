"""Text: a report for the terminal, plain lines that need no colour.

Reads:  a report.   Writes: lines: what is wrong first, then the counts.
After:  every verdict that is not a proof has its reason beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from verifier.prove import Report
from verifier.verdict import WEAKEST_LAST, Record, Verdict

MARKS: dict[Verdict, str] = {
    Verdict.PROVED: "✓",
    Verdict.LIMITED: "◐",
    Verdict.VACUOUS: "∅",
    Verdict.NOT_SETTLED: "?",
    Verdict.NOT_INDUCTIVE: "↯",
    Verdict.REFUTED: "✗",
}
#: Moves of a play that are printed; the evidence has all of them.
SHOWN = 12


def lines(report: Report) -> Iterator[str]:
    """Yield the report, line by line."""
    for record in sorted(report.records, key=lambda record: WEAKEST_LAST.index(record.verdict), reverse=True):
        if record.verdict is not Verdict.PROVED or record.alarm:
            yield from record_lines(record)
    yield summary(report)


def record_lines(record: Record) -> Iterator[str]:
    """Yield one record: the verdict, what was claimed, why it is not proved, the play that shows it."""
    yield f"{MARKS[record.verdict]} {record.verdict}: {record.name}"
    yield f"    {record.sentence}"
    if record.alarm:
        yield "    alarm: two accounts that must agree do not"
    if record.reason:
        yield f"    {record.reason}"
    if record.play:
        left_out = len(record.play) - SHOWN
        start = f"… {left_out} moves, then " if left_out > 0 else ""
        yield f"    after {start}{', '.join(record.play[-SHOWN:])}"
    if record.clauses:
        yield f"    clauses: {', '.join(record.clauses)}"


def summary(report: Report) -> str:
    """Return the counts in one line."""
    counts = Counter(record.verdict for record in report.records)
    parts = [f"{counts[verdict]} {verdict}" for verdict in WEAKEST_LAST if counts[verdict]]
    confirmed = sum(record.confirmed == "agrees" for record in report.records)
    seconds = sum(record.seconds for record in report.records)
    stopped = " (interrupted)" if report.interrupted else ""
    return f"{report.game}: {', '.join(parts) or 'nothing to prove'}; {confirmed} confirmed by a second solver; {seconds:.1f} s{stopped}"
