"""Load the inventory: everything a rulebook says, by id.

Reads:  clauses.toml (one file, or several that make one inventory).   Writes: `Inventory`, or diagnostics and None.
After:  ids are unique and well formed, and every reference inside the inventory leads somewhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.codes import PR601, PR602, PR603, PR604, PR605, PR606, PR607
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.inputs.clauses.records import (
    TABLES,
    WORDS,
    Clause,
    EditionDifference,
    Gap,
    GlossaryTerm,
    Guarantee,
    Record,
    Unknown,
    Waiver,
    WorkedExample,
)
from pilgrim_rules.inputs.data.toml_file import Document, Raw, Table, check_keys, read_toml
from pilgrim_rules.inputs.data.toml_places import KeyPath

Citable: TypeAlias = Clause | WorkedExample | Gap | Guarantee | EditionDifference
_R = TypeVar("_R", bound=Record)

_ID = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)+")
_UNKNOWN_ID = re.compile(r"([A-Z][A-Z0-9]*-)*[a-z][a-z0-9_]*")
#: Words that begin a sentence and are no names, so that a sentence can go on after a comma.
_COMMON = frozenset(
    {"A", "After", "All", "An", "At", "Before", "Both", "Each", "Every", "If", "In", "It", "No", "On", "One", "Players"}
    | {"The", "There", "When", "Whoever"}
)


class LazySpan(NamedTuple):
    """A place in a file, worked out only when somebody asks for it."""

    document: Document
    path: KeyPath

    def span(self) -> Span:
        """Return the place."""
        return self.document.span(*self.path)


@dataclass(frozen=True, slots=True)
class Inventory:
    """What the rulebook says. Clauses are in rulebook order."""

    clauses: tuple[Clause, ...] = ()
    examples: tuple[WorkedExample, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    gaps: tuple[Gap, ...] = ()
    guarantees: tuple[Guarantee, ...] = ()
    differences: tuple[EditionDifference, ...] = ()
    terms: tuple[GlossaryTerm, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    given: dict[str, LazySpan] = field(default_factory=dict, hash=False, compare=False, repr=False)
    waived_at: dict[str, LazySpan] = field(default_factory=dict, hash=False, compare=False, repr=False)
    _by_id: dict[str, Citable] = field(init=False, hash=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        citable: tuple[Citable, ...] = (*self.clauses, *self.examples, *self.gaps, *self.guarantees, *self.differences)
        object.__setattr__(self, "_by_id", {record.id: record for record in citable})

    def find(self, id_: str) -> Citable | None:
        """Return what can be cited by this id."""
        return self._by_id.get(id_)

    def ids(self) -> tuple[str, ...]:
        """Return every id that can be cited."""
        return tuple(self._by_id)

    def check(self, id_: str, span: Span, bag: Bag) -> bool:
        """Tell whether the id can be cited; if not, report it at the place that cites it."""
        if id_ in self._by_id:
            return True
        bag.add(PR601, f"the inventory has no clause `{id_}`", span, help=did_you_mean(id_, self._by_id))
        return False

    def describe(self, id_: str) -> str | None:
        """Return what an id stands for as half a sentence with its page, such as `a shrine costs 1 stone (p. 11)`."""
        found = self._by_id.get(id_)
        if found is None:
            return None
        match found:
            case Clause(text=text, page=page):
                pass
            case WorkedExample(then=text, page=page):
                pass
            case Guarantee(text=text):
                page = ""
            case Gap(problem=text):
                page = ""
            case EditionDifference(en=text, page_en=page):
                pass
        first = text.split(" ", 1)[0]
        text = text[0].lower() + text[1:] if first in _COMMON else text
        return text.rstrip(".") + (f" (p. {page})" if page else "")

    def only(self, files: Collection[str]) -> Inventory:
        """Return what these files of the inventory say, given by their absolute paths."""
        kept = {id_ for id_, place in self.given.items() if str(Path(place.document.source.name).resolve()) in files}
        return replace(
            self,
            clauses=tuple(each for each in self.clauses if each.id in kept),
            examples=tuple(each for each in self.examples if each.id in kept),
            unknowns=tuple(each for each in self.unknowns if each.id in kept),
            gaps=tuple(each for each in self.gaps if each.id in kept),
            guarantees=tuple(each for each in self.guarantees if each.id in kept),
            differences=tuple(each for each in self.differences if each.id in kept),
        )

    def span(self, id_: str) -> Span | None:
        """Return where the inventory gives the id."""
        return self.given[id_].span() if id_ in self.given else None

    def waiver_span(self, id_: str) -> Span | None:
        """Return where the inventory waives the clause."""
        return self.waived_at[id_].span() if id_ in self.waived_at else None

    def waived(self) -> dict[str, str]:
        """Return the reason for each waived clause."""
        return {id_: waiver.reason for waiver in self.waivers for id_ in waiver.clause}


def load_inventory(paths: Sequence[Path], span: Span | None, bag: Bag) -> Inventory | None:
    """Load the files as one inventory; `span` is the place in the rules that names them."""
    before = len(bag.errors)
    loader = _Loader(bag)
    for document in [read_toml(path, span, bag) for path in paths]:
        if document is None:
            return None
        loader.read(document)
    loader.check_references()
    return loader.inventory() if len(bag.errors) == before else None


class _Loader:
    """Collects records file by file, remembering where each stands."""

    def __init__(self, bag: Bag) -> None:
        self.bag = bag
        self.found: dict[str, list[tuple[Document, KeyPath, Record]]] = {table: [] for table in TABLES}
        self.given: dict[str, LazySpan] = {}
        self.waived_at: dict[str, LazySpan] = {}
        self.ids: dict[str, list[str]] = {table: [] for table in TABLES}  # those of incomplete records too

    def read(self, document: Document) -> None:
        check_keys(document, (), document.data, {*TABLES, "source"}, self.bag)
        for table in TABLES:
            for path, entry in document.tables(table, self.bag):
                record = self._record(document, path, table, entry)
                if record is not None:
                    self.found[table].append((document, path, record))

    def _record(self, document: Document, path: KeyPath, table: str, entry: Table) -> Record | None:
        kind = TABLES[table]
        wanted = fields(kind)
        check_keys(document, path, entry, [field_.name for field_ in wanted], self.bag)
        if isinstance(entry.get("id"), str):
            self._register(document, path, table, str(entry["id"]))
        values: dict[str, str | tuple[str, ...]] = {}
        for field_ in wanted:
            value = self._value(document, path, table, field_, entry.get(field_.name))
            if value is None:
                return None
            values[field_.name] = value
        return kind(**values)  # type: ignore[arg-type]  # each value has the kind its field is annotated with

    def _value(
        self, document: Document, path: KeyPath, table: str, field_: Field[object], raw: Raw
    ) -> str | tuple[str, ...] | None:
        many = field_.type != "str"
        if raw is None:
            if field_.default is not MISSING:
                return () if many else ""
            self.bag.add(PR604, f"this {table} has no `{field_.name}`", document.span(*path))
            return None
        if many and isinstance(raw, list) and all(isinstance(part, str) for part in raw):
            return tuple(raw)
        if isinstance(raw, str):
            return (raw,) if many else self._word(document, path, table, field_.name, raw)
        wanted = "a list of strings" if many else "a string"
        self.bag.add(PR605, f"`{field_.name}` is not {wanted}", document.span(*path, field_.name))
        return None

    def _word(self, document: Document, path: KeyPath, table: str, name: str, word: str) -> str:
        options = WORDS.get((table, name))
        if options is not None and word not in options:
            help_ = did_you_mean(word, options) or f"one of {', '.join(f'`{option}`' for option in options)}"
            message = f"`{word[:40]}` is no {name} of {'an' if table[0] in 'aeiou' else 'a'} {table}"
            self.bag.add(PR605, message, document.span(*path, name), help=help_)
        return word

    def _register(self, document: Document, path: KeyPath, table: str, id_: str) -> None:
        where = LazySpan(document, (*path, "id"))
        self.ids[table].append(id_)
        if not (_UNKNOWN_ID if table == "unknown" else _ID).fullmatch(id_):
            like = "piety_track" if table == "unknown" else "SHR-3"
            self.bag.add(PR603, f"`{id_[:40]}` is no id", where.span(), help=f"an id here looks like `{like}`")
        elif (first := self.given.setdefault(id_, where)) is not where:
            self.bag.add(PR602, f"`{id_}` is given twice", where.span(), related=((first.span(), "first given here"),))

    def check_references(self) -> None:
        """Report references to clauses and unknowns that the inventory does not have, and doubled waivers."""
        clauses = self.ids["clause"]
        for table, name, known in (
            ("clause", "data", self.ids["unknown"]),
            ("example", "clauses", clauses),
            ("gap", "clauses", clauses),
            ("invariant", "clauses", clauses),
            ("waiver", "clause", [id_ for id_ in self.given if id_ not in self.ids["unknown"]]),
        ):
            there = frozenset(known)
            for document, path, record in self.found[table]:
                for at, id_ in enumerate(getattr(record, name)):
                    if id_ not in there:
                        message = f"the inventory has no {'unknown' if name == 'data' else 'clause'} `{id_}`"
                        span = document.span(*path, name, at)
                        self.bag.add(PR606, message, span, help=did_you_mean(id_, known))
        self._check_waivers()

    def _check_waivers(self) -> None:
        for document, path, record in self.found["waiver"]:
            assert isinstance(record, Waiver)
            if not record.reason.strip():
                self.bag.add(PR604, "this waiver gives no reason", document.span(*path, "reason"))
            for at, id_ in enumerate(record.clause):
                where = LazySpan(document, (*path, "clause", at))
                if (first := self.waived_at.setdefault(id_, where)) is not where:
                    related = ((first.span(), "first waived here"),)
                    self.bag.add(PR607, f"`{id_}` is waived twice", where.span(), related=related)

    def _records(self, table: str, kind: type[_R]) -> Iterator[_R]:
        return (record for _, _, record in self.found[table] if isinstance(record, kind))

    def inventory(self) -> Inventory:
        return Inventory(
            clauses=tuple(self._records("clause", Clause)),
            examples=tuple(self._records("example", WorkedExample)),
            unknowns=tuple(self._records("unknown", Unknown)),
            gaps=tuple(self._records("gap", Gap)),
            guarantees=tuple(self._records("invariant", Guarantee)),
            differences=tuple(self._records("difference", EditionDifference)),
            terms=tuple(self._records("term", GlossaryTerm)),
            waivers=tuple(self._records("waiver", Waiver)),
            given=self.given,
            waived_at=self.waived_at,
        )
