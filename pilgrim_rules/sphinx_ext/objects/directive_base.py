"""What all directives share: the game of the page, warnings at a line, and notes about what is shown where.

Reads:  the page, the books.   Writes: notes for the domain.
After:  a mistake of an author (an unknown rule, a missing game) is a warning at its line, never a traceback.
"""

from __future__ import annotations

from typing import cast

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.evidence.files import BadEvidence
from pilgrim_rules.evidence.history import BadHistory
from pilgrim_rules.evidence.mutant_results import BadMutants
from pilgrim_rules.sphinx_ext.model import books
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.model.samples import BadSamples
from pilgrim_rules.sphinx_ext.objects.domain import RulesDomain, ShownObject, anchor, full_id

__all__ = ["RulesDirective"]

logger = logging.getLogger(__name__)


class RulesDirective(SphinxDirective):
    """A directive that speaks of the game of its page."""

    def warn(self, message: str) -> list[nodes.Node]:
        """Report a mistake of the author, and show nothing."""
        logger.warning(message, location=self.get_location(), type="rules")
        return []

    @property
    def domain(self) -> RulesDomain:
        """The domain."""
        return cast("RulesDomain", self.env.get_domain("rules"))

    def open(self, name: str) -> Book | None:
        """Return a book and remember that this page depends on it; None, and a warning, if it cannot be read."""
        try:
            book = books.book(self.env, name)
        except (RulesError, BadEvidence, BadHistory, BadMutants, BadSamples) as problem:
            self.warn(f"the game {name!r} cannot be read: {problem}")
            return None
        for path in book.files:
            self.env.note_dependency(str(path))
        self.domain.note_game(name, self.env.docname, book)
        return book

    def set_game(self, name: str) -> Book | None:
        """Make a game, given by its name or by a file beside the pages, the game of the page from here on."""
        book = self.open(name)
        if book is not None:
            self.env.ref_context.update({"rules:book": name, "rules:game": book.name})
        return book

    def current(self) -> Book | None:
        """Return the book of the game that the page speaks of."""
        name = self.env.ref_context.get("rules:book")
        if not name:
            self.warn(f"{self.name} needs a game: begin the page with rules:game or rules:current")
            return None
        return self.open(name)

    def note(self, book: Book, kind: str, name: str, title: str, about: str = "") -> None:
        """Note that this place shows an object."""
        id_ = full_id(book.name, name)
        self.domain.note(kind, id_, ShownObject(self.env.docname, anchor(kind, id_), title, about), self.lineno)
