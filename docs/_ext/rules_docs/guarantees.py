"""What is known about claims: rows of verdicts, and the line of badges at the top of a rule.

Reads:  a book.   Writes: nodes.
After:  each word stands beside how it was reached and within which limits; what is open says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docutils import nodes

from rules_docs import build
from rules_docs.connections import Connections
from rules_docs.evidence import Record
from rules_docs.shelf import Book
from rules_docs.status import Status, weakest

__all__ = ["evidence_rows", "status_line"]

PROVED = frozenset({Status.PROVED, Status.PROVED_WITHIN_LIMITS})


def evidence_rows(book: Book, rule: str, claims: Iterable[tuple[str, str]]) -> list[Sequence[Sequence[build.Inline]]]:
    """Return what a rule must preserve: a row for each claim (name, sentence), then what is asked of every rule."""
    named = dict(claims)
    mine = book.evidence.of_rule(rule)
    rows: list[Sequence[Sequence[build.Inline]]] = []
    for name, sentence in named.items():
        records = [record for record in mine if record in book.evidence.about(name)]
        status = weakest(record.status for record in records)
        rows.append(
            ([build.xref("invariant", book.name, name), ": ", sentence], [build.badge(status)], *_account(records))
        )
    rows += [
        (build.prose(record.sentence), [build.badge(record.status)], *_account([record]))
        for record in mine
        if record.claim.rpartition(".")[2] not in named
    ]
    return rows


def _account(records: Sequence[Record]) -> tuple[list[build.Inline], list[build.Inline]]:
    """Return how something was found out, and within which limits or why not; nothing for what is stale."""
    fresh = [record for record in records if record.status is not Status.STALE]
    how = "; ".join(dict.fromkeys(record.method for record in fresh if record.method))
    limits = "; ".join(dict.fromkeys(text for record in fresh for text in (*record.bounds, record.reason) if text))
    return [how or "—"], build.prose(limits or "—")


def status_line(book: Book, links: Connections, rule: str, here: str) -> nodes.Node:
    """Return the badges of a rule: what it must preserve, what it was tried on, what it rests on."""
    badges: list[build.Inline] = []
    mine = {record.claim.rpartition(".")[2]: record.status for record in book.evidence.of_rule(rule)}
    found = [*mine.values(), *(Status.OPEN for name in links.preserves if name not in mine)]
    if found:
        done = sum(status in PROVED for status in found)
        badges.append(build.badge(weakest(found), f"{done}/{len(found)}", f"{here}-guaranteed"))
    if links.examples:
        held = [book.status(name) for name in links.examples]
        shown = Status.EXAMPLE if all(status is Status.EXAMPLE for status in held) else weakest(held)
        good = sum(status is Status.EXAMPLE for status in held)
        badges.append(build.badge(shown, f"{'' if shown is Status.EXAMPLE else 'examples '}{good}/{len(held)}"))
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
