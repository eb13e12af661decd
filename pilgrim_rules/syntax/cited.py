"""Cited: which clause a place in the rules comes from.

Reads:  source text, however broken.   Writes: the first clause that the line of a place cites, or the lines around it.
After:  a mistake can be shown with its clause, also where no tree could be built.
"""

from __future__ import annotations

import re

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.source import SourceFile, Span
from pilgrim_rules.syntax.layout import Chunk, lay_out

_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_CLAUSE = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+")
_CITES = re.compile(rf"\bcites\s+({_CLAUSE.pattern})")


class Cited:
    """Finds the clause of a place; each file is laid out once."""

    def __init__(self, sources: dict[str, SourceFile]) -> None:
        self._sources = sources
        self._chunks: dict[str, list[Chunk]] = {}

    def __call__(self, span: Span) -> str | None:
        """Return the clause cited on the line of a place, else on the nearest line that encloses it."""
        chunk = next(
            (each for each in self._laid_out(span.file) if 0 <= span.start - each.offset < len(each.text)), None
        )
        if chunk is None:
            return None
        if _CLAUSE.fullmatch(self._sources[span.file].text[span.start : span.end]):
            return None  # the mistake is in the citation itself
        text = _TEXT.sub(lambda found: " " * len(found.group()), chunk.text)
        lines = text[: text.find("\n", span.start - chunk.offset)].split("\n")
        depth = len(text)
        for line in reversed(lines):
            indent = len(line) - len(line.lstrip())
            if line.strip() and indent < depth:
                depth = indent
                if found := _CITES.search(line):
                    return found[1]
        return None

    def _laid_out(self, name: str) -> list[Chunk]:
        if name not in self._chunks:
            source = self._sources.get(name)
            is_rules = source is not None and name.endswith(".rules")
            self._chunks[name] = lay_out(source, Bag()).chunks if source is not None and is_rules else []
        return self._chunks[name]
