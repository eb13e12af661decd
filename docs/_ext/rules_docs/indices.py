"""Indices of the domain: all rules, and all clauses in rulebook order.

Reads:  the domain's objects.   Writes: index entries.
After:  `rules-index` and `rules-clauses` can be linked like any page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sphinx.domains import Index, IndexEntry

__all__ = ["ClauseIndex", "RuleIndex"]


def natural(text: str) -> list[tuple[int, str]]:
    """Return a key that sorts `SHR-10` after `SHR-9`."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", text)]


class _ByGame(Index):
    kind = ""

    def generate(self, docnames: Iterable[str] | None = None) -> tuple[list[tuple[str, list[IndexEntry]]], bool]:
        """Return the entries, one group a game."""
        wanted = None if docnames is None else set(docnames)
        groups: dict[str, list[IndexEntry]] = {}
        for (kind, id_), entry in sorted(self.domain.data["objects"].items(), key=lambda item: natural(item[0][1])):
            if kind == self.kind and (wanted is None or entry.docname in wanted):
                game, _, name = id_.partition(".")
                groups.setdefault(game, []).append(
                    IndexEntry(name, 0, entry.docname, entry.anchor, "", "", entry.about)
                )
        return sorted(groups.items()), False


class RuleIndex(_ByGame):
    """Every rule of every game."""

    name = "index"
    localname = "Rules of all games"
    shortname = "rules"
    kind = "rule"


class ClauseIndex(_ByGame):
    """Every clause of every rulebook."""

    name = "clauses"
    localname = "Clauses of all rulebooks"
    shortname = "clauses"
    kind = "clause"
