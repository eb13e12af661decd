"""Constant: the value of an expression that does not depend on the state.

Reads:  a core expression over constants and definitions.   Writes: its code, or why it takes too long to find.
After:  the value is the one the reference evaluator gives (`staged` finds it).
"""

from __future__ import annotations

from functools import lru_cache
from math import prod

from pilgrim_rules.core import ir
from pilgrim_rules.core.footprint import footprint
from pilgrim_rules.core.walk import free_names
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.check import staged
from pilgrim_rules.language.check.expression_size import MAX_STEPS
from pilgrim_rules.language.check.program_info import ProgramInfo
from pilgrim_rules.language.syntax import ast

#: Tables that a process remembers: other readings of the same rules ask for most of them again.
REMEMBERED = 1024


def value_of(expr: ir.Expr, program: ProgramInfo, span: Span, *, looks: bool = False) -> int | None:
    """Return the code of a constant expression; None if it takes too long, which is reported at the place."""
    values = values_of(expr, (), (), program, span, looks=looks)
    return None if values is None else values[0]


def values_of(
    expr: ir.Expr,
    names: tuple[str, ...],
    index: tuple[ir.Type, ...],
    program: ProgramInfo,
    span: Span,
    *,
    looks: bool = False,
) -> tuple[int, ...] | None:
    """Return the codes of a table, given by an expression of its indices, row by row.

    looks  nothing that is proved depends on the codes: they are looked at to find mistakes, or belong to an example or a
           picture. Otherwise the rulings and assumed data that they are computed from are pinned.
    """
    cells = prod(each.size for each in index)
    if isinstance(expr, ir.Lit):
        return (expr.value,) * cells
    steps = cells * program.measure(expr).steps
    if steps > MAX_STEPS:
        what = f"this takes up to {steps:,} steps to compute; {MAX_STEPS:,} is the limit"
        program.bag.add(codes.PR316, what, span, help="go through fewer values")
        return None
    constants, defs = uses(expr, program)
    program.looked_at |= {each.name for each in constants}
    if not looks:
        program.pinned |= {each.name for each in constants if each.assumed}
    return _computed(expr, names, index, constants, defs)


def ruled(test: ir.Expr, program: ProgramInfo) -> bool | None:
    """Return whether a test holds, if the rulings alone decide it; None if they do not."""
    match test:
        case ir.Apply(op="and" | "or" as op, args=args):
            parts = [ruled(arg, program) for arg in args]
            deciding = op == "or"
            return deciding if deciding in parts else None if None in parts else not deciding
        case ir.Apply(op="not", args=(inner,)):
            held = ruled(inner, program)
            return None if held is None else not held
        case _:  # rulings decide it if it asks for nothing else
            found = footprint((test,), program.defs)
            rulings = [isinstance(program.symbols.values.get(name), ast.Ruling) for name in found.constants]
            if found.variables or found.networks or not rulings or not all(rulings) or free_names(test):
                return None
            value = value_of(test, program, Span("", 0, 0), looks=True)
            return None if value is None else bool(value)


def uses(expr: ir.Expr, program: ProgramInfo) -> tuple[tuple[ir.Constant, ...], tuple[ir.Def, ...]]:
    """Return the constants and definitions that a value is computed from, through definitions too."""
    found = footprint((expr,), program.defs)
    constants = tuple(program.constants[name] for name in sorted(found.constants))
    return constants, tuple(each for name, each in program.defs.items() if name in found.definitions)


@lru_cache(maxsize=REMEMBERED)
def _computed(
    expr: ir.Expr,
    names: tuple[str, ...],
    index: tuple[ir.Type, ...],
    constants: tuple[ir.Constant, ...],
    defs: tuple[ir.Def, ...],
) -> tuple[int, ...]:
    """Return the codes. Who plays is no part of the question: most tables are the same for every number of players."""
    by_name = {each.name: each for each in constants}
    return staged.table(expr, names, index, by_name, {each.name: each for each in defs})
