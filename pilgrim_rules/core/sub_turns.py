"""Sub-turns: the stack of stages to go back to, as cells of the state.

Reads:  the written lines `call`, `return`, `ask` and `answer`, and the variables of a game.   Writes: plain statements.
After:  `return.1` is the top of the stack. Whoever calls shifts all cells down by one, whoever returns shifts them up; a stack
        that could grow without end is counted in `return.depth`, so that growing too deep is a contradiction.

The key of an assignment says what it is part of: `.push`, `.call`, `.pop`, `.return`, `.leave`, `.shift`, `.depth`,
`.skip`, `.forget`, `.answer`.
"""

from __future__ import annotations

from collections.abc import Mapping

from pilgrim_rules.core.ir import (
    BOOL,
    AnswerPoll,
    Apply,
    AskPoll,
    Assign,
    Binder,
    Bound,
    Branch,
    CallStage,
    Checked,
    Expr,
    Lit,
    Loop,
    Read,
    ReturnStage,
    Stmt,
    Variable,
)
from pilgrim_rules.core.smart_constructors import lit

CELL = "return."
ANSWERS = "answered."
DEPTH = "return.depth"
CALLED, PUSHED, RETURNED, LEFT = ".call", ".push", ".return", ".leave"
FORGOT, ANSWERED = ".forget", ".answer"


def answered_table(poll: str) -> str:
    """Return the name of the table of who has answered a poll."""
    return f"{ANSWERS}{poll}"


def stack_cell(number: int) -> str:
    """Return the name of a cell of the stack, counted from the top."""
    return f"{CELL}{number}"


def is_stack(variable: str) -> bool:
    """Tell whether a variable belongs to the stack."""
    return variable.startswith(CELL)


def goes_with_the_stage(variable: str) -> bool:
    """Tell whether a variable says where play stands: the stage, the way back from it, or who has answered in it."""
    return variable == "stage" or variable.startswith((CELL, ANSWERS))


def call_statements(line: CallStage, stage: Expr, then: Expr | None, variables: Mapping[str, Variable]) -> list[Stmt]:
    """Return what `call` does: everything moves down, the way back is put on top, and the sub-turn begins."""
    here = Read("stage", (), variables["stage"].type)
    made = [
        _set(line, stack_cell(at + 1), _read(stack_cell(at), variables), ".shift") for at in reversed(_inner(variables))
    ]
    made.append(_set(line, stack_cell(1), here if then is None else then, PUSHED))
    made += _counted(line, 1, variables)
    return [*made, _set(line, "stage", stage, CALLED)]


def return_statements(line: ReturnStage, variables: Mapping[str, Variable]) -> list[Stmt]:
    """Return what `return` does: play goes on with the top, and everything moves up."""
    top = Checked(_read(stack_cell(1), variables), variables["stage"].type, span=line.span)
    made: list[Stmt] = [_set(line, "stage", top, RETURNED)]
    made += [_set(line, stack_cell(at), _read(stack_cell(at + 1), variables), ".shift") for at in _inner(variables)]
    return [*made, _empty(line, len(_inner(variables)) + 1, variables), *_counted(line, -1, variables)]


def return_to_statements(line: ReturnStage, to: Expr, variables: Mapping[str, Variable]) -> list[Stmt]:
    """Return what `return to` does: play goes on there, and nothing is left to go back to."""
    emptied = [_empty(line, at, variables) for at in range(1, len(_inner(variables)) + 2)]
    depth = [_set(line, DEPTH, lit(0), ".depth")] if DEPTH in variables else []
    return [*emptied, *depth, _set(line, "stage", to, LEFT)]


def ask_statements(line: AskPoll, then: Expr | None, fresh: str, variables: Mapping[str, Variable]) -> list[Stmt]:
    """Return what `ask` does: nobody has answered, and the poll is called unless nobody is to be asked."""
    table = variables[answered_table(line.poll)]
    player = table.index[0]
    forget = Assign(
        table.name, (Bound(fresh, player),), "set", Lit(0, BOOL), f"{line.key}{FORGOT}", line.clauses, span=line.span
    )
    call = CallStage(line.stage, then, line.key, line.clauses, span=line.span)
    skip = [] if then is None else [_set(call, "stage", then, ".skip")]
    return [
        Loop(Binder(fresh, player), None, (forget,), simultaneous=True, span=line.span),
        Branch(_is_some(line.next_asked), tuple(call_statements(call, line.stage, then, variables)), tuple(skip)),
    ]


def answer_statements(line: AnswerPoll, who: Expr, variables: Mapping[str, Variable]) -> list[Stmt]:
    """Return what `answer` does: who was asked has answered, and the poll returns once nobody is left."""
    table = answered_table(line.poll)
    done = Assign(table, (who,), "set", Lit(1, BOOL), f"{line.key}{ANSWERED}", line.clauses, span=line.span)
    back = ReturnStage(None, line.key, line.clauses, span=line.span)
    return [done, Branch(_is_some(line.next_asked), (), tuple(return_statements(back, variables)))]


def _is_some(who: Expr) -> Expr:
    return Apply("!=", (who, Lit(who.type.hi, who.type)), BOOL)


def _inner(variables: Mapping[str, Variable]) -> list[int]:
    """Return the numbers of the cells that have one below them."""
    return list(range(1, sum(is_stack(name) and name != DEPTH for name in variables)))


def _read(name: str, variables: Mapping[str, Variable]) -> Read:
    return Read(name, (), variables[name].type)


def _empty(line: ReturnStage, number: int, variables: Mapping[str, Variable]) -> Stmt:
    type_ = variables[stack_cell(number)].type
    return _set(line, stack_cell(number), Lit(type_.hi, type_), ".pop")


def _counted(line: CallStage | ReturnStage, by: int, variables: Mapping[str, Variable]) -> list[Stmt]:
    if DEPTH not in variables:
        return []
    return [Assign(DEPTH, (), "add", lit(by), f"{line.key}.depth", line.clauses, span=line.span)]


def _set(line: CallStage | ReturnStage, variable: str, value: Expr, part: str) -> Stmt:
    number = variable.removeprefix(CELL) if is_stack(variable) else ""
    key = f"{line.key}{part}{f'.{number}' if part == '.shift' else ''}"
    return Assign(variable, (), "set", value, key, line.clauses, span=line.span)
