"""Docstrings of the library as reST: they are written to be read as plain text.

Reads:  lines of a docstring.   Writes: the same lines, marked up for Sphinx.
After:  words in back-ticks are code, and an aligned list (`name   what it is`) is a list.
"""

from __future__ import annotations

import re

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

__all__ = ["mark_up", "setup"]

_FIELD = re.compile(r"(\w+(?:, \w+)*)\s{2,}(\S.*)")


def process(_app: Sphinx, _what: str, _name: str, _obj: object, _options: object, lines: list[str]) -> None:
    """Mark up a docstring in place; called by autodoc for each."""
    lines[:] = mark_up(lines)


def mark_up(lines: list[str]) -> list[str]:
    """Return the lines as reST."""
    marked: list[str] = []
    listing = False
    for line in lines:
        text = re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", line.rstrip())
        field = _FIELD.fullmatch(text)
        if field:
            if not listing and marked and marked[-1]:
                marked.append("")
            listing = True
            marked.append(f"* ``{field.group(1)}``: {field.group(2)}")
        elif listing and text.startswith(" "):
            marked.append(f"  {text.strip()}")
        else:
            if listing and text:
                marked.append("")
            listing = False
            marked.append(text)
    return marked


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the filter."""
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
