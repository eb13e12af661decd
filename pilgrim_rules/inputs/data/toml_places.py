"""Where things stand in a TOML text, since `tomllib` does not say.

Reads:  a text that `tomllib` has accepted.   Writes: a table from key path to the stretches of key and value.
After:  a mistake in a data file can be shown in the file; what is not found here is shown at what encloses it.
"""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple, TypeAlias

KeyPath: TypeAlias = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""(?:"{0,2})'
    r"|'''(?:[^']|'(?!''))*'''(?:'{0,2})"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_BARE = re.compile(r"[^\s,\]\}#=.]+")
_SCALAR = re.compile(r"[^,\]\}#\n]*[^,\]\}#\s]")
_DOT = re.compile(r"[ \t]*\.[ \t]*")


class TomlSpan(NamedTuple):
    """Start and end of a key (or header), and of its value; an element of an array has no key of its own."""

    key_start: int
    key_end: int
    start: int
    end: int


@lru_cache(maxsize=4)
def places(text: str) -> dict[KeyPath, TomlSpan]:
    """Return where each key and value of the document stands; whatever comes after an oddity is left out."""
    scan = _Scan(text)
    # This is for showing only: a place that is missing makes a message less exact, never wrong.
    with suppress(LookupError, RecursionError, ValueError):
        scan.document()
    return scan.found


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[KeyPath, TomlSpan] = {}
        self._tables: dict[KeyPath, int] = {}  # arrays of tables: how many elements there are so far

    def document(self) -> None:
        table: KeyPath = ()
        while self._skip() < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)

    def _skip(self) -> int:
        self.at = self._match(_BLANK).end()
        return self.at

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise ValueError(self.at)
        return found

    def _header(self) -> KeyPath:
        start = self.at
        many = self.text.startswith("[[", start)
        self.at += 2 if many else 1
        keys = self._key()
        self.at = self.text.index("]", self.at) + (2 if many else 1)
        path: KeyPath = ()
        for key in keys[:-1]:
            path = (*path, key)
            if path in self._tables:
                path = (*path, self._tables[path] - 1)
        path = (*path, keys[-1])
        if many:
            count = self._tables.get(path, 0)
            self._tables[path] = count + 1
            self.found.setdefault(path, TomlSpan(start, self.at, start, self.at))
            path = (*path, count)
        self.found.setdefault(path, TomlSpan(start, self.at, start, self.at))
        return path

    def _key(self) -> tuple[str, ...]:
        keys: list[str] = []
        while True:
            self._skip()
            quoted = _STRING.match(self.text, self.at)
            part = quoted or self._match(_BARE)
            keys.append(_unquote(part.group()) if quoted else part.group())
            self.at = part.end()
            dot = _DOT.match(self.text, self.at)
            if dot is None:
                return tuple(keys)
            self.at = dot.end()

    def _pair(self, table: KeyPath) -> None:
        self._skip()
        key_start = self.at
        keys = self._key()
        key_end = self.at
        self.at = self.text.index("=", self.at) + 1
        path = (*table, *keys)
        start, end = self._value(path)
        for length in range(len(table) + 1, len(path) + 1):
            self.found.setdefault(path[:length], TomlSpan(key_start, key_end, start, end))

    def _value(self, path: KeyPath) -> tuple[int, int]:
        start = self._skip()
        match self.text[start : start + 1]:
            case "[":
                self._array(path)
            case "{":
                self._inline(path)
            case '"' | "'":
                self.at = self._match(_STRING).end()
            case _:  # a number, a truth value or a date
                self.at = self._match(_SCALAR).end()
        return start, self.at

    def _array(self, path: KeyPath) -> None:
        self.at += 1
        count = 0
        while self.text[self._skip()] != "]":
            start, end = self._value((*path, count))
            self.found.setdefault((*path, count), TomlSpan(start, end, start, end))
            count += 1
            if self.text[self._skip()] == ",":
                self.at += 1
        self.at += 1

    def _inline(self, path: KeyPath) -> None:
        self.at += 1
        while self.text[self._skip()] != "}":
            self._pair(path)
            if self.text[self._skip()] == ",":
                self.at += 1
        self.at += 1


def _unquote(text: str) -> str:
    return str(tomllib.loads(f"x = {text}")["x"])
