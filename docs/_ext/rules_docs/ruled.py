"""Rulings on the page of a rule: what the rulebook leaves open, how we play, and what would change if ruled otherwise.

Reads:  a book, a rule, a ruling it depends on.   Writes: nodes.
After:  each other option says which sentences would go and which would come.
"""

from __future__ import annotations

from docutils import nodes

from pilgrim_rules.clauses.records import Gap
from pilgrim_rules.core import ir
from pilgrim_rules.prose import words
from rules_docs import build
from rules_docs.disclosure import details
from rules_docs.otherwise import Otherwise, otherwise
from rules_docs.shelf import Book

__all__ = ["ruling_block"]


def ruling_block(book: Book, action: ir.Action, ruling: ir.Ruling) -> nodes.Node:
    """Return a ruling as a line that can be opened."""
    texts = dict(ruling.options)
    summary: list[build.Inline] = [
        ruling.note.doc or words.sentence(words.words(ruling.name)),
        " ",
        build.strong(f"We play: {texts[ruling.default] or words.words(ruling.default)}."),
    ]
    body: list[nodes.Node] = []
    for clause in ruling.note.clauses:
        gap = book.inventory.find(clause)
        if isinstance(gap, Gap):
            why = f" {gap.why}" if gap.why else ""
            body.append(build.para(build.xref("clause", book.name, gap.id), f" ({gap.kind}): {gap.problem}{why}"))
    for option, text in ruling.options:
        if option != ruling.default:
            lead = build.para(build.strong("If ruled otherwise"), f": {text or words.words(option)}.")
            body += [lead, *_effect(otherwise(book.game, action, ruling, option))]
    body.append(build.para("All about it: ", build.xref("ruling", book.name, ruling.name), css="rules-says"))
    return details(summary, *body, css="rules-ruling")


def _effect(found: Otherwise) -> list[nodes.Node]:
    lines: list[list[build.Inline]] = [[build.inline("rules-gone", "−"), " ", text] for text in found.gone]
    lines += [[build.inline("rules-come", "+"), " ", text] for text in found.come]
    return [build.bullets(lines, "rules-diff") if lines else build.para("This rule stays as it is.", css="rules-says")]
