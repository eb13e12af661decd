"""Markdown: the verdicts of a run as a summary for a pull request.

Reads:  results of a run.   Writes: a headline, a table with a row for each instance, then what is wrong and what is not settled, each with its place.
After:  the headline is green only if everything is fine and nobody disagrees. Nothing of a text of the rules is taken for Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pilgrim_rules.evidence.record import FINE, PROOFS, Record, Verdict
from verifier.report.run_result import RunResult

MOST_LISTED: Final = 40  #: of each kind; a comment has an end


def markdown(outcomes: Sequence[RunResult]) -> str:
    """Return the outcomes as Markdown."""
    records = [record for outcome in outcomes for record in outcome.records]
    alarms = [alarm for outcome in outcomes for alarm in outcome.alarms]
    alarms += [f"`{record.name}`: a second solver disagrees" for record in records if record.alarm]
    refuted = [record for record in records if record.verdict == Verdict.REFUTED]
    open_ = [record for record in records if record.verdict not in FINE and record not in refuted]
    lines = [f"### {_headline(len(records), len(alarms), len(refuted), len(open_))}", ""]
    lines += ["| game | players | proved | tested | not settled | refuted |", "|---|--:|--:|--:|--:|--:|"]
    lines += [_row(outcome) for outcome in outcomes]
    lines += _listed("Two checks disagree", list(map(_plain, alarms)))
    lines += _listed("Refuted", list(map(_line, refuted)))
    lines += _listed("Not settled", list(map(_line, open_)))
    return "\n".join([*lines, ""])


def _headline(whole: int, alarms: int, refuted: int, open_: int) -> str:
    if alarms:
        return f"🚨 {alarms} disagreements between checks"
    if refuted:
        return f"❌ {refuted} of {whole} obligations refuted"
    if open_ or not whole:
        return f"❔ {open_} of {whole} obligations not settled"
    return f"✅ all {whole} obligations hold"


def _row(outcome: RunResult) -> str:
    verdicts = [record.verdict for record in outcome.records]
    counts = (
        sum(each in PROOFS for each in verdicts),
        verdicts.count(Verdict.TESTED),
        sum(each not in FINE and each != Verdict.REFUTED for each in verdicts),
        verdicts.count(Verdict.REFUTED),
    )
    stopped = " (interrupted)" if outcome.interrupted else ""
    name = _plain(outcome.game.title)
    return f"| {name}{stopped} | {outcome.instance.players} | {' | '.join(map(str, counts))} |"


def _listed(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from ("", f"**{title}**", "", *(f"- {line}" for line in lines[:MOST_LISTED]))
    if len(lines) > MOST_LISTED:
        yield f"- and {len(lines) - MOST_LISTED} more"


def _line(record: Record) -> str:
    where = [", ".join(record.clauses)] if record.clauses else []
    where += [f"{record.place.file}:{record.place.line}"] if record.place is not None else []
    said = f" ({_plain('; '.join(where))})" if where else ""
    why = f" {record.reason}" if record.reason else ""
    play = f" Play: `{', '.join(record.play)}`." if record.play and record.verdict == Verdict.REFUTED else ""
    return f"`{record.name}`: {record.verdict}{said}. {_plain(record.sentence + why)}{play}"


def _plain(text: str) -> str:
    """Return a text in which nothing means anything to Markdown but code between backticks."""
    printable = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in " ".join(text.split()))
    parts = re.split(r"(`[^`]*`)", printable)
    return "".join(part if at % 2 else re.sub(r"([\\*_\[\]<>#|~`])", r"\\\1", part) for at, part in enumerate(parts))
