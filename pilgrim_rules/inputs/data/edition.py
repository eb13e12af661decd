"""The edition: what only the pictures of a printed game show, each value with its source.

Reads:  edition.toml.   Writes: `Edition`, from which the front end takes tables (`values`) and named rows (`rows`).
After:  every entry says whether it is stated, derived or assumed; every code given out lies in the type asked for.

    [site_value]                        [buildings]
    source = "assumed"                  source = "stated"
    note = "printed on the tiles"       assumed = ["price"]
    values = [4, 5, 6, 7]               rows = [{ name = "mill", level = 1, price = 3 }, …]
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from pilgrim_rules.core.ir import Type
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.codes import (
    PR704,
    PR705,
    PR707,
    PR711,
    PR712,
    PR721,
    PR722,
    PR723,
    PR725,
    PR726,
    Code,
)
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.inputs.data.toml_file import Document, Raw, Table, check_keys, check_label, read_toml
from pilgrim_rules.inputs.data.toml_places import KeyPath
from pilgrim_rules.inputs.data.value_codes import code_of as code_of
from pilgrim_rules.inputs.data.value_codes import missing_value, table_of

SOURCES = ("stated", "derived", "assumed")
MOST_ROWS = 4096
_KEYS = frozenset({"source", "note", "unknown", "values", "rows", "assumed"})


@dataclass(frozen=True, slots=True)
class EditionRows:
    """The rows of an entry: their names, and what the file says in each column (None where it says nothing)."""

    key: str
    names: tuple[str, ...]
    columns: dict[str, tuple[Raw | None, ...]]


@dataclass(frozen=True, slots=True)
class Edition:
    """An edition file whose entries are well formed; whether their values fit is asked with the type at hand."""

    document: Document

    @property
    def digest(self) -> str:
        """Return a hash of the data, the same however the file is laid out."""
        return hashlib.sha256(json.dumps(self.document.data, sort_keys=True, default=str).encode()).hexdigest()

    def values(
        self, key: str, index: tuple[Type, ...], type_: Type, span: Span | None, bag: Bag, absent: tuple[str, ...] = ()
    ) -> tuple[int, ...] | None:
        """Return the codes of the entry's table, flat and row-major; `span` is the place in the rules that asks.

        A table over the players may also have values for those who are absent from this instance.
        """
        entry = self._entry(key, "values", span, bag)
        if entry is None:
            return None
        return self._codes((key, "values"), entry["values"], index, type_, bag, absent)

    def rows(self, key: str, span: Span | None, bag: Bag) -> EditionRows | None:
        """Return the names and raw columns of the entry's rows."""
        entry = self._entry(key, "rows", span, bag)
        rows = [] if entry is None else entry["rows"]
        if not isinstance(rows, list) or not rows:
            return None  # reported when the file was loaded, or by _entry
        keys = dict.fromkeys(column for row in rows for column in row if column != "name")
        names = tuple(str(row["name"]) for row in rows)
        return EditionRows(key, names, {column: tuple(row.get(column) for row in rows) for column in keys})

    def column(
        self, rows: EditionRows, column: str, index: tuple[Type, ...], type_: Type, span: Span | None, bag: Bag,
        absent: tuple[str, ...] = (),
    ) -> tuple[int, ...] | None:  # fmt: skip
        """Return the codes of a column: for each row one value, or a table over the index; flat and row-major."""
        if column not in rows.columns:
            near = did_you_mean(column, rows.columns)
            bag.add(PR722, f"`{rows.key}` of the edition has no column `{column}`", span, help=near)
            return None
        found: list[tuple[int, ...] | None] = []
        for row, raw in enumerate(rows.columns[column]):
            path = (rows.key, "rows", row, column)
            if raw is not None:
                found.append(self._codes(path, raw, index, type_, bag, absent))
                continue
            found.append(missing_value(index, type_))
            if found[-1] is None:
                message = f"row `{rows.names[row]}` has no `{column}`"
                bag.add(PR722, message, self.document.span(*path), related=_asked_for_note(span))
        return None if None in found else tuple(code for codes in found for code in codes or ())

    def assumed(self, key: str, column: str | None = None) -> bool:
        """Tell whether an entry, or a column of its rows, is our assumption and not a fact of the printed game."""
        entry = self.document.data.get(key)
        if not isinstance(entry, dict):
            return False
        listed = entry.get("assumed")
        return entry.get("source") == "assumed" or (isinstance(listed, list) and column in listed)

    def _entry(self, key: str, form: str, span: Span | None, bag: Bag) -> Table | None:
        entry = self.document.data.get(key)
        if not isinstance(entry, dict):
            help_ = did_you_mean(key, self.document.data)
            bag.add(PR721, f"the edition has no entry `{key}`", span, help=help_)
            return None
        if form not in entry:
            other = "rows" if form == "values" else "values"
            related = ((self.document.key(key), "the entry"),)
            bag.add(PR725, f"entry `{key}` of the edition has `{other}`, not `{form}`", span, related=related)
            return None
        return entry

    def _codes(
        self, base: KeyPath, raw: Raw, index: tuple[Type, ...], type_: Type, bag: Bag, absent: tuple[str, ...]
    ) -> tuple[int, ...] | None:
        def report(code: Code, message: str, path: KeyPath, help_: str | None) -> None:
            place = self.document.key if code is PR723 else self.document.span
            bag.add(code, f"`{_dotted((*base, *path))}`: {message}", place(*base, *path), help=help_)

        return table_of(raw, index, type_, report, absent)


def load_edition(path: Path, span: Span | None, bag: Bag) -> Edition | None:
    """Load an edition; `span` is the place in the rules that names the file."""
    document = read_toml(path, span, bag)
    if document is None:
        return None
    before = len(bag.errors)
    for key, entry in document.data.items():
        _check_entry(document, key, entry, bag)
    return Edition(document) if len(bag.errors) == before else None


def _check_entry(document: Document, key: str, entry: Raw, bag: Bag) -> None:
    if not isinstance(entry, dict):
        help_ = f"write `[{key}]` with `source` and `values` or `rows`"
        bag.add(PR705, f"`{key}` is not a table", document.key(key), help=help_)
        return
    check_label(document, (key,), key, bag)
    check_keys(document, (key,), entry, _KEYS, bag)
    if entry.get("source") not in SOURCES:
        said = ", ".join(f'`"{word}"`' for word in SOURCES)
        bag.add(PR726, f"`{key}` needs a `source` that is one of {said}", document.span(key, "source"))
    forms = [form for form in ("values", "rows") if form in entry]
    if len(forms) != 1:
        said = "neither `values` nor `rows`" if not forms else "both `values` and `rows`"
        bag.add(PR704 if not forms else PR725, f"`{key}` has {said}", document.key(key))
    elif forms == ["rows"]:
        _check_rows(document, key, entry["rows"], bag)
    _check_assumed(document, key, entry, bag)


def _check_rows(document: Document, key: str, rows: Raw, bag: Bag) -> None:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        bag.add(PR705, f"`{key}.rows` is not a list of tables", document.span(key, "rows"))
        return
    if not rows:
        bag.add(PR712, f"`{key}` has no rows", document.span(key, "rows"))
    if len(rows) > MOST_ROWS:
        bag.add(PR711, f"{len(rows)} rows are too many: at most {MOST_ROWS} are allowed", document.key(key))
        return
    first: dict[str, int] = {}
    for at, row in enumerate(rows):
        path = (key, "rows", at)
        if "name" not in row:
            bag.add(PR704, "this row has no `name`", document.span(*path))
        elif check_label(document, (*path, "name"), row["name"], bag) and first.setdefault(row["name"], at) != at:
            related = ((document.span(key, "rows", first[row["name"]], "name"), "first given here"),)
            bag.add(PR707, f"`{row['name']}` is given twice", document.span(*path, "name"), related=related)


def _check_assumed(document: Document, key: str, entry: Table, bag: Bag) -> None:
    listed = entry.get("assumed", [])
    rows = entry.get("rows", [])
    columns = {column for row in rows if isinstance(row, dict) for column in row} if isinstance(rows, list) else set()
    if not isinstance(listed, list):
        bag.add(PR705, f"`{key}.assumed` is not a list of columns", document.span(key, "assumed"))
        return
    for at, column in enumerate(listed):
        if not isinstance(column, str) or column not in columns:
            help_ = did_you_mean(str(column), columns)
            bag.add(PR722, f"`{key}` has no column `{column}`", document.span(key, "assumed", at), help=help_)


def _asked_for_note(span: Span | None) -> tuple[tuple[Span, str], ...]:
    return () if span is None else ((span, "asked for here"),)


def _dotted(path: KeyPath) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
