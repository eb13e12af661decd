"""What is known about claims: rows of verdicts, and the line of badges at the top of a rule.

Reads:  a book.   Writes: nodes.
After:  each word stands beside how it was reached and within which limits; what is open says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from docutils import nodes

from rules_docs import build
from rules_docs.bounds import merged
from rules_docs.connections import Connections
from rules_docs.disclosure import details
from rules_docs.evidence import PROVED, Record
from rules_docs.shelf import Book
from rules_docs.status import Status, weakest

__all__ = ["evidence_rows", "guaranteed", "status_line"]


Row: TypeAlias = tuple[Status, Sequence[Sequence[build.Inline]]]
HEAD, WIDTHS = ("Guarantee", "Verdict", "How", "Limits"), (46, 18, 14, 22)
MOST = 6  #: what is proved is shown at once if it is no more than this


def guaranteed(book: Book, rule: str, claims: Iterable[tuple[str, str]]) -> list[nodes.Node]:
    """Return what a rule must preserve: what is not proved at once, what is proved to be opened if it is much."""
    rows = evidence_rows(book, rule, claims)
    proved = [row for status, row in rows if status in PROVED]
    others = [row for status, row in rows if status not in PROVED]
    shown: list[nodes.Node] = [build.table(HEAD, others, WIDTHS, "rules-guarantees")] if others else []
    if len(rows) <= MOST:
        return [build.table(HEAD, [row for _, row in rows], WIDTHS, "rules-guarantees")] if rows else []
    if proved:
        word = build.badge(weakest(status for status, _ in rows if status in PROVED))
        table = build.table(HEAD, proved, WIDTHS, "rules-guarantees")
        shown.append(details([word, f" {len(proved)} guarantee{'s' if len(proved) > 1 else ''}"], table))
    return shown


def evidence_rows(book: Book, rule: str, claims: Iterable[tuple[str, str]]) -> list[Row]:
    """Return a row for each claim (name, sentence) that a rule must preserve, then what is asked of every rule."""
    named = dict(claims)
    mine = _by_claim(book.evidence.of_rule(rule))
    rows: list[Row] = []
    for name, sentence in named.items():
        records = [record for found in mine.values() for record in found if record.subject == name]
        status = weakest(record.status for record in records)
        claim: list[build.Inline] = [build.xref("invariant", book.name, name), ": ", sentence]
        rows.append((status, (claim, [build.badge(status)], *_account(records))))
    for records in mine.values():
        if records[0].subject not in named:
            status = weakest(record.status for record in records)
            rows.append((status, (build.prose(records[0].sentence), [build.badge(status)], *_account(records))))
    return rows


def _by_claim(records: Iterable[Record]) -> dict[str, list[Record]]:
    """Return the records of each claim, those of several instances together."""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(record.claim, []).append(record)
    return found


def _account(records: Sequence[Record]) -> tuple[list[build.Inline], list[build.Inline]]:
    """Return how something was found out, and within which limits or why not; nothing for what is stale."""
    fresh = [record for record in records if record.status is not Status.STALE]
    how = "; ".join(dict.fromkeys(record.method.partition(",")[0] for record in fresh if record.method))
    reasons = dict.fromkeys(record.reason for record in fresh if record.reason)
    limits = "; ".join((*merged(bound for record in fresh for bound in record.bounds), *reasons))
    return [how or "—"], build.prose(limits or "—")


def status_line(book: Book, links: Connections, rule: str, here: str) -> nodes.Node:
    """Return the badges of a rule: what it must preserve, what it was tried on, what it rests on."""
    badges: list[build.Inline] = []
    mine = _by_claim(book.evidence.of_rule(rule)).values()
    shown = {records[0].subject for records in mine}
    found = [weakest(record.status for record in records) for records in mine]
    found += [Status.OPEN for name in links.preserves if name not in shown]
    if found:
        done = sum(status in PROVED for status in found)
        badges.append(build.badge(weakest(found), f"{done}/{len(found)}", f"{here}-guaranteed"))
    if games := book.evidence.played(rule):
        badges.append(build.badge(Status.TESTED, f"{games:,} games"))
    if links.examples:
        held = [book.status(name) for name in links.examples]
        word = Status.EXAMPLE if all(status is Status.EXAMPLE for status in held) else weakest(held)
        good = sum(status is Status.EXAMPLE for status in held)
        badges.append(build.badge(word, f"{'' if word is Status.EXAMPLE else 'examples '}{good}/{len(held)}"))
    if links.rulings:
        text = f"! {len(links.rulings)} ruling{'s' if len(links.rulings) > 1 else ''}"
        badges.append(
            nodes.reference(
                "",
                "",
                nodes.inline("", text),
                internal=True,
                refid=f"{here}-rulings",
                classes=["rules-badge", "rules-is-ruled"],
            )
        )
    return build.para(*build.spaced(badges or [build.badge(Status.OPEN)], " "), css="rules-badges")
