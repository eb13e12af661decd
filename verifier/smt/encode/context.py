"""What encoding one query needs everywhere: the game, the query, the memory of what was encoded before.

Reads:  a game and an empty query.   Writes: `Context`, whose `truth` and `value` the module `expressions` gives.
After:  quantifiers, folds and choices ask for terms of their parts without knowing who encodes them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.core.ir import Expr, Type
from verifier.smt.encode.constants import Constants
from verifier.smt.encode.encoded_states import Delayed, Meaning, Scope
from verifier.smt.encode.query import OpaqueSum, Query, Skolem
from verifier.smt.terms.polarity import Polarity, Unsupported
from verifier.smt.terms.terms import Arena, Term


@dataclass(slots=True)
class Context(ABC):
    """The encoding of one game into one query."""

    footprints: Footprints
    query: Query
    constants: Constants
    spell_out: bool = False  #: write every fold out: for concrete states and small worlds only
    written_out: int = 4  #: up to this many values a universal is written out at once
    fixed: Mapping[Hashable, int] = field(default_factory=dict)  #: values of unknowns in a case split, by key
    rewritten: dict[object, tuple[Expr, object]] = field(default_factory=dict)
    numbers: dict[tuple[object, ...], tuple[Expr, OpaqueSum]] = field(default_factory=dict)
    _known: dict[tuple[object, ...], tuple[Expr, Term]] = field(default_factory=dict)
    _met: set[Hashable] = field(default_factory=set)

    @property
    def arena(self) -> Arena:
        """Where terms are made."""
        return self.query.arena

    def unknown(self, name: str, type_: Type, key: Hashable) -> Term:
        """Return an unknown value of the type. The key tells where it comes from, so that a case split can fix it."""
        if self.query.generation:
            return self.arena.fresh(name, "Int", type_.lo, type_.hi)
        if key in self.fixed and key in self._met:
            raise Unsupported("a case split met its unknown twice")
        self._met.add(key)
        if key in self.fixed:
            return self.arena.num(self.fixed[key])
        term = self.arena.fresh(name, "Int", type_.lo, type_.hi)
        self.query.skolems.append(Skolem(term, type_, key))
        return term

    @abstractmethod
    def truth(self, expr: Expr, scope: Scope, polarity: Polarity) -> Term:
        """Return a Boolean expression as a formula for a place of this polarity."""

    @abstractmethod
    def value(self, expr: Expr, scope: Scope) -> Term:
        """Return an expression as a term: Boolean if its type is, otherwise the integer code."""

    def code(self, expr: Expr, scope: Scope) -> Term:
        """Return an expression as an integer term, a Boolean as 0 or 1."""
        return self.arena.as_int(self.value(expr, scope))

    def meaning(self, expr: Expr, scope: Scope) -> Meaning:
        """Return what a name bound to the expression stands for: Booleans are encoded where they are used."""
        return Delayed(expr, scope) if expr.type.kind == "bool" else self.value(expr, scope)

    def remembered(self, expr: Expr, scope: Scope, polarity: Polarity, encode: Callable[[], Term]) -> Term:
        """Return what the expression was encoded to before: same names, same versions of what it reads, same polarity."""
        key = (id(expr), polarity, self.names_key(expr, scope), self.versions_key(expr, scope))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = (expr, encode())
        return known[1]

    def names_key(self, expr: Expr, scope: Scope) -> tuple[object, ...]:
        """Return what tells apart two uses of the expression with different names around."""
        return tuple(scope.names[name] for name in self.footprints.free(expr))

    def versions_key(self, expr: Expr, scope: Scope) -> tuple[int, ...]:
        """Return what tells apart two uses of the expression in different states."""
        reads = self.footprints.footprint(expr).reads
        return tuple(scope.state(when).versions[name] for name, when in sorted(reads))
