"""If ruled otherwise: what a rule would say under another option of a ruling.

Reads:  a core game, a rule, a ruling and two of its options.   Writes: the sentences that go and that come.
After:  the difference is computed: the ruling is put in as a constant, what it decides is decided, and both texts are
        said, those of definitions that look the ruling up included.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never

from pilgrim_rules.core import ir, walk
from pilgrim_rules.core.ir import (
    BOOL,
    Apply,
    Assign,
    Branch,
    Cond,
    Define,
    Expr,
    Given,
    Lit,
    Lookup,
    Loop,
    Require,
    Stmt,
)
from pilgrim_rules.prose import say_action, say_def

__all__ = ["Otherwise", "otherwise"]

TRUE, FALSE = Lit(1, BOOL), Lit(0, BOOL)
Change = Callable[[Expr], Expr]


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What changes: sentences that are said only now, and those that would be said instead."""

    gone: tuple[str, ...]
    come: tuple[str, ...]


def otherwise(game: ir.Game, action: ir.Action, ruling: ir.Ruling, option: str) -> Otherwise:
    """Return what an option changes in a rule and in the definitions it uses, compared with the ruling's own option."""
    now, then = (
        {**_steps(game, action, ruling, each), **_definitions(game, action, ruling, each)}
        for each in (ruling.default, option)
    )
    return Otherwise(
        gone=tuple(text for text in now if text not in then), come=tuple(text for text in then if text not in now)
    )


def _steps(game: ir.Game, action: ir.Action, ruling: ir.Ruling, option: str) -> dict[str, None]:
    """Return the steps of a rule with the ruling decided; nothing if it does not look the ruling up itself."""
    if not any(_looks_up(expr, ruling.name) for expr in walk.action_expressions(action)):
        return {}
    made = say_action(game, decided(action, ruling, option))
    return {step.text: None for section in made.sections for step in section.steps}


def _definitions(game: ir.Game, action: ir.Action, ruling: ir.Ruling, option: str) -> dict[str, None]:
    """Return the definitions, used by the rule directly or not, that look the ruling up, with the ruling decided."""
    defs = {definition.name: definition for definition in game.defs}
    seen: dict[str, None] = {}
    stack = list(walk.action_expressions(action))
    while stack:
        for part in walk.subexpressions(stack.pop()):
            if isinstance(part, ir.Call) and part.definition not in seen:
                seen[part.definition] = None
                stack.append(defs[part.definition].body)
    change = _deciding(ruling, option)
    return {
        say_def(game, replace(defs[name], body=change(defs[name].body))): None
        for name in seen
        if _looks_up(defs[name].body, ruling.name)
    }


def _looks_up(expr: Expr, ruling: str) -> bool:
    return any(isinstance(part, Lookup) and part.table == ruling for part in walk.subexpressions(expr))


def decided(action: ir.Action, ruling: ir.Ruling, option: str) -> ir.Action:
    """Return the rule with the ruling decided; lines that ask for nothing then are left out."""
    change = _deciding(ruling, option)
    guard = [
        replace(line, test=change(line.test)) if isinstance(line, Require) else replace(line, value=change(line.value))
        for line in action.guard
    ]
    kept = [line for line in guard if isinstance(line, Given) or line.test != TRUE]
    return replace(action, guard=tuple(kept), body=_block(action.body, change))


def _deciding(ruling: ir.Ruling, option: str) -> Change:
    number = [name for name, _ in ruling.options].index(option)
    return partial(_decide, ruling=ruling.name, number=number)


def _block(block: tuple[Stmt, ...], change: Change) -> tuple[Stmt, ...]:
    return tuple(made for stmt in block for made in _statement(stmt, change))


def _statement(stmt: Stmt, change: Change) -> tuple[Stmt, ...]:
    match stmt:
        case Assign(index=index, value=value):
            return (replace(stmt, index=tuple(map(change, index)), value=change(value)),)
        case Define(value=value):
            return (replace(stmt, value=change(value)),)
        case Branch(test=test, then=then, other=other):
            decided_ = change(test)
            if isinstance(decided_, Lit):
                return _block(then if decided_.value else other, change)
            return (Branch(decided_, _block(then, change), _block(other, change)),)
        case Loop(where=where, body=body):
            return (replace(stmt, where=None if where is None else change(where), body=_block(body, change)),)
        case _:
            assert_never(stmt)


def _decide(expr: Expr, *, ruling: str, number: int) -> Expr:
    """Return an expression in which the ruling is decided, and what follows from that as well."""
    if not _looks_up(expr, ruling):
        return expr
    if isinstance(expr, Lookup) and expr.table == ruling:
        return Lit(expr.type.lo + number, expr.type)
    return _folded(walk.rebuild(expr, partial(_decide, ruling=ruling, number=number)))


def _folded(expr: Expr) -> Expr:
    match expr:
        case Apply(op="==", args=(Lit() as left, Lit() as right)):
            return TRUE if left.value == right.value else FALSE
        case Apply(op="!=", args=(Lit() as left, Lit() as right)):
            return FALSE if left.value == right.value else TRUE
        case Apply(op="not", args=(Lit(value=value),)):
            return FALSE if value else TRUE
        case Apply(op="implies", args=(left, right)):
            if left == FALSE or right == TRUE:
                return TRUE
            return right if left == TRUE else expr
        case Apply(op="and" | "or" as op, args=args):
            idle, final = (TRUE, FALSE) if op == "and" else (FALSE, TRUE)
            kept = tuple(arg for arg in args if arg != idle)
            if final in kept:
                return final
            return idle if not kept else kept[0] if len(kept) == 1 else replace(expr, args=kept)
        case Cond(test=test, then=then, other=other) if isinstance(known := _folded(test), Lit):
            return then if known.value else other
        case _:
            return expr
