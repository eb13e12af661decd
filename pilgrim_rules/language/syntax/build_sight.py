"""Build: grammar reductions -> surface syntax tree, who sees what.

Reads:  what lark hands over when a production is complete.   Writes: `ast.Sight`, as the one item of a group.
After:  variables, arguments and announcements say in the same form who sees or hears them.
"""

from __future__ import annotations

from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.language.syntax.build_expressions import (
    BuildExpressions,
    Group,
    Kids,
    group,
    grouped,
    nodes,
    production,
    single,
    tokens,
)


class BuildSight(BuildExpressions):
    """The productions of `private`, `hidden`, `secret`, `seen by`, and of those to whom something is revealed."""

    viewer_where = group("viewer_where")
    until = group("until")

    @production
    def sight(self, span: Span, kids: Kids) -> Group:
        return self._sight(span, kids, "sight")

    @production
    def argument_sight(self, span: Span, kids: Kids) -> Group:
        return self._sight(span, kids, "sight")

    @production
    def hearers(self, span: Span, kids: Kids) -> Group:
        return self._sight(span, kids, "hearers")

    def _sight(self, span: Span, kids: Kids, kind: str) -> Group:
        words = tokens(kids, "PRIVATE", "HIDDEN", "SECRET", "SEEN")
        viewer, who = grouped(kids, "viewer_where") or (None, next(iter(nodes(kids)), None))
        word = str(words[0]) if words else "seen"
        made = Group([ast.Sight(word, viewer, who, single(kids, "until"), span=span)])  # type: ignore[arg-type]  # by the grammar
        made.span, made.kind = span, kind
        return made
