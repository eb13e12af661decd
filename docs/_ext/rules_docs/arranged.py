"""Arrangements: positions that examples begin with, set up by named effects; told once, and named wherever they are used.

Reads:  the text of a game and its examples.   Writes: `Arrangement`s, and the sentence that names one.
After:  every effect that an example is given by its name is an arrangement of the book.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pilgrim_rules.core import ir
from pilgrim_rules.prose import words
from pilgrim_rules.source import SourceFile

__all__ = ["Arrangement", "Given", "arrangements", "given"]

_GIVEN = re.compile(r"given\s+do\s+(\w+)\s*\((.*)\)", re.DOTALL)
_EFFECT = re.compile(r"effect\s+(\w+)\s*\(([^)]*)\)")


@dataclass(frozen=True, slots=True)
class Arrangement:
    """An effect that sets up a position: what it is called, what is said about it, and its lines."""

    name: str
    takes: str
    doc: str
    source: SourceFile
    lines: range


@dataclass(frozen=True, slots=True)
class Given:
    """An arrangement as one example uses it."""

    name: str
    args: str

    @property
    def said(self) -> str:
        """What is set up, in words: "shops of (green)"."""
        args = re.sub(r"\w+", lambda found: words.label(found.group()), self.args)
        return f"{words.words(self.name)} ({args})" if args else words.words(self.name)


def given(sources: Mapping[str, SourceFile], step: ir.Arrange) -> Given | None:
    """Return the arrangement that a step of an example names; None if it sets something itself."""
    source = sources.get(step.span.file)
    found = None if source is None else _GIVEN.match(source.text, step.span.start, step.span.end)
    return None if found is None else Given(found.group(1), " ".join(found.group(2).split()))


def arrangements(sources: Mapping[str, SourceFile], examples: Iterable[ir.Example]) -> dict[str, Arrangement]:
    """Return the arrangements that examples name, in the order of the text."""
    steps = (step for example in examples for step in example.steps if isinstance(step, ir.Arrange))
    named = {found.name for step in steps if (found := given(sources, step)) is not None}
    declared = (each for source in sources.values() for each in _effects(source))
    return {each.name: each for each in declared if each.name in named}


def _effects(source: SourceFile) -> Iterable[Arrangement]:
    written = source.text.splitlines()
    for number, line in enumerate(written, start=1):
        head = _EFFECT.match(line)
        if head is not None:
            last = number
            while last < len(written) and written[last][:1] in ("", " "):
                last += 1
            while not written[last - 1].strip():
                last -= 1
            inside = [text.strip() for text in written[number:last]]
            doc = " ".join(text.removeprefix("##").strip() for text in inside if text.startswith("##"))
            yield Arrangement(head.group(1), head.group(2), doc, source, range(number, last + 1))
