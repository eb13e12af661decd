"""Decided: a rule with its rulings put in as constants, and what follows from them carried out.

Reads:  a core action and the options chosen.   Writes: a core action to be read, not to be played.
After:  no choice between readings is left that the options decide; names that nothing uses any more are gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import assert_never

from pilgrim_rules.core import walk
from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
    Assign,
    Branch,
    Cond,
    Define,
    Expr,
    Game,
    Given,
    Lit,
    Lookup,
    Loop,
    Require,
    Ruling,
    Stmt,
)

TRUE, FALSE = Lit(1, BOOL), Lit(0, BOOL)
Change = Callable[[Expr], Expr]


def choices_of(game: Game) -> dict[str, int]:
    """Return how the rulings of a game are decided: the number of the option of each."""
    constants = {constant.name: constant for constant in game.constants}
    held = {ruling.name: constants[ruling.name] for ruling in game.rulings if ruling.name in constants}
    return {name: constant.values[0] - constant.type.lo for name, constant in held.items() if len(constant.values) == 1}


def option_number(ruling: Ruling, option: str) -> int:
    """Return the number of an option."""
    return [name for name, _ in ruling.options].index(option)


def deciding(choices: Mapping[str, int]) -> Change:
    """Return the function that puts the choices into an expression."""
    return partial(_decide, choices=choices)


def decided(action: Action, choices: Mapping[str, int]) -> Action:
    """Return the rule with some rulings decided; lines that ask for nothing then are left out.

    choices  the number of the option of each ruling that is decided.
    """
    change = deciding(choices)
    body = _block(action.body, change)
    guard: list[Given | Require] = []
    used = _names(walk.statement_expressions(body))
    for line in reversed(action.guard):
        match line:
            case Require(test=test):
                asked = change(test)
                if asked != TRUE:
                    guard.insert(0, replace(line, test=asked))
                    used |= walk.free_names(asked)
            case Given(name=name, value=value):
                if name in used:
                    meant = change(value)
                    guard.insert(0, replace(line, value=meant))
                    used |= walk.free_names(meant)
    return replace(action, guard=tuple(guard), body=body)


def _names(exprs: Iterable[Expr]) -> frozenset[str]:
    return frozenset(name for expr in exprs for name in walk.free_names(expr))


def _block(block: tuple[Stmt, ...], change: Change) -> tuple[Stmt, ...]:
    """Return a block with the choices made; a value that is not used after them is not named."""
    made = [each for stmt in block for each in _statement(stmt, change)]
    kept: list[Stmt] = []
    used: frozenset[str] = frozenset()
    for stmt in reversed(made):
        if isinstance(stmt, Define) and stmt.name not in used:
            continue
        kept.insert(0, stmt)
        used |= _names(walk.statement_expressions((stmt,)))
    return tuple(kept)


def _statement(stmt: Stmt, change: Change) -> tuple[Stmt, ...]:
    match stmt:
        case Assign(index=index, value=value):
            return (replace(stmt, index=tuple(map(change, index)), value=change(value)),)
        case Define(value=value):
            return (replace(stmt, value=change(value)),)
        case Branch(test=test, then=then, other=other):
            return _branch(change(test), _block(then, change), _block(other, change))
        case Loop(where=where, body=body):
            inside = _block(body, change)
            return (replace(stmt, where=None if where is None else change(where), body=inside),) if inside else ()
        case _:
            assert_never(stmt)


def _branch(test: Expr, then: tuple[Stmt, ...], other: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Return a branch, decided if its test is, and one condition instead of one inside another."""
    if isinstance(test, Lit):
        return then if test.value else other
    match then, other:
        case (), ():
            return ()
        case (Branch(test=inner, then=only, other=()),), ():
            return (Branch(Apply("and", (test, inner), BOOL), only, ()),)
        case _:
            return (Branch(test, then, other),)


def _decide(expr: Expr, *, choices: Mapping[str, int]) -> Expr:
    """Return an expression in which the rulings are decided, and what follows from that as well."""
    if isinstance(expr, Lookup) and expr.table in choices:
        return Lit(expr.type.lo + choices[expr.table], expr.type)
    return _folded(walk.rebuild(expr, partial(_decide, choices=choices)))


def _folded(expr: Expr) -> Expr:
    match expr:
        case Apply(op="==", args=(Lit() as left, Lit() as right)):
            return TRUE if left.value == right.value else FALSE
        case Apply(op="!=", args=(Lit() as left, Lit() as right)):
            return FALSE if left.value == right.value else TRUE
        case Apply(op="+" | "-", args=(left, Lit(value=0))):
            return left
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
        case Cond(test=Lit(value=value), then=then, other=other):
            return then if value else other
        case _:
            return expr
