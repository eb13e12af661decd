"""Domains: what a list of binders ranges over, for terms and for values alike.

Reads:  binders.   Writes: for a choice of terms (or values) the names they stand for, and when the choice counts.
After:  every fold treats binders the same way. A binder over a sparse relation ranges over the list of partners: six
        neighbours instead of ninety-one hexes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from pilgrim_rules.core.footprint import values_of
from pilgrim_rules.core.ir import Binder
from pilgrim_rules.core.table_cells import OutsideTable, cell
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.evaluate import evaluate
from verifier.smt.encode.context import Context
from verifier.smt.encode.encoded_states import Interpretation, Scope
from verifier.smt.encode.query import UniversalSlot
from verifier.smt.terms.terms import Term, Terms

#: What the evaluator raises where an expression has no value. Terms have one everywhere, so they are asked there too.
UNDEFINED = (Contradiction, OutsideTable)


@dataclass(frozen=True, slots=True)
class Domain:
    """The product of some binders."""

    encoder: Context
    binders: tuple[Binder, ...]
    slots: tuple[UniversalSlot, ...]

    @classmethod
    def from_binders(cls, encoder: Context, binders: tuple[Binder, ...]) -> Domain:
        """Return the domain of the binders."""
        slots = []
        for binder in binders:
            partners = None if binder.among is None else encoder.constants.partners(binder.among[0])
            slots.append(
                UniversalSlot(binder.name, binder.type) if partners is None else UniversalSlot("", partners.slots)
            )
        return cls(encoder, binders, tuple(slots))

    @property
    def size(self) -> int:
        """How many choices there are."""
        return prod(slot.size for slot in self.slots)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the slots; one that stands for a place in a list of partners has none."""
        return tuple(slot.name for slot in self.slots)

    @property
    def first(self) -> tuple[int, ...]:
        """The first choice."""
        return tuple(slot.type.lo for slot in self.slots)

    def choices(self) -> Iterator[Terms]:
        """Yield every choice as literals."""
        num = self.encoder.arena.num
        for values in self.values():
            yield tuple(map(num, values))

    def values(self) -> Iterator[tuple[int, ...]]:
        """Yield every choice as values."""
        return values_of(slot.type for slot in self.slots)

    def enter(self, terms: Terms, scope: Scope) -> tuple[Scope, Term]:
        """Return the scope in which the binders stand for the choice, and when the choice counts."""
        encoder = self.encoder
        arena = encoder.arena
        counts = arena.truth(True)
        for binder, term in zip(self.binders, terms, strict=True):
            value = term
            if binder.among is not None:
                name, index = binder.among
                at = tuple(encoder.code(each, scope) for each in index)
                partners = encoder.constants.partners(name)
                if partners is None:
                    relation = encoder.footprints.declared.constants[name]
                    counts = arena.conj(counts, encoder.constants.lookup(relation, (*at, term)))
                else:
                    value = encoder.constants.lookup(partners.table, (*at, term))
                    counts = arena.conj(counts, arena.within(value, binder.type.lo, binder.type.hi))
            scope = scope.bind({binder.name: value})
        return scope, counts

    def environments(
        self, candidate: Interpretation, scope: Scope, names: tuple[str, ...]
    ) -> Iterator[tuple[tuple[int, ...], Environment]]:
        """Yield every choice that counts in a candidate state, and the env in which the binders stand for it."""
        try:
            outside = candidate.env(scope, names)
        except UNDEFINED:  # nobody asks here
            return
        for values in self.values():
            try:
                env = self.step_into(values, outside)
            except UNDEFINED:  # nor there
                continue
            if env is not None:
                yield values, env

    def step_into(self, values: tuple[int, ...], env: Environment) -> Environment | None:
        """Return the env in which the binders stand for the choice; None if the choice does not count."""
        for binder, chosen in zip(self.binders, values, strict=True):
            value = chosen
            if binder.among is not None:
                name, index = binder.among
                at = [evaluate(each, env) for each in index]
                partners = self.encoder.constants.partners(name)
                table = env.declared.constants[name] if partners is None else partners.table
                found = table.values[cell(table.index, [*at, chosen])]
                if partners is None and not found:
                    return None
                if partners is not None:
                    if found > binder.type.hi:
                        return None
                    value = found
            env = env.bind(binder.name, value)
        return env
