"""Instances: where a universal is worth having.

Reads:  the log of ground reads, or a candidate that violates something.   Writes: instances into the query.
After:  a universal whose body reads `T[x, s]` has an instance at every index at which goal, guards or writes look at T; a
        violated one has an instance at the violation, spelled with a term where one has that value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, product
from math import prod

from pilgrim_rules.core.ir import Lit, Type
from verifier.smt.encode.expressions import Encoder
from verifier.smt.encode.model_state import Candidate
from verifier.smt.encode.query import Query, Universal, UniversalSlot
from verifier.smt.terms.terms import Term, Terms

#: A universal whose variables stand in different reads is instantiated at combinations of their indices, up to this many.
COMBINATIONS = 24
#: A variable that no read mentions takes all its values, if it has at most this many.
FEW = 8
#: Violations of one universal that are added in one round.
AT_ONCE = 4


def trigger(query: Query, *, deep: bool = False) -> bool:
    """Instantiate every universal where the log says; True if anything was new.

    With `deep`, once more where these instances look: then a fact about the end of a list meets what is known there.
    """
    new = _trigger(query, 0)
    if deep:
        with query.later(2):
            new |= _trigger(query, 1)
    return new


def _trigger(query: Query, latest: int) -> bool:
    new = False
    at = 0
    while at < len(query.universals):  # instances may bring universals of their own
        universal = query.universals[at]
        for terms in list(_matches(query, universal, latest)):
            new |= query.instantiate(universal, terms)
        at += 1
    return new


def _matches(query: Query, universal: Universal, latest: int) -> Iterator[Terms]:
    slots = universal.slots
    partial: list[dict[Term, None]] = [{} for _ in slots]
    whole = False
    for symbol, places in universal.patterns:
        named = {place for place in places if isinstance(place, int)}
        if not named:
            continue
        for index, generation in list(query.log.get(symbol, {}).items()):
            if generation > latest or not _fits(slots, places, index):
                continue
            terms = {place: term for place, term in zip(places, index, strict=True) if isinstance(place, int)}
            if len(named) == len(slots):
                whole = True
                yield tuple(terms[at] for at in range(len(slots)))
            for at, term in terms.items():
                partial[at][term] = None
    if whole:
        return
    choices = [list(terms) or _all_values(query, slot) for terms, slot in zip(partial, slots, strict=True)]
    if 0 < prod(map(len, choices)) <= COMBINATIONS:
        yield from product(*choices)


def _fits(slots: tuple[UniversalSlot, ...], places: tuple[int | Lit | None, ...], index: Terms) -> bool:
    for place, term in zip(places, index, strict=True):
        match place:
            case int():
                if term.hi < slots[place].type.lo or slots[place].type.hi < term.lo:
                    return False
            case Lit(value=value):
                if not term.lo <= value <= term.hi:
                    return False
            case None:
                pass
    return True


def _all_values(query: Query, slot: UniversalSlot) -> list[Term]:
    if slot.size > FEW:
        return []
    return [query.arena.num(code) for code in range(slot.type.lo, slot.type.hi + 1)]


@dataclass(slots=True)
class Repair:
    """Adds what a candidate violates."""

    encoder: Encoder
    candidate: Candidate
    _pool: dict[str, dict[int, Term]] = field(default_factory=dict)

    def entries(self) -> bool:
        """Add the entries of constant tables that the model got wrong; True if there were any."""
        constants, query = self.encoder.constants, self.encoder.query
        wrong: dict[str, list[tuple[int, ...]]] = {}
        for name, constant in constants.functions.items():
            if name in constants.symbolic:
                continue
            for index in query.asserted.get(name, ()):
                at = self.candidate.cell(constant, index)
                if at is not None:
                    codes = tuple(self.candidate.value(term) for term in index)
                    table = self.candidate.model.functions.get(name)
                    if table is not None and int(table.entries.get(codes, table.otherwise)) != constant.values[at]:
                        wrong.setdefault(name, []).append(codes)
        for name, entries in wrong.items():
            constants.correct(name, entries)
        return bool(wrong)

    def universals(self, broken: frozenset[str]) -> bool:
        """Add instances of violated universals; True if any was new. `broken` are the hypotheses known to be false."""
        query = self.encoder.query
        new = False
        for universal in list(query.universals):
            held = universal.origin is not None and universal.origin not in broken
            if held or not self.candidate.value(universal.guard):
                continue
            for values in islice(universal.violations(self.candidate), AT_ONCE):
                terms = tuple(self._term(slot, value) for slot, value in zip(universal.slots, values, strict=True))
                literal = tuple(query.arena.num(value) for value in values)
                new |= query.instantiate(universal, terms) or query.instantiate(universal, literal)
        return new

    def _term(self, slot: UniversalSlot, value: int) -> Term:
        """Return a term of the slot's type with this value in the model, in preference to the literal."""
        if not self._pool:
            self._fill_pool()
        return self._pool.get(_sort(slot.type), {}).get(value, self.encoder.arena.num(value))

    def _fill_pool(self) -> None:
        declared, query = self.encoder.footprints.declared, self.encoder.query
        self._pool[""] = {}
        for each in query.skolems:
            if not each.term.literal:
                self._pool.setdefault(_sort(each.type), {}).setdefault(self.candidate.value(each.term), each.term)
        for name, reads in query.asserted.items():
            table = declared.variables.get(name) or declared.constants.get(name)
            if table is None:
                continue
            for index in reads:
                for type_, term in zip(table.index, index, strict=True):
                    if not term.literal:
                        self._pool.setdefault(_sort(type_), {}).setdefault(self.candidate.value(term), term)


def _sort(type_: Type) -> str:
    """Return what values have in common that a term may stand for: numbers of all ranges are numbers."""
    return "" if type_.kind == "int" else type_.name
