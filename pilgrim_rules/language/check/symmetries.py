"""Symmetries: which values change places, checked and lowered.

Reads:  the declarations and the constants, through the checker.   Writes: `ir.Symmetry`.
After:  each table that a symmetry names goes from one type to itself, and onto all of it; no type has two.
"""

from __future__ import annotations

from pilgrim_rules.core import ir
from pilgrim_rules.core.values import show
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.language.check.program_info import ProgramInfo
from pilgrim_rules.language.syntax import ast


def symmetries(program: ProgramInfo) -> tuple[ir.Symmetry, ...]:
    """Return the symmetries that the author declares; proofs say whether they are any."""
    made = []
    for node in program.symbols.symmetries.values():
        types: dict[str, str] = {}
        for word in node.maps:
            _check(word, types, program)
        made.append(ir.Symmetry(node.name.text, tuple(word.text for word in node.maps), program.note(node)))
    return tuple(made)


def _check(word: ast.Word, types: dict[str, str], program: ProgramInfo) -> None:
    """Report what is wrong with a table of a symmetry; `types` are those that have one already."""
    name = word.text
    if not isinstance(program.symbols.values.get(name), ast.Param):
        params = [each for each, node in program.symbols.values.items() if isinstance(node, ast.Param)]
        program.bag.add(codes.PR201, f"unknown parameter `{name}`", word.span, help=did_you_mean(name, params))
        return
    table = program.constants.get(name)
    if table is None:
        return  # it has been reported
    says = help_ = None
    type_ = table.type
    if table.index != (type_,) or table.assumed or type_.name not in program.types or type_ == program.stage:
        says = f"`{name}` does not say where each value of a named type goes"
        help_ = "write it as `param turned[s in Square] : Square = …`"
    elif type_.name in types:
        says = f"`{types[type_.name]}` says already where the values of `{type_.name}` go"
    elif len(set(table.values)) < type_.size:
        twice = next(code for code in table.values if table.values.count(code) > 1)
        one, other = [show(type_, at) for at, to in enumerate(table.values, type_.lo) if to == twice][:2]
        says = f"`{one}` and `{other}` both go to `{show(type_, twice)}`"
    if says is not None:
        program.bag.add(codes.PR516, says, word.span, help=help_)
    types[type_.name] = name
