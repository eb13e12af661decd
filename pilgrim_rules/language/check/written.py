"""Written: the state variables that lines write.

Reads:  lines of the core, and the effects that have been read.   Writes: names of variables.
After:  the answer is that of the expanded lines; what an effect writes is worked out once, not wherever it is run.
"""

from __future__ import annotations

from typing import assert_never

from pilgrim_rules.core import ir
from pilgrim_rules.core.expand import expand_lines
from pilgrim_rules.core.footprint import writes
from pilgrim_rules.language.check.program_info import ProgramInfo


def written_variables(lines: tuple[ir.WrittenStmt, ...], program: ProgramInfo) -> frozenset[str]:
    """Return the state variables that lines write."""
    found: set[str] = set()
    for line in lines:
        match line:
            case ir.Assign(variable=variable):
                found.add(variable)
            case ir.IfLine(then=then, other=other):
                found |= written_variables((*then, *other), program)
            case ir.ForLine(body=body) | ir.Shorthand(lines=body):
                found |= written_variables(body, program)
            case ir.RunEffect(effect=name):
                found |= _by_effect(name, program)
            case ir.Define():
                pass
            case (
                ir.Transfer() | ir.Payment() | ir.ResetBlock() | ir.CallStage() | ir.ReturnStage() | ir.AskPoll() | ir.AnswerPoll()
            ):  # fmt: skip
                found |= writes(expand_lines((line,), (), program.shared))
            case _:
                assert_never(line)
    return frozenset(found)


def _by_effect(name: str, program: ProgramInfo) -> frozenset[str]:
    if name not in program.written:
        program.written[name] = writes(program.effects[name].body)
    return program.written[name]
