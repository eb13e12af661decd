"""What the verifier's commands print: verdicts, plays, progress.

Reads:  reports.   Writes: text for people; plain data for programs.
After:  what is not proved is never left out, and a verdict always stands beside how it was reached.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.output import show_plain
from verifier.prove import Report
from verifier.verdict import Record, Verdict

MARKS = {
    Verdict.PROVED: "✓",
    Verdict.LIMITED: "◐",
    Verdict.VACUOUS: "∅",
    Verdict.NOT_SETTLED: "?",
    Verdict.NOT_INDUCTIVE: "⤳",
    Verdict.REFUTED: "✗",
}
FINE = (Verdict.PROVED, Verdict.LIMITED)
#: Codes from the one that wins to the one that loses, where several games are looked at in one run.
GRAVEST_FIRST = (Exit.DISAGREEMENT, Exit.REFUTED, Exit.BAD_INPUT, Exit.UNSETTLED, Exit.OK)


def gravest(codes: Sequence[int]) -> Exit:
    """Return the code that speaks for all of them."""
    return next((code for code in GRAVEST_FIRST if code in codes), Exit.OK)


def show_report(report: Report, *, verbose: bool) -> None:
    """Print the verdicts of one game: everything that is not proved, and on request the rest."""
    for record in report.records:
        if verbose or record.verdict not in FINE or record.alarm:
            show_record(record)
    counts = Counter(record.verdict for record in report.records)
    told = ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in Verdict if counts[verdict])
    stopped = "; interrupted" if report.interrupted else ""
    show_plain(f"{report.game}: {told or 'nothing to prove'}{stopped}")


def show_record(record: Record) -> None:
    """Print what is known of one obligation, and whatever makes it believable."""
    alarm = "; THE SECOND SOLVER DISAGREES" if record.alarm else ""
    show_plain(f"{MARKS[record.verdict]} {record.name}: {record.verdict} ({record.method}){alarm}")
    show_plain(f"    {record.sentence}")
    if record.reason:
        show_plain(f"    {record.reason}")
    if record.clauses and record.verdict not in FINE:
        show_plain(f"    clauses: {', '.join(record.clauses)}")
    if record.play and record.verdict not in FINE:
        show_play(record.play)


def show_play(moves: Sequence[str], indent: str = "    ") -> None:
    """Print a play, a move a line."""
    for number, move in enumerate(moves, 1):
        show_plain(f"{indent}{number:>3}  {move}")


def report_data(report: Report) -> dict[str, Any]:
    """Return a report as plain data."""
    return {
        "game": report.game,
        "interrupted": report.interrupted,
        "records": [asdict(each) for each in report.records],
    }


@contextmanager
def bar(title: str) -> Iterator[Callable[[str, int, int], None]]:
    """Show progress on a terminal, and nothing elsewhere; tell it what is done, how many, and of how many."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[now]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(title, total=None, now="")

        def tell(now: str, done: int, total: int) -> None:
            progress.update(task, completed=done, total=total, now=now)

        yield tell
