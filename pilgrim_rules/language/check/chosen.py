"""Several of a zone as arguments: `take(d: 2 of pool)` is a choice of two, whatever their order.

Reads:  parameters that say how many of which zone or pool, through the checker.   Writes: parameters and requirements.
After:  each choice is written in one way only, from low to high, and all that is chosen is there.
"""

from __future__ import annotations

from dataclasses import replace

from pilgrim_rules.core import ir
from pilgrim_rules.core.smart_constructors import lit, number, total
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.program_info import POISON
from pilgrim_rules.language.check.scope import GUARD, Scope
from pilgrim_rules.language.check.statements import LineKeys
from pilgrim_rules.language.syntax import ast

MOST_CHOSEN = 6


def open_choices(nodes: tuple[ast.Parameter, ...]) -> tuple[ast.Parameter, ...]:
    """Return the parameters of an action, with one for each of what is chosen: `d.1`, `d.2`."""
    made: list[ast.Parameter] = []
    for node in nodes:
        if node.chosen is None:
            made.append(node)
            continue
        for at in range(1, min(node.chosen[0], MOST_CHOSEN) + 1):
            name = ast.Word(f"{node.name.text}.{at}", span=node.name.span)
            made.append(replace(node, name=name))
    return tuple(made)


def chosen_type(tables: DataAndState, node: ast.Parameter) -> ir.Type:
    """Return the type of what is chosen: the pieces of a zone, or the kinds or faces of a table of numbers."""
    assert node.chosen is not None, "only of parameters that are chosen of a zone"
    many, zone = node.chosen
    program = tables.program
    info = program.zones.get(zone.name.text)
    if not 1 <= many <= MOST_CHOSEN:
        program.bag.add(codes.PR331, f"1 to {MOST_CHOSEN} can be chosen at once, not {many}", node.span)
    if info is not None and not info.kinds:
        return info.pieces
    table = program.variables.get(zone.name.text)
    if table is None or not table.index or table.type.kind != "int" or len(zone.args) != len(table.index) - 1:
        help_ = "name a zone, or a table of numbers without its last index: `2 of pool`"
        program.bag.add(codes.PR331, f"nothing can be chosen of `{zone.name.text}`", zone.span, help=help_)
        return POISON
    return table.index[-1]


def choices_hold(
    tables: DataAndState, nodes: tuple[ast.Parameter, ...], scope: Scope, keys: LineKeys
) -> list[ir.WrittenGuardLine]:
    """Return the requirements that what is chosen is there, and is named from low to high."""
    made: list[ir.WrittenGuardLine] = []
    for node in nodes:
        if node.chosen is None:
            continue
        many, zone = node.chosen
        names = [f"{node.name.text}.{at}" for at in range(1, min(many, MOST_CHOSEN) + 1)]
        values = [scope.names.get(name) for name in names]
        if any(value is None or value.type == POISON for value in values):
            continue
        found = [value for value in values if value is not None]
        info = tables.program.zones.get(zone.name.text)
        pieces = info is not None and not info.kinds
        for at, value in enumerate(found):
            if at:
                order = ir.Apply("<" if pieces else "<=", (found[at - 1], value), ir.BOOL)
                made.append(ir.Require(order, keys.next("require"), "name them from low to high", span=node.span))
            if info is not None and pieces:
                there = tables.check.in_zone(value, info, zone.args, zone, scope)
            else:
                there = _enough(tables, zone, value, found[:at], scope)
            if there.type != POISON:
                made.append(ir.Require(there, keys.next("require"), "it is not there", span=node.span))
    return made


def _enough(
    tables: DataAndState, zone: ast.AssignTarget, value: ir.Expr, before: list[ir.Expr], scope: Scope
) -> ir.Expr:
    """Return that there are more of a kind than have been named before."""
    table = tables.program.variables[zone.name.text]
    index = tables.check.indices(zone.args, table.index[:-1], table.name, zone.span, replace(scope, may=GUARD))
    if index is None:
        return ir.Lit(0, POISON)
    held = ir.Read(table.name, (*index, value), table.type)
    same = [ir.Cond(ir.Apply("==", (each, value), ir.BOOL), lit(1), lit(0), number(0, 1)) for each in before]
    return ir.Apply(">", (held, total(same)), ir.BOOL)
