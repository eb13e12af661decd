"""What the rulebook says about a rule: the clauses it cites, in our words, with their pages in each edition.

Reads:  a book and one of its rules.   Writes: nodes.
After:  the clauses of the rule as a whole are shown; those of single lines, and of other chapters, can be opened.
"""

from __future__ import annotations

from collections.abc import Sequence

from docutils import nodes

from pilgrim_rules.core import ir, rule_walk
from pilgrim_rules.inputs.clauses.records import Clause, EditionDifference
from pilgrim_rules.prose import words
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.nodes.node_builders import details

__all__ = ["cited_clauses", "clauses_block", "page_reference"]

MOST = 6  #: clauses that are shown at once


def clauses_block(book: Book, action: ir.Action) -> list[nodes.Node]:
    """Return what the rulebook says, and where its editions say different things."""
    found = [record for id_ in cited_clauses(action) if (record := book.inventory.find(id_)) is not None]
    clauses = [record for record in found if isinstance(record, Clause)]
    own = [record for record in clauses if record.id in action.note.clauses][:MOST] or clauses[:MOST]
    rest = [record for record in clauses if record not in own]
    differences = [record for record in found if isinstance(record, EditionDifference)]
    if not found:
        return []
    shown: list[nodes.Node] = [node_builders.heading("What the rulebook says")]
    if own:
        shown.append(_clauses(book, own))
    if rest:
        shown.append(details([f"{_many(len(rest), 'more clause')}, cited by single lines"], _clauses(book, rest)))
    if differences:
        title = (
            "The editions differ here" if len(differences) == 1 else f"The editions differ in {len(differences)} places"
        )
        shown.append(details([title], _differences(book, differences)))
    return shown


def cited_clauses(action: ir.Action) -> list[str]:
    """Return every clause that a rule cites: as a whole, in its requirements, in its effects."""
    lines = [clause for line in action.guard if isinstance(line, ir.Require) for clause in line.clauses]
    effects = [clause for stmt in rule_walk.assignments(action.body) for clause in stmt.clauses]
    return list(dict.fromkeys((*action.note.clauses, *lines, *effects)))


def page_reference(book: Book, page: str) -> str:
    """Return a page of the English edition with the page of the other edition, if the comparison of the two tells it."""
    if not page:
        return ""
    german = book.german_pages.get(page)
    return f"p. {page}" if german is None else f"p. {page} · de {german}"


def _clauses(book: Book, records: Sequence[Clause]) -> nodes.Node:
    rows = [
        (
            [node_builders.xref("clause", book.name, record.id)],
            [node_builders.inline("rules-facts", page_reference(book, record.page))],
            [words.sentence(record.text), *_review_mark(book, record.id)],
        )
        for record in records
    ]
    return node_builders.table(("Clause", "Page", "What it says"), rows, (14, 14, 72), "rules-clauses")


def _review_mark(book: Book, clause: str) -> list[node_builders.Inline]:
    if clause not in book.to_review:
        return []
    return [" ", node_builders.inline("rules-badge rules-is-stale", "reworded: to be reviewed")]


def _differences(book: Book, records: Sequence[EditionDifference]) -> nodes.Node:
    rows = [
        ([node_builders.xref("clause", book.name, record.id)], [words.sentence(record.en)], [words.sentence(record.de)])
        for record in records
    ]
    return node_builders.table(("Where", "English edition", "German edition"), rows, (22, 39, 39), "rules-clauses")


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
