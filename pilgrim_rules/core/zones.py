"""Zones: the places of pieces, as cells of the state.

Reads:  the tables of a set of zones, and what is moved between them.   Writes: written lines.
After:  each piece has one cell, which holds its place: so it is in exactly one. Where the text counts, `count.…` counts the
        pieces of each place, and where it knows an order, `position.…` is that of each piece in its zone, from 1 without
        gaps (0 in a zone without order). Every line that moves a piece keeps them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pilgrim_rules.core.footprint import writes
from pilgrim_rules.core.forms import expand_form, negative
from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
    Assign,
    Binder,
    Bound,
    Checked,
    Cond,
    Define,
    Expr,
    Fold,
    ForLine,
    Lit,
    Read,
    Type,
    Variable,
    WrittenStmt,
)
from pilgrim_rules.core.smart_constructors import arithmetic, conjunction, equals, lit, optional
from pilgrim_rules.diagnostics.source import Span

PLACE, COUNT, POSITION = "place.", "count.", "position."
LEFT, ROLLING, SOURCE, TARGET = "drawing.", "rolling.", "source.", "target."
_TYPE = ".place"
_OTHER = "another"  #: a piece besides the one that is moved


def place_type(pieces: str) -> str:
    """Return the name of the type of the places of pieces of a type."""
    return f"{pieces}{_TYPE}"


def is_place(expr: Expr) -> bool:
    """Tell whether an expression is the place of a piece."""
    return expr.type.kind == "enum" and expr.type.name.endswith(_TYPE)


def drawing_stage(zone: str) -> str:
    """Return the stage in which chance draws from a zone."""
    return f"drawing_{zone}"


def draw_action(zone: str) -> str:
    """Return the action by which chance draws from a zone."""
    return f"draw_{zone}"


@dataclass(frozen=True, slots=True)
class ZoneTables:
    """The tables of a set of zones.

    count     how many pieces are in each place; None if nothing counts them.
    position  of each piece in its zone; None if no zone has an order.
    ordered   the codes of the places that have one.
    """

    place: Variable
    count: Variable | None
    position: Variable | None
    ordered: frozenset[int]

    @property
    def pieces(self) -> Type:
        """The type of the pieces."""
        return self.place.index[0]

    def of(self, piece: Expr) -> Read:
        """Return the place of a piece."""
        return Read(self.place.name, (piece,), self.place.type)

    def inside(self, piece: Expr, zone: Expr) -> Expr:
        """Return the test that a piece lies in a zone."""
        return expand_form("in_zone", (piece, zone), self.place.type, BOOL, self.place.name)

    def number(self, zone: Expr) -> Read:
        """Return how many pieces lie in a zone."""
        assert self.count is not None, "only what the text counts is asked for"
        return Read(self.count.name, (zone,), self.count.type)

    def at(self, piece: Expr) -> Read:
        """Return the position of a piece in its zone."""
        assert self.position is not None, "only an ordered zone has positions"
        return Read(self.position.name, (piece,), self.position.type)

    def is_ordered(self, zones: range) -> bool:
        """Tell whether zones have an order; all of one name do, or none."""
        return zones.start in self.ordered


@dataclass(frozen=True, slots=True)
class Zone:
    """A place that a line names: the expression, and the codes of all zones of its name."""

    place: Expr
    codes: range


@dataclass(frozen=True, slots=True)
class Moves:
    """The lines that one written line stands for."""

    tables: ZoneTables
    key: str
    clauses: tuple[str, ...]
    span: Span

    def one(self, piece: Expr, source: Zone, target: Zone, at: Expr | None) -> Iterator[WrittenStmt]:
        """Yield what moves a piece from one zone to another, to a position or to the end; it is an error if it is not there."""
        tables = self.tables
        if not isinstance(piece, Lit | Bound):
            yield Define("piece", piece)
            piece = Bound("piece", piece.type)
        if tables.is_ordered(source.codes):
            behind = Apply(">", (tables.at(self._other), tables.at(piece)), BOOL)
            yield self._others(source, behind, lit(-1), "close")
        if tables.count is not None:
            yield self._counted(source, lit(-1), "from")
            yield self._counted(target, lit(1), "to")
        missing = Lit(optional(tables.place.type).hi, optional(tables.place.type))
        there = Cond(tables.inside(piece, source.place), target.place, missing, missing.type)
        arrives = Checked(there, tables.place.type, span=self.span)
        if not tables.is_ordered(target.codes):
            yield self._set(tables.place, piece, arrives, "place")
            if tables.is_ordered(source.codes):
                yield self._set(tables.position, piece, lit(0), "position")
            return
        end: Expr = tables.number(target.place)
        if at is not None:
            end = arithmetic("min", at, end)
            yield Define("position", end)
            end = Bound("position", end.type)
            beyond = Apply(">=", (tables.at(self._other), end), BOOL)
            yield self._others(target, beyond, lit(1), "open")
        yield self._set(tables.place, piece, arrives, "place")
        yield self._set(tables.position, piece, end, "position")

    def everything(self, source: Zone, target: Zone) -> Iterator[WrittenStmt]:
        """Yield what moves all pieces of one zone to another; those of an ordered zone keep their order behind those there."""
        tables = self.tables
        if tables.count is not None:
            yield Define("moved", tables.number(source.place))
            moved = Bound("moved", tables.count.type)
        inside = tables.inside(self._other, source.place)
        lines: list[WrittenStmt] = [self._set(tables.place, self._other, target.place, "place")]
        if tables.is_ordered(source.codes):
            if tables.is_ordered(target.codes):
                lines.append(self._add(tables.position, self._other, tables.number(target.place), "position"))
            else:
                lines.append(self._set(tables.position, self._other, lit(0), "position"))
        yield ForLine(Binder(_OTHER, tables.pieces), inside, tuple(lines), simultaneous=True, span=self.span)
        if tables.count is not None:
            yield self._counted(source, negative(moved), "from")
            yield self._counted(target, moved, "to")

    @property
    def _other(self) -> Bound:
        return Bound(_OTHER, self.tables.pieces)

    def _others(self, zone: Zone, test: Expr, by: Expr, part: str) -> WrittenStmt:
        """Return the line that makes room for a piece in a zone, or closes the gap that it leaves."""
        where = conjunction(self.tables.inside(self._other, zone.place), test)
        line = self._add(self.tables.position, self._other, by, part)
        return ForLine(Binder(_OTHER, self.tables.pieces), where, (line,), simultaneous=True, span=self.span)

    def _counted(self, zone: Zone, by: Expr, part: str) -> WrittenStmt:
        return self._add(self.tables.count, zone.place, by, part)

    def _add(self, table: Variable | None, index: Expr, by: Expr, part: str) -> Assign:
        assert table is not None, "only tables that there are are written"
        return Assign(table.name, (index,), "add", by, f"{self.key}.{part}", self.clauses, span=self.span)

    def _set(self, table: Variable | None, index: Expr, value: Expr, part: str) -> Assign:
        assert table is not None, "only tables that there are are written"
        return Assign(table.name, (index,), "set", value, f"{self.key}.{part}", self.clauses, span=self.span)


def number_of(tables: ZoneTables, code: int) -> Expr:
    """Return that the number of pieces of a place is right."""
    zone = Lit(code, tables.place.type)
    return equals(tables.number(zone), counted(tables, zone))


def counted(tables: ZoneTables, zone: Expr) -> Expr:
    """Return the number of pieces of a place, counted one by one."""
    assert tables.count is not None, "only what the text counts is counted"
    piece = Bound("c", tables.pieces)
    where = tables.inside(piece, zone)
    return Fold("count", (Binder("c", tables.pieces),), where, lit(1), None, tables.count.type)


def is_draw(action: Action) -> bool:
    """Tell whether an action is chance drawing a piece, as a `draw` line makes it."""
    return action.kind == "chance" and any(name.startswith(LEFT) for name in writes(action.body))
