"""Glossary links: the words of a game, as its author explains them, linked where a rule is told.

Reads:  the terms of a game, a text.   Writes: the text, with links; the style sheet shows what a term means beside it.
After:  each term is linked once in a rule, at most a few of them; a word that the author has not explained never is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pilgrim_rules.core.ir import Game
from pilgrim_rules.prose import words
from pilgrim_rules.prose.voice import explained_terms
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.util.identity_cache import cache_by_identity

__all__ = ["link_terms"]

MOST = 5  #: terms that are linked in one rule


def link_terms(book: Book, text: str, told: set[str]) -> Iterator[node_builders.Inline]:
    """Yield the text with links at the first place of each term that was not told before; `told` grows by them."""
    names, pattern = _forms(book.game)
    at = 0
    for found in pattern.finditer(text) if names else ():
        term = names[found.group().lower()]
        if term in told or len(told) >= MOST:
            continue
        told.add(term)
        yield from [text[at : found.start()]] if found.start() > at else []
        yield node_builders.xref("term", book.name, term, found.group())
        at = found.end()
    yield from [text[at:]] if text[at:] else []


@cache_by_identity(16)
def _forms(game: Game) -> tuple[dict[str, str], re.Pattern[str]]:
    """Return the term of each form of words, and what finds the longest of them."""
    names: dict[str, str] = {}
    for term in explained_terms(game):
        said = words.words(term).lower()
        names.setdefault(words.plural(said), term)
        names[said] = term
    longest = sorted(names, key=len, reverse=True)
    return names, re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b", re.IGNORECASE)
