"""Spacing: the words of a line, and the blanks between them.

Reads:  declarations that parse.   Writes: words as the grammar sees them; lines with canonical blanks.
After:  which blanks stand between two words depends on the words around them only, not on how they were written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.source import SourceFile
from pilgrim_rules.language.syntax.build_rules import BuildRules
from pilgrim_rules.language.syntax.grammar import parsing
from pilgrim_rules.language.syntax.layout import SourceLayout

OPENING = frozenset({"(", "[", "{"})
CLOSING = frozenset({")", "]", "}"})
_TIGHT_BEFORE = CLOSING | {",", ";", ":", ".", "..", "?", "/"}
_TIGHT_AFTER = OPENING | {".", "..", "/"}
_BOUNDS = frozenset({"NAME", "INT", "MINUS"})  # kinds of words that begin the upper bound of a range
_VALUES = frozenset({"NAME", "PRIMED", "INT", "STRING"})  # kinds of words that end a value, as closing brackets do


@dataclass(frozen=True, slots=True)
class SpacedWord:
    """A word or sign as the grammar sees it, and where it stands."""

    text: str
    kind: str
    offset: int

    @property
    def ends_value(self) -> bool:
        """Tell whether a value can end here, so that a minus behind it is between two values."""
        return self.kind in _VALUES or self.text in CLOSING


def words(source: SourceFile, layout: SourceLayout) -> Iterator[list[SpacedWord]]:
    """Yield the words of each declaration; all of them must parse."""
    builder = BuildRules(source, layout, Bag())
    with parsing(builder) as parser:
        for chunk in layout.chunks:
            builder.offset = chunk.offset
            found = parser.parse_interactive(chunk.text).iter_parse()
            yield [
                SpacedWord(_plain(str(token), token.type), token.type, chunk.offset + (token.start_pos or 0))
                for token in found
                if not token.type.startswith("_") or token.type.startswith("__ANON")
            ]


def spaced(line: Sequence[SpacedWord], before: SpacedWord | None = None, *, table: bool = False) -> str:
    """Return the words with canonical blanks; `before` is the word that the line continues.

    In a line of a table of variables, columns or rows the first colon outside brackets stands free.
    """
    text = ""
    depth = 0
    glued = True  # whether the next word follows without a blank, whatever it is
    for at, word in enumerate(line):
        last = line[at - 1] if at else before
        wide = table and word.text == ":" and depth == 0
        table = table and not wide
        named = _names_argument(line, at, depth)
        text += word.text if glued or named or (_joined(last, word) and not wide) else f" {word.text}"
        depth += (word.text in OPENING) - (word.text in CLOSING)
        sign = word.kind == "MINUS" and (last is None or not last.ends_value)
        glued = sign or named or word.text in _TIGHT_AFTER
        if word.text == ".." and at + 1 < len(line):  # behind an open range goes on what has nothing to do with it
            glued = line[at + 1].kind in _BOUNDS
    return text


def _joined(last: SpacedWord | None, word: SpacedWord) -> bool:
    """Tell whether no blank stands before a word because of what it is."""
    if word.text in _TIGHT_BEFORE:
        return True
    if last is None or word.text not in ("(", "["):
        return False
    # A bracket behind a name calls or looks up; so does a square one behind what gives a table.
    return last.kind in ("NAME", "PRIMED") or (word.text == "[" and (last.text in (")", "]") or last.kind == "INT"))


def _names_argument(line: Sequence[SpacedWord], at: int, depth: int) -> bool:
    """Tell whether this is the equals sign of an argument given by name."""
    return (
        depth > 0
        and line[at].text == "="
        and at > 1
        and line[at - 1].kind == "NAME"
        and line[at - 2].text in ("(", ",")
    )


def _plain(text: str, kind: str) -> str:
    return text if kind == "STRING" else " ".join(text.split())
