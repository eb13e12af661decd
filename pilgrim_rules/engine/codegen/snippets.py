"""Snippets: pieces of Python source, and the names that stand in them.

Reads:  nothing.   Writes: `Code`, a Python expression as text, and `Scope`, what names and states are called there.
After:  a snippet put inside another with `within` means the same there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from pilgrim_rules.core.ir import When
from pilgrim_rules.engine.codegen.ranges import Range

# How tightly Python's operators bind, tightest first.
ATOM, MUL, ADD, SHIFT, BITS, COMPARE, NOT, AND, OR, CHOICE = range(10)


class Code(NamedTuple):
    """A Python expression, and how tightly its outermost operator binds."""

    text: str
    level: int = ATOM

    def within(self, level: int) -> str:
        """Return the text for a place where only operators up to this level may stand bare."""
        return self.text if self.level <= level else f"({self.text})"

    @property
    def is_simple(self) -> bool:
        """Whether the text is a name or a number, so that repeating it costs nothing."""
        return self.text.isidentifier() or self.text.isdecimal()


@dataclass(frozen=True, slots=True)
class Scope:
    """The Python names of what an expression sees: bound names with their ranges, and the states."""

    names: dict[str, str]
    ranges: dict[str, Range]
    now: str = "s"
    old: str = ""
    next: str = ""

    def bind(self, name: str, local: str, span: Range) -> Scope:
        """Return the scope in which a name stands for a Python name."""
        return replace(self, names={**self.names, name: local}, ranges={**self.ranges, name: span})

    def state(self, when: When) -> str:
        """Return the Python name of a state."""
        return {"now": self.now, "old": self.old, "next": self.next}[when]


def plus(left: str, right: str) -> str:
    """Return the text of a sum."""
    return f"{left} - {right[1:]}" if right.startswith("-") else f"{left} + {right}"


def tuple_of(texts: list[str]) -> str:
    """Return the text of a tuple."""
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
