"""Where pieces begin: the first values of the tables of zones.

Reads:  what declarations of zones say of the start, through the checker.   Writes: initial values of the program's variables.
After:  the numbers and the order of pieces are right at the start.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pilgrim_rules.core import ir
from pilgrim_rules.core.smart_constructors import equals, lit, number
from pilgrim_rules.core.zones import ZoneTables
from pilgrim_rules.language.check.constant import values_of
from pilgrim_rules.language.check.expressions import Expressions
from pilgrim_rules.language.check.program_info import POISON, ProgramInfo
from pilgrim_rules.language.check.scope import CONSTANT, Scope
from pilgrim_rules.language.check.zone_tables import tables_of, zone_sets
from pilgrim_rules.language.syntax import ast


def start_zones(program: ProgramInfo, check: Expressions) -> None:
    """Give the tables of all zones of single pieces the values with which they begin."""
    for node in zone_sets(program):
        if node.holds is None:
            _start(program, check, node)


def _start(program: ProgramInfo, check: Expressions, node: ast.Zones) -> None:
    info = program.zones[node.lines[0].name.text]
    if info.pieces == POISON:
        return
    tables = tables_of(program, info)
    initial = tables.place.initial
    if node.start is not None:
        piece = ir.Bound(tables.place.over[0], info.pieces)
        initial = check.fitted(node.start, Scope(CONSTANT).bind(piece.name, piece), info.place)
    if initial.type == POISON:
        return
    values = values_of(initial, tables.place.over, tables.place.index, program, node.span)
    if values is None:
        return
    program.variables[tables.place.name] = replace(tables.place, initial=initial)
    starts = _Starts(tables, values)
    for table, value in ((tables.count, starts.count()), (tables.position, starts.position())):
        if table is not None:
            program.variables[table.name] = replace(table, initial=value)


@dataclass(frozen=True, slots=True)
class _Starts:
    """Where pieces begin, and how many that makes in each zone."""

    tables: ZoneTables
    places: tuple[int, ...]  #: the code of the place of each piece

    def count(self) -> ir.Expr:
        """Return how many pieces begin in the place that is called `z`."""
        here = ir.Bound("z", self.tables.place.type)
        made: ir.Expr = lit(0)
        for code in range(self.tables.place.type.size - 1, -1, -1):
            many = self.places.count(code)
            if many:
                test = equals(here, ir.Lit(code, here.type))
                made = ir.Cond(test, lit(many), made, number(0, len(self.places)))
        return made

    def position(self) -> ir.Expr:
        """Return the position at which a piece begins: in the order of the pieces."""
        (over,), pieces = self.tables.place.over, self.tables.pieces
        piece = ir.Bound(over, pieces)
        made: ir.Expr = lit(0)
        for at in range(len(self.places) - 1, -1, -1):
            code = self.places[at]
            if code in self.tables.ordered:
                test = equals(piece, ir.Lit(pieces.lo + at, pieces))
                before = self.places[: at + 1].count(code)
                made = ir.Cond(test, lit(before), made, number(0, len(self.places)))
        return made
