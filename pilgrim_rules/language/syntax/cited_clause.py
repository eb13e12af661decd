"""Cited: which clause a place in the rules comes from.

Reads:  source text, however broken.   Writes: the first clause that the line of a place cites, or the lines around it.
After:  a mistake can be shown with its clause, also where no tree could be built.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import SourceFile, Span
from pilgrim_rules.language.syntax.layout import Chunk, lay_out

_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_CLAUSE = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+")
_CITES = re.compile(rf"\bcites\s+({_CLAUSE.pattern})")


class ClauseFinder:
    """Finds the clause of a place; each file is looked through once."""

    def __init__(self, sources: Mapping[str, SourceFile]) -> None:
        self._sources = sources
        self._files: dict[str, tuple[list[int], list[str | None]]] = {}

    def __call__(self, span: Span) -> str | None:
        """Return the clause cited on the line of a place, else on the nearest line that encloses it."""
        source = self._sources.get(span.file)
        if source is None or not span.file.endswith(".rules"):
            return None
        if _CLAUSE.fullmatch(source.text[span.start : span.end]):
            return None  # the mistake is in the citation itself
        if span.file not in self._files:
            lines = [line for chunk in lay_out(source, Bag()).chunks for line in _lines(chunk)]
            self._files[span.file] = [start for start, _ in lines], [clause for _, clause in lines]
        starts, clauses = self._files[span.file]
        at = bisect_right(starts, span.start)
        return clauses[at - 1] if at else None


def _lines(chunk: Chunk) -> Iterator[tuple[int, str | None]]:
    """Yield where each line of a declaration begins, and the clause that it cites or inherits."""
    around: list[tuple[int, str | None]] = []  # indentation and clause of the lines that enclose the next one
    start = chunk.offset
    for line in _TEXT.sub(lambda found: " " * len(found.group()), chunk.text).split("\n"):
        indent = len(line) - len(line.lstrip())
        if line.strip():
            while around and around[-1][0] >= indent:
                around.pop()
            found = _CITES.search(line)
            clause = found[1] if found else around[-1][1] if around else None
            around.append((indent, clause))
            yield start, clause
        start += len(line) + 1
    yield start, None
