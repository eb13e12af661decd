"""Source text and places in it.

Reads:  files.   Writes: `SourceFile` (text and line index) and `Span` (a place in a file).
After:  every later pass speaks of places only through `Span`; offsets count characters.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field
from pathlib import Path

from pilgrim_rules.util.fast_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one source file, as character offsets.

    via  where the module is used that this is a stretch of; None if it stands in no module.
    """

    file: str
    start: int
    end: int
    via: Span | None = None

    def to(self, other: Span) -> Span:
        """Return the stretch from the start of this span to the end of the other."""
        return Span(self.file, self.start, max(self.end, other.end), self.via)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The text of a file under the name the user knows it by."""

    name: str
    text: str
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)  # found when somebody asks for a line

    def __post_init__(self) -> None:
        object.__setattr__(self, "_starts", ())

    @property
    def starts(self) -> tuple[int, ...]:
        """Where each line begins."""
        if not self._starts:
            starts = [0]
            find = self.text.find
            at = find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = find("\n", at + 1)
            object.__setattr__(self, "_starts", tuple(starts))
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, both counted from 1."""
        offset = min(max(offset, 0), len(self.text))
        starts = self.starts
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of a line (counted from 1) without its line break."""
        starts = self.starts
        start = starts[number - 1]
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


def decoded(data: bytes) -> str:
    """Return the text of a file, its lines ending alike on every system; UnicodeDecodeError if it is not UTF-8."""
    return data.decode("utf-8-sig").replace("\r\n", "\n")


def shown(path: Path) -> str:
    """Return a path as the user would write it from where they are."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return path.as_posix()
