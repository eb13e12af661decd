"""Claims of other numbers of players: what is claimed only of a game that the pages do not show, with what came of it there.

Reads:  a book whose pages are written for another number of players, and the evidence of that game.   Writes: nodes.
After:  every claim of that game which the pages do not show is in the table, with its clauses and its word; what nobody
        has looked at is open.
"""

from __future__ import annotations

from collections.abc import Sequence

from docutils import nodes
from docutils.parsers.rst import directives as options

from pilgrim_rules.core import ir
from pilgrim_rules.evidence.status import Status
from pilgrim_rules.prose import words
from pilgrim_rules.sphinx_ext.blocks.guarantees import account
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.model.connections import parts_of_proofs
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.objects.directive_base import RulesDirective

__all__ = ["ClaimsForDirective", "claims_of_others"]

Row = Sequence[Sequence[node_builders.Inline]]


class ClaimsForDirective(RulesDirective):
    """`.. rules:claims-for:: 1`: what is claimed of the game for that many players, and of none that the pages show."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Show the table, with how much of it is proved."""
        book = self.current()
        if book is None:
            return []
        players = options.positive_int(self.arguments[0])
        game = next((each for each in book.other_tables if each.players == players), None)
        if game is None:
            return self.warn(f"the pages are not about a game that {players} could play too")
        return claims_of_others(book, game)


def claims_of_others(book: Book, game: ir.Game) -> list[nodes.Node]:
    """Return what is claimed of a game and not of the one that the pages show, with what came of it."""
    here = {claim.name for claim in book.game.claims}
    found = [claim for claim in game.claims if claim.name not in here]
    part = next((each for each in book.evidence.parts if each.players == game.players), None)
    needed = parts_of_proofs(game)
    rows: list[Row] = []
    count: dict[Status, int] = {}
    for claim in found:
        status = Status.OPEN if part is None else part.status(claim.name, needed.get(claim.name, ()))
        count[status] = count.get(status, 0) + 1
        how, limits = ("", "") if part is None else account(part.about(claim.name))
        told = words.sentence(" ".join(claim.note.doc.split())) if claim.note.doc else words.words(claim.name)
        rows.append(
            (
                [node_builders.strong(words.words(claim.name)), f": {told}" if claim.note.doc else ""],
                node_builders.refs("clause", book.name, claim.note.clauses),
                [node_builders.badge(status)],
                node_builders.prose("; ".join(text for text in (how, limits) if text) or "—"),
            )
        )
    if not rows:
        return [node_builders.para("Nothing more is claimed of it than of the game that these pages show.")]
    counted = words.join([f"{many} {status.word}" for status, many in sorted(count.items(), reverse=True)])
    head = ("What is claimed", "Clauses", "Verdict", "How, and limits")
    return [
        node_builders.para(f"Of {len(found)} claim{'s' * (len(found) != 1)}: {counted}.", css="rules-facts"),
        node_builders.table(head, rows, (32, 20, 14, 34)),
    ]
