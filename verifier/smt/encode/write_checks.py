"""Writes and what must hold for them: the checks that keep the rules free of contradiction.

Reads:  writes, each under the condition of its path.   Writes: `Check`s, in the order in which the lines run.
After:  if every check holds, each written value lies in its type, no simultaneous loop sets a cell twice, and no line
        asks for a value that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations

from pilgrim_rules.core.definedness import all_defined
from pilgrim_rules.core.ir import Assign, Expr
from verifier.smt.encode.context import Context
from verifier.smt.encode.encoded_states import Scope
from verifier.smt.terms.polarity import Polarity
from verifier.smt.terms.terms import Term, Terms


@dataclass(frozen=True, slots=True)
class WriteCheck:
    """Something that must hold or the rules contradict themselves here.

    key    the line that would be to blame.      about  the variables it is about, for finding hypotheses.
    """

    key: str
    holds: Callable[[Polarity], Term]
    about: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PendingWrite:
    """A write that a simultaneous loop keeps until its end."""

    stmt: Assign
    condition: Term
    index: Terms
    value: Term


@dataclass(slots=True)
class WriteChecks:
    """The checks of one execution."""

    encoder: Context
    found: list[WriteCheck] = field(default_factory=list)

    def must_fit(self, stmt: Assign, path: Term, value: Term) -> None:
        """Check that a written value lies in the type of its variable."""
        type_ = self.encoder.footprints.declared.variables[stmt.variable].type
        arena = self.encoder.arena
        if value.sort == "Int":
            about = self.encoder.footprints.footprint(stmt.value).variables | {stmt.variable}
            self._must(stmt.key, arena.implies(path, arena.within(value, type_.lo, type_.hi)), about)

    def must_not_meet(self, entries: list[PendingWrite]) -> None:
        """Check that a simultaneous loop sets no cell twice, and sets none that it adds to."""
        arena = self.encoder.arena
        for first, second in combinations(entries, 2):
            if first.stmt.variable == second.stmt.variable and "set" in (first.stmt.mode, second.stmt.mode):
                same = (arena.eq(mine, theirs) for mine, theirs in zip(first.index, second.index, strict=True))
                meet = arena.conj(first.condition, second.condition, *same)
                about = self.encoder.footprints.joint((*first.stmt.index, *second.stmt.index)).variables
                self._must(second.stmt.key, arena.neg(meet), about)

    def must_be_defined(self, scope: Scope, path: Term, key: str, *exprs: Expr) -> None:
        """Check that the expressions have a value."""
        wanted = all_defined(exprs, self.encoder.footprints.declared.defs)
        if wanted is not None:
            encoder = self.encoder
            about = encoder.footprints.footprint(wanted).variables
            self.found.append(
                WriteCheck(
                    key, lambda polarity: encoder.arena.implies(path, encoder.truth(wanted, scope, polarity)), about
                )
            )

    def _must(self, key: str, term: Term, about: frozenset[str]) -> None:
        if not (term.literal and term.value):
            self.found.append(WriteCheck(key, lambda _sign: term, about))
