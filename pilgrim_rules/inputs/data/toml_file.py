"""Read a TOML file whoever wrote it: binary, huge, nested without end, or not TOML at all.

Reads:  a path, and the place in the rules that names it.   Writes: `Document` (data and places), the source in the bag.
After:  the bag says why there is no document, or every value can be pointed at with `span` and every key with `key`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.codes import PR701, PR702, PR703, PR705, PR706
from pilgrim_rules.diagnostics.source import SourceFile, Span, decoded, shown
from pilgrim_rules.diagnostics.suggestions import closest, did_you_mean
from pilgrim_rules.inputs.data.toml_places import KeyPath, places

Raw: TypeAlias = object  #: a value as `tomllib` gives it; whoever wants a kind of value tests for it
Table: TypeAlias = dict[str, Raw]

MOST_BYTES = 8_000_000
_LABEL = re.compile(r"[a-z][a-z0-9_]*")
_NOT_LABELS = frozenset({"none", "true", "false"})  # they already mean a value
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True, slots=True)
class Document:
    """The data of a TOML file, and where each piece of it stands."""

    source: SourceFile
    data: Table

    def span(self, *path: str | int) -> Span:
        """Return the place of the value at a key path, or of the nearest thing that encloses it."""
        known = places(self.source.text)
        for length in range(len(path), 0, -1):
            if (place := known.get(path[:length])) is not None:
                return Span(self.source.name, place.start, place.end)
        return Span(self.source.name, 0, 0)

    def key(self, *path: str | int) -> Span:
        """Return the place of the key at a key path, or of the nearest thing that encloses it."""
        place = places(self.source.text).get(path)
        return self.span(*path) if place is None else Span(self.source.name, place.key_start, place.key_end)

    def tables(self, key: str, bag: Bag) -> Iterator[tuple[KeyPath, Table]]:
        """Yield the tables of `[[key]]` with their key paths; anything else under that key is reported."""
        found = self.data.get(key, [])
        for at, entry in enumerate(found if isinstance(found, list) else [found]):
            if isinstance(found, list) and isinstance(entry, dict):
                yield (key, at), entry
            else:
                bag.add(PR705, f"`{key}` is not a list of tables", self.span(key, at), help=f"write `[[{key}]]`")


def read_toml(path: Path, span: Span | None, bag: Bag) -> Document | None:
    """Read and parse a TOML file; `span` is the place that names it, for when it cannot be read."""
    text = _read_text(path, span, bag)
    if text is None:
        return None
    source = SourceFile(shown(path), text)
    bag.sources[source.name] = source
    try:
        return Document(source, _loads(text))
    except RecursionError:
        bag.add(PR702, f"`{path.name}` is nested too deeply to be read", Span(source.name, 0, 0))
    except ValueError as error:  # a TOMLDecodeError, or a number of thousands of digits
        found = _AT.search(str(error))
        said = str(error)[: found.start()] if found else "A number in it is too long"
        said = said.replace(r"Illegal character '\n'", "The line ends too early")
        at = _offset(source, found)
        bag.add(PR702, f"`{path.name}` is not TOML: {said[:1].lower()}{said[1:]}", Span(source.name, at, at + 1))
    return None


@lru_cache(maxsize=8)
def _loads(text: str) -> Table:
    """Return the data of a TOML text; nobody changes them, and other readings of the same rules ask for them again."""
    return tomllib.loads(text)


def _read_text(path: Path, span: Span | None, bag: Bag) -> str | None:
    try:
        known = bag.known(str(path.resolve()))
        if known is not None:
            return known
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            bag.add(PR701, f"`{path.name}` is larger than {MOST_BYTES // 1_000_000} MB", span)
            return None
        return decoded(content)
    except FileNotFoundError:
        bag.add(PR701, f"there is no file `{shown(path)}`", span, help=_similar_file(path))
    except (OSError, ValueError) as error:
        why = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else _reason(error)
        bag.add(PR701, f"`{shown(path)}` cannot be read: {why}", span)
    return None


def _reason(error: Exception) -> str:
    return (error.strerror or "unknown reason").lower() if isinstance(error, OSError) else str(error)


def _similar_file(path: Path) -> str | None:
    try:
        near = closest(path.stem, [found.stem for found in path.parent.glob(f"*{path.suffix}")])
    except (OSError, ValueError):
        return None
    return None if near is None else f"did you mean `{near}{path.suffix}`?"


def _offset(source: SourceFile, found: re.Match[str] | None) -> int:
    if found is None:
        return 0
    if found[1] is None:
        return max(len(source.text.rstrip()) - 1, 0)
    return min(source.starts[int(found[1]) - 1] + int(found[2]) - 1, len(source.text))


def check_keys(document: Document, path: KeyPath, table: Table, known: Collection[str], bag: Bag) -> None:
    """Report each key of the table that is not a known one."""
    for key in table:
        if key not in known:
            help_ = did_you_mean(key, known) or f"known here: {', '.join(f'`{name}`' for name in sorted(known))}"
            bag.add(PR703, f"unknown key `{key}`", document.key(*path, key), help=help_)


def is_label(text: Raw) -> bool:
    """Tell whether the value can be a label: lower case letters, digits and underscores, no word with a meaning."""
    return isinstance(text, str) and _LABEL.fullmatch(text) is not None and text not in _NOT_LABELS


def check_label(document: Document, path: KeyPath, text: Raw, bag: Bag) -> bool:
    """Tell whether the value is a label, and report it if not."""
    if is_label(text):
        return True
    bag.add(
        PR706,
        f"`{str(text)[:40]}` cannot be a label",
        document.span(*path),
        help="a label is a lower case letter followed by lower case letters, digits or `_`, such as `b4`",
    )
    return False
