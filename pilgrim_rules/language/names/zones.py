"""Zones that count kinds: each is a table of numbers, declared as if the author had written it.

Reads:  a declaration of zones.   Writes: the variables it stands for.
After:  a zone of kinds has a cell for each kind, and for each value of its own index; the first zone holds everything.
"""

from __future__ import annotations

from collections.abc import Iterator

from pilgrim_rules.language.syntax import ast


def counting_zones(node: ast.Zones) -> Iterator[ast.Variable]:
    """Yield the tables of zones that hold numbers of kinds; none for zones of single pieces."""
    if node.holds is None:
        return
    nothing = ast.Number(0, span=node.span)
    for at, line in enumerate(node.lines):
        yield ast.Variable(
            name=line.name,
            index=(*line.index, node.item),
            type=node.holds,
            sight=line.sight,
            initial=nothing if at else node.start or nothing,
            ghost=False,
            cites=line.cites,
            doc=line.doc,
            span=line.span,
        )
