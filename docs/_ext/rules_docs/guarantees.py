"""What is known about claims: rows of verdicts, and the line of badges at the top of a rule.

Reads:  a book.   Writes: nodes.
After:  each word stands beside how it was reached and within which limits; what is open says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docutils import nodes

from rules_docs import build
from rules_docs.connections import Connections
from rules_docs.shelf import Book
from rules_docs.status import Status, weakest

__all__ = ["evidence_rows", "status_line"]

PROVED = frozenset({Status.PROVED, Status.PROVED_WITHIN_LIMITS})


def evidence_rows(book: Book, claims: Iterable[tuple[str, str]]) -> list[Sequence[Sequence[build.Inline]]]:
    """Return a row for each claim (name, sentence): the claim, its verdict, how, within which limits."""
    rows: list[Sequence[Sequence[build.Inline]]] = []
    for name, sentence in claims:
        status = book.status(name)
        records = book.evidence.about(name) if status is not Status.STALE else ()
        how = "; ".join(dict.fromkeys(record.how for record in records if record.how)) or "—"
        limits = (
            "; ".join(dict.fromkeys(text for record in records for text in (record.limits, record.reason) if text))
            or "—"
        )
        rows.append(
            ([build.xref("invariant", book.name, name), ": ", sentence], [build.badge(status)], [how], [limits])
        )
    return rows


def status_line(book: Book, links: Connections, here: str) -> nodes.Node:
    """Return the badges of a rule: what it must preserve, what it was tried on, what it rests on."""
    badges: list[build.Inline] = []
    if links.preserves:
        found = [book.status(name) for name in links.preserves]
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
