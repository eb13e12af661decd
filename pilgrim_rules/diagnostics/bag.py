"""Diagnostics: what the user is told about a mistake, and the bag that collects them.

Reads:  codes and spans.   Writes: `Diagnostic` values; `RulesError` carries a whole bag to the caller.
After:  a pass that found a mistake went on; the driver stops between passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from pilgrim_rules.diagnostics.codes import Code
from pilgrim_rules.source import SourceFile, Span


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
        super().__init__("; ".join(f"{d.code.id}: {d.message}" for d in diagnostics[:5]) or "no diagnostics")


@dataclass(slots=True)
class Bag:
    """Collects diagnostics and the sources they speak of."""

    sources: dict[str, SourceFile] = field(default_factory=dict)
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
        """Record a mistake that is known already."""
        self._found.setdefault((found.code.id, found.span, found.message), found)

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
