"""Headings and ids of a page: no level of headings is skipped, no id stands twice.

Reads:  a page as it was read, and as it is written.   Writes: the level of its inner headings; the ids of its tables.
After:  a heading is one level below the section around it; what a theme puts around a table has no id of the table.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

__all__ = ["drop_copied_ids", "set_levels"]

_DEEPEST = 6


def set_levels(_app: Sphinx, doctree: nodes.document) -> None:
    """Set the level of every heading that is no title of a section."""
    for rubric in doctree.findall(nodes.rubric):
        if "rules-heading" in rubric["classes"]:
            depth = 0
            around = rubric.parent
            while around is not None:
                depth += isinstance(around, nodes.section)
                around = around.parent
            rubric["heading-level"] = min(depth + 1, _DEEPEST)


def drop_copied_ids(_app: Sphinx, doctree: nodes.document, _docname: str) -> None:
    """Take the ids of tables from the containers that the theme puts around them with all their attributes."""
    for table in doctree.findall(nodes.table):
        around = table.parent
        if isinstance(around, nodes.container) and around["ids"] == table["ids"]:
            around["ids"] = []
