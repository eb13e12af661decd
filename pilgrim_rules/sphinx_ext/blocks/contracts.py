"""The contracts of a rule: what it does, said apart from how, each line with its verdict.

Reads:  a book.   Writes: nodes; none for a rule without contracts.
After:  the lines are those of the text, in its order; what no evidence speaks of is open.
"""

from __future__ import annotations

from docutils import nodes

from pilgrim_rules.core import ir
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.nodes import node_builders

__all__ = ["contracts_block"]


def contracts_block(book: Book, action: ir.Action) -> list[nodes.Node]:
    """Return what a rule promises."""
    mine = [claim for claim in book.game.claims if claim.kind == "contract" and claim.action == action.name]
    if not mine:
        return []
    mine.sort(key=lambda claim: claim.note.span.start if claim.note.span else 0)
    items: list[list[node_builders.Inline]] = [
        [node_builders.code(claim.words), " ", node_builders.badge(book.status(claim.name))] for claim in mine
    ]
    docs = dict.fromkeys(claim.note.doc.strip() for claim in mine if claim.note.doc.strip())
    shown: list[nodes.Node] = [node_builders.para(*node_builders.prose(doc)) for doc in docs]
    return [node_builders.heading("What it does, and nothing else"), *shown, node_builders.bullets(items)]
