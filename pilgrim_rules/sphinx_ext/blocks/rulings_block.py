"""Rulings and options on the page of a rule: what is left open, how we play, and what would change otherwise.

Reads:  a book, a rule, a ruling it depends on.   Writes: nodes.
After:  each other option says which sentences would go and which would come.
"""

from __future__ import annotations

from docutils import nodes

from pilgrim_rules.core import ir
from pilgrim_rules.prose import words
from pilgrim_rules.sphinx_ext.blocks.ruling_diff import RulingDiff, ruling_diff
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.nodes.node_builders import details

__all__ = ["ruling_block"]


def ruling_block(book: Book, action: ir.Action, ruling: ir.Ruling) -> nodes.Node:
    """Return a ruling, or an option of the set-up, as a line that can be opened."""
    usual, other = ("As usual", "If chosen otherwise") if ruling.by_players else ("We play", "If ruled otherwise")
    texts = dict(ruling.options)
    summary: list[node_builders.Inline] = [
        ruling.note.doc or words.sentence(words.words(ruling.name)),
        " ",
        node_builders.strong(f"{usual}: {texts[ruling.default] or words.words(ruling.default)}."),
    ]
    body: list[nodes.Node] = []
    for option, text in ruling.options:
        if option != ruling.default:
            lead = node_builders.para(node_builders.strong(other), f": {text or words.words(option)}.")
            known = book.game.origin is not None  # a core that was not read from rules has no other reading
            body += [lead, *(_effect(ruling_diff(book.game, action, ruling, option)) if known else ())]
    for option, text, reason in ruling.refused:
        body.append(
            node_builders.para(node_builders.strong("Not played"), f": {text or words.words(option)}; {reason}.")
        )
    body.append(
        node_builders.para("All about it: ", node_builders.xref(ruling.kind, book.name, ruling.name), css="rules-says")
    )
    return details(summary, *body, css="rules-ruling")


def _effect(found: RulingDiff) -> list[nodes.Node]:
    lines: list[list[node_builders.Inline]] = [
        [node_builders.inline("rules-gone", "−"), " ", text] for text in found.gone
    ]
    lines += [[node_builders.inline("rules-come", "+"), " ", text] for text in found.come]
    return [
        node_builders.bullets(lines, "rules-diff")
        if lines
        else node_builders.para("This rule stays as it is.", css="rules-says")
    ]
