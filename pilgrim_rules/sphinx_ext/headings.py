"""Headings inside rule pages: each is as deep as the section it stands in asks for, so that none is skipped.

Reads:  a page as it was read.   Writes: the level of its inner headings.
After:  a heading is one level below the section around it.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

__all__ = ["set_levels"]

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
