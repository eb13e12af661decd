"""Writer: Python source, line by line.

Reads:  pieces of code.   Writes: indented lines.
After:  every name that came from a spec has passed through `plain`, so it holds ASCII letters, digits and `_` only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

_LONGEST = 40


def plain(name: str) -> str:
    """Return a name that may stand in source text, in comments as well; what is not plain becomes `_`."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name)[:_LONGEST]


Lines = list[tuple[int, str]]  #: depth and text


class Writer:
    """Lines of one module, and names that occur once in it."""

    def __init__(self) -> None:
        self._lines: Lines = []
        self._depth = 0
        self._numbers = count(1)

    def line(self, text: str) -> None:
        """Write a line at the present depth."""
        self._lines.append((self._depth, text))

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Write a head such as `if x:`; what is written inside stands below it."""
        self.line(head)
        at = len(self._lines)
        self._depth += 1
        yield
        if len(self._lines) == at:
            self.line("pass")
        self._depth -= 1

    @contextmanager
    def aside(self) -> Iterator[Lines]:
        """Keep the lines written inside in the list instead, for `paste` to write where they are wanted."""
        kept, depth = self._lines, self._depth
        self._lines, self._depth = [], 0
        yield self._lines
        self._lines, self._depth = kept, depth

    def paste(self, lines: Lines) -> None:
        """Write lines kept aside, at the present depth."""
        self._lines.extend((self._depth + depth, text) for depth, text in lines)

    def name(self, hint: str = "") -> str:
        """Return a new local name; the hint is kept for readers."""
        number = next(self._numbers)
        hint = plain(hint.partition("#")[0])
        return f"v{number}_{hint}" if hint else f"t{number}"

    def text(self) -> str:
        """Return the source."""
        return "".join("    " * depth + text + "\n" if text else "\n" for depth, text in self._lines)
