"""Diagnostics: what the user is told about a mistake, and the bag that collects them.

Reads:  codes and spans.   Writes: `Diagnostic` values; `RulesError` carries a whole bag to the caller.
After:  a pass that found a mistake went on; the driver stops between passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from pilgrim_rules.diagnostics.codes import Code
from pilgrim_rules.diagnostics.source import SourceFile, Span


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake. The message is lower case and has no final period; user text stands in back-ticks."""

    code: Code
    message: str
    span: Span | None
    help: str | None = None
    related: tuple[tuple[Span, str], ...] = ()
    clause: str | None = None
    says: str | None = None  #: what the clause says, such as `a shrine costs 1 stone (p. 11)`


class RulesError(Exception):
    """A spec, edition, map or clause file cannot be used; `diagnostics` says why, one entry a mistake."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...], sources: dict[str, SourceFile]) -> None:
        self.diagnostics = diagnostics
        self.sources = sources
        super().__init__("; ".join(map(_line, diagnostics[:5])) or "no diagnostics")

    def __reduce__(self) -> tuple[type[RulesError], tuple[object, ...]]:
        return type(self), (self.diagnostics, self.sources)  # so that one process can tell another


def _line(found: Diagnostic) -> str:
    return f"{found.code.id}: {found.message}" + (f" ({found.help})" if found.help else "")


@dataclass(slots=True)
class Bag:
    """Collects diagnostics and the sources they speak of.

    known   returns the text of a file, given its absolute path, that is to be taken instead of what is on the disk.
    absent  files that were looked for and are not there: with one of them the answer would be another.
    """

    sources: dict[str, SourceFile] = field(default_factory=dict)
    known: Callable[[str], str | None] = field(default=lambda _path: None)
    absent: set[str] = field(default_factory=set)
    _found: dict[tuple[str, Span | None, str], Diagnostic] = field(default_factory=dict)

    def add(
        self,
        code: Code,
        message: str,
        span: Span | None,
        *,
        help: str | None = None,  # noqa: A002  (the user-facing word)
        related: tuple[tuple[Span, str], ...] = (),
        clause: str | None = None,
    ) -> None:
        """Record a mistake; the same one at the same place is recorded once."""
        self.put(Diagnostic(code, message, span, help, related, clause))

    def put(self, found: Diagnostic) -> None:
        """Record a mistake that is known already; one in a module is shown where the module is used as well."""
        known = {span for span, _ in found.related}
        uses = tuple((use, "used here") for use in _uses(found.span) if use not in known)
        found = replace(found, related=found.related + uses) if uses else found
        self._found.setdefault((found.code.id, found.span, found.message), found)

    def copy(self) -> Bag:
        """Return a bag that holds the same, and takes what this one is not to have."""
        return Bag(dict(self.sources), self.known, set(self.absent), dict(self._found))

    def merge(self, other: Bag) -> None:
        """Take in what another bag holds."""
        self.sources.update(other.sources)
        self.absent |= other.absent
        for found in other:
            self.put(found)

    def cite(self, cited: Callable[[Span], str | None], says: Callable[[str], str | None]) -> None:
        """Add to each mistake in the rules the clause that its place cites, and what the clause says."""
        for key, found in self._found.items():
            clause = found.clause or (None if found.span is None else cited(found.span))
            said = None if clause is None else says(clause)
            if said is not None:
                self._found[key] = replace(found, clause=clause, says=said)

    def __iter__(self) -> Iterator[Diagnostic]:
        order = {name: at for at, name in enumerate(self.sources)}

        def place(found: Diagnostic) -> tuple[int, int]:
            return (-1, 0) if found.span is None else (order.get(found.span.file, len(order)), found.span.start)

        return iter(sorted(self._found.values(), key=place))

    def __len__(self) -> int:
        return len(self._found)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The mistakes that stop the pipeline, in source order."""
        return tuple(found for found in self if found.code.severity == "error")

    def stop_if_errors(self) -> None:
        """Raise what has been collected, if any of it is an error."""
        if self.errors:
            raise RulesError(tuple(self), self.sources)


def _uses(span: Span | None) -> Iterator[Span]:
    """Yield where the module of a place is used, and where the module is used in which that is, and so on."""
    while span is not None and span.via is not None:
        span = span.via
        yield span
