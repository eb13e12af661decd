"""Blocks: variables that begin again together, and the test that they have.

Reads:  variables of the program, by their name or that of their block.   Writes: core assignments and tests.
After:  `reset x` gives every cell the value with which it begins; `x is reset` says that every cell has it.
"""

from __future__ import annotations

from pilgrim_rules.core import ir
from pilgrim_rules.core.expand import cell_names
from pilgrim_rules.core.smart_constructors import conjunction, equals
from pilgrim_rules.core.walk import substitute
from pilgrim_rules.language.check.program_info import ProgramInfo


def block_of(program: ProgramInfo, name: str) -> tuple[ir.Variable, ...] | None:
    """Return the variables of a block, or the one variable of this name; None if there is neither."""
    if name in program.variables:
        return (program.variables[name],)
    block = program.symbols.blocks.get(name)
    if block is None:
        return None
    names = (node.name.text for node in block.variables)
    return tuple(program.variables[each] for each in names if each in program.variables)


def is_reset(variables: tuple[ir.Variable, ...]) -> ir.Expr:
    """Return the test that variables are as at the start."""
    return conjunction(*map(_as_at_the_start, variables))


def _as_at_the_start(variable: ir.Variable) -> ir.Expr:
    index = cell_names(variable)
    value = substitute(variable.initial, dict(zip(variable.over, index, strict=True)))
    test = equals(ir.Read(variable.name, index, variable.type), value)
    binders = tuple(ir.Binder(each.name, each.type) for each in index)
    return ir.Fold("all", binders, None, test, None, ir.BOOL) if binders else test
