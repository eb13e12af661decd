"""Domains: what a list of binders ranges over, for terms and for values alike.

Reads:  binders.   Writes: for a choice of terms (or values) the names they stand for, and when the choice counts.
After:  every fold treats binders the same way. A binder over a sparse relation ranges over the list of partners: six
        neighbours instead of ninety-one hexes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from pilgrim_rules.core.ir import Binder
from pilgrim_rules.engine.evaluate import evaluate
from pilgrim_rules.engine.scene import NotPositive, OutsideTable, Scene, cell
from verifier.smt.query import Slot, Terms
from verifier.smt.states import Scope
from verifier.smt.terms import Term
from verifier.survey import values_of

if TYPE_CHECKING:
    from verifier.smt.candidate import Candidate
    from verifier.smt.encode import Encoder

#: What the evaluator raises where an expression has no value. Terms have one everywhere, so they are asked there too.
UNDEFINED = (NotPositive, OutsideTable)


@dataclass(frozen=True, slots=True)
class Domain:
    """The product of some binders."""

    encoder: Encoder
    binders: tuple[Binder, ...]
    slots: tuple[Slot, ...]

    @classmethod
    def of(cls, encoder: Encoder, binders: tuple[Binder, ...]) -> Domain:
        """Return the domain of the binders."""
        slots = []
        for binder in binders:
            partners = None if binder.among is None else encoder.constants.partners(binder.among[0])
            slots.append(Slot(binder.name, binder.type) if partners is None else Slot("", partners.slots))
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
                    relation = encoder.survey.world.constants[name]
                    counts = arena.conj(counts, encoder.constants.lookup(relation, (*at, term)))
                else:
                    value = encoder.constants.lookup(partners.table, (*at, term))
                    counts = arena.conj(counts, arena.within(value, binder.type.lo, binder.type.hi))
            scope = scope.bind({binder.name: value})
        return scope, counts

    def scenes(
        self, candidate: Candidate, scope: Scope, names: tuple[str, ...]
    ) -> Iterator[tuple[tuple[int, ...], Scene]]:
        """Yield every choice that counts in a candidate state, and the scene in which the binders stand for it."""
        try:
            outside = candidate.scene(scope, names)
        except UNDEFINED:  # nobody asks here
            return
        for values in self.values():
            try:
                scene = self.step_into(values, outside)
            except UNDEFINED:  # nor there
                continue
            if scene is not None:
                yield values, scene

    def step_into(self, values: tuple[int, ...], scene: Scene) -> Scene | None:
        """Return the scene in which the binders stand for the choice; None if the choice does not count."""
        for binder, chosen in zip(self.binders, values, strict=True):
            value = chosen
            if binder.among is not None:
                name, index = binder.among
                at = [evaluate(each, scene) for each in index]
                partners = self.encoder.constants.partners(name)
                table = scene.world.constants[name] if partners is None else partners.table
                found = table.values[cell(table.index, [*at, chosen])]
                if partners is None and not found:
                    return None
                if partners is not None:
                    if found > binder.type.hi:
                        return None
                    value = found
            scene = scene.bind(binder.name, value)
        return scene
