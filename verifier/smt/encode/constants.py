"""Constant tables as terms: spelled out where short, as a function with entries where long.

Reads:  the constants of a game.   Writes: terms for lookups; entries of long tables as assertions under the label
        `table:NAME`; the log of lookups in long or symbolic tables.
After:  a lookup means the table's value wherever its index lies inside; elsewhere it may be anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

from pilgrim_rules.core.footprint import Footprints, values_of
from pilgrim_rules.core.ir import Constant, Type
from pilgrim_rules.core.table_cells import cell
from verifier.smt.encode.query import Query
from verifier.smt.terms.terms import Sort, Symbol, Term, Terms

#: A lookup with one unknown index becomes at most this many straight pieces; a relation at most this many pairs.
PIECES = 8
PAIRS = 12
#: Tables up to this size are asserted whole when they are first in use; larger ones where a candidate gets them wrong.
EAGER = 128
#: After this many rounds with wrong entries, whole lines of the table are asserted; after this many, all of it.
PATIENCE, IMPATIENCE = 3, 10
#: A relation in which nothing has more than this many partners is used through the list of partners.
PARTNERS = 8


@dataclass(frozen=True, slots=True)
class Partners:
    """A relation seen as a list: `table[*index, k]` for k in `slots` are the partners, `none` where there are fewer."""

    table: Constant
    slots: Type


@dataclass(slots=True)
class Constants:
    """The constant tables in one query."""

    footprints: Footprints
    query: Query
    symbolic: frozenset[str]
    eager: bool
    functions: dict[str, Constant] = field(default_factory=dict)  #: tables that occur as functions
    _entered: set[tuple[str, tuple[int, ...]]] = field(default_factory=set)
    _wrong: dict[str, int] = field(default_factory=dict)
    _partners: dict[str, Partners | None] = field(default_factory=dict)

    def lookup(self, constant: Constant, index: Terms) -> Term:
        """Return the value of a cell."""
        if constant.name in self.symbolic:
            return self._function(constant, index)
        open_at = [at for at, term in enumerate(index) if not term.literal]
        if not open_at:
            return self._literal(constant, [term.value for term in index])
        # One row of a graph is never spelled out: at an unknown side it is a function, and the two must be one thing.
        row = constant.source == "graph" and len(open_at) < len(index)
        short = None if row else self._short(constant, index, open_at)
        if short is None:
            return self._function(constant, index)
        arena = self.query.arena
        inside = (arena.within(term, type_.lo, type_.hi) for term, type_ in zip(index, constant.index, strict=True))
        return arena.ite(arena.conj(*inside), short, self._code(constant, constant.type.lo))

    def enter_short_tables(self) -> None:
        """Assert the tables that have come into use, if they are short or nothing is to be left for later."""
        for name in [name for name in self.functions if name in self.query.asserted and name not in self._wrong]:
            constant = self.functions[name]
            self._wrong[name] = 0
            if name not in self.symbolic and (self.eager or len(constant.values) <= EAGER):
                for codes in values_of(constant.index):
                    self.entry(constant, codes)

    def correct(self, name: str, wrong: list[tuple[int, ...]]) -> None:
        """Assert the entries that a candidate got wrong, and more of a table that is wrong again and again."""
        constant = self.functions[name]
        self._wrong[name] += 1
        for codes in wrong:
            self.entry(constant, codes)
        if self._wrong[name] > IMPATIENCE or (self._wrong[name] > PATIENCE and len(constant.index) == 1):
            for codes in values_of(constant.index):
                self.entry(constant, codes)
        elif self._wrong[name] > PATIENCE:
            for codes in wrong:
                self._lines(constant, codes)

    def _lines(self, constant: Constant, codes: tuple[int, ...]) -> None:
        """Assert every entry that differs from one in a single index."""
        for at, type_ in enumerate(constant.index):
            for code in range(type_.lo, type_.hi + 1):
                self.entry(constant, (*codes[:at], code, *codes[at + 1 :]))

    def entry(self, constant: Constant, codes: tuple[int, ...]) -> None:
        """Assert one entry of a table that is in use as a function, once."""
        if (constant.name, codes) in self._entered:
            return
        self._entered.add((constant.name, codes))
        arena = self.query.arena
        value = self._literal(constant, list(codes))
        read = arena.app(_symbol(constant), [arena.num(code) for code in codes])
        self.query.add(arena.eq(read, value), f"table:{constant.name}")

    def partners(self, name: str) -> Partners | None:
        """Return a sparse relation as a list of partners; None if it is symbolic or not sparse."""
        if name not in self._partners:
            self._partners[name] = None if name in self.symbolic else _partners(self.footprints, name)
        return self._partners[name]

    def _function(self, constant: Constant, index: Terms) -> Term:
        self.functions[constant.name] = constant
        if index:
            self.query.note_read(constant.name, index)
        return self.query.arena.app(_symbol(constant), index)

    def _short(self, constant: Constant, index: Terms, open_at: list[int]) -> Term | None:
        """Return the lookup spelled out, for an index inside the table; None if that is too long."""
        rows = self._slice(constant, index, open_at)
        if len(set(rows.values())) == 1:
            return self._code(constant, next(iter(rows.values())))
        short = self._pieces(constant, index[open_at[0]], rows) if len(open_at) == 1 else None
        if short is None and constant.type.kind == "bool":
            short = self._pairs([index[at] for at in open_at], rows)
        return short

    def _code(self, constant: Constant, value: int) -> Term:
        arena = self.query.arena
        return arena.truth(bool(value)) if constant.type.kind == "bool" else arena.num(value)

    def _literal(self, constant: Constant, codes: list[int]) -> Term:
        inside = all(type_.lo <= code <= type_.hi for type_, code in zip(constant.index, codes, strict=True))
        return self._code(constant, constant.values[cell(constant.index, codes)] if inside else constant.type.lo)

    def _slice(self, constant: Constant, index: Terms, open_at: list[int]) -> dict[tuple[int, ...], int]:
        """Return the part of the table that the unknown indices can reach, by their values."""
        ranges = [
            range(max(type_.lo, term.lo), min(type_.hi, term.hi) + 1)
            for type_, term in zip(constant.index, index, strict=True)
        ]
        if any(not each for each in ranges):  # never inside: the value cannot matter
            return {(): constant.type.lo}
        key = (constant.name, *ranges)
        slices = self.footprints.slices
        if key not in slices:
            slices[key] = {
                tuple(codes[at] for at in open_at): constant.values[cell(constant.index, list(codes))]
                for codes in product(*ranges)
            }
        return slices[key]

    def _pieces(self, constant: Constant, term: Term, rows: dict[tuple[int, ...], int]) -> Term | None:
        """Return the table as a chain of straight pieces, such as `s + 3 if s <= 2 else s - 3`; None if too long."""
        pieces: list[tuple[int, int, int]] = []  # last code, slope, value at code 0
        codes = [(code, value) for (code,), value in rows.items()]
        at = 0
        while at < len(codes):
            code, value = codes[at]
            slope = codes[at + 1][1] - value if at + 1 < len(codes) else 0
            end = at
            while end + 1 < len(codes) and codes[end + 1][1] == value + slope * (codes[end + 1][0] - code):
                end += 1
            if end == at + 1 and slope and at + 2 < len(codes):  # two points make no line
                slope, end = 0, at
            pieces.append((codes[end][0], slope, value - slope * code))
            at = end + 1
            if len(pieces) > PIECES:
                return None
        arena = self.query.arena
        truth = constant.type.kind == "bool"

        def piece(slope: int, offset: int) -> Term:
            line = arena.linear(offset, ((slope, term),))
            return arena.as_bool(line) if truth else line

        chain = piece(*pieces[-1][1:])
        for last, slope, offset in reversed(pieces[:-1]):
            chain = arena.ite(arena.le(term, arena.num(last)), piece(slope, offset), chain)
        return chain

    def _pairs(self, terms: list[Term], rows: dict[tuple[int, ...], int]) -> Term | None:
        """Return a relation as the disjunction of its pairs, or of those it lacks; None if both are too many."""
        arena = self.query.arena
        for wanted in (1, 0):
            chosen = [codes for codes, value in rows.items() if value == wanted]
            if len(chosen) <= PAIRS:
                found = arena.disj(
                    *(
                        arena.conj(*(arena.eq(term, arena.num(code)) for term, code in zip(terms, codes, strict=True)))
                        for codes in chosen
                    )
                )
                return found if wanted else arena.neg(found)
        return None


def _symbol(constant: Constant) -> Symbol:
    type_ = constant.type
    sort: Sort = "Bool" if type_.kind == "bool" else "Int"
    return Symbol(constant.name, len(constant.index), sort, type_.lo, type_.hi)


def _partners(footprints: Footprints, name: str) -> Partners | None:
    """Return the relation as a list: a table of the game that lists the same partners, or one made here."""
    relation = footprints.declared.constants[name]
    *index, last = relation.index
    rows: dict[tuple[int, ...], list[int]] = {}
    for codes, value in zip(values_of(relation.index), relation.values, strict=True):
        row = rows.setdefault(codes[:-1], [])
        if value:
            row.append(codes[-1])
    most = max(map(len, rows.values()))
    if most > PARTNERS or last.size <= most:
        return None
    for table in footprints.game.constants:
        if table.index[:-1] == tuple(index) and len(table.index) == len(relation.index) and table.type.parts == (last,):
            listed: dict[tuple[int, ...], list[int]] = {codes: [] for codes in rows}
            for codes, value in zip(values_of(table.index), table.values, strict=True):
                if value <= last.hi:
                    listed[codes[:-1]].append(value)
            if all(sorted(listed[codes]) == row for codes, row in rows.items()):
                return Partners(table, table.index[-1])
    slots = Type(f"{name} slots", "int", 0, max(most - 1, 0))
    optional = Type(f"{last.name}?", "optional", last.lo, last.hi + 1, parts=(last,))
    padded = tuple(code for row in rows.values() for code in [*row, *[optional.hi] * slots.size][: slots.size])
    return Partners(Constant(f"{name} partners", (*index, slots), optional, padded, "graph"), slots)
