"""Operators on simplified arguments: constants folded, connectives flat.

Reads:  an operator and simplified arguments.   Writes: a simplified expression.
After:  it has the same value wherever the operator applied to the arguments has one; there is no `implies` in it.
"""

from __future__ import annotations

from typing import Literal

from pilgrim_rules.core.ir import BOOL, Apply, Expr, Lit, Operator, Type
from pilgrim_rules.engine.evaluate import OPERATIONS
from pilgrim_rules.engine.scene import NotPositive

_TRUE, _FALSE = Lit(1, BOOL), Lit(0, BOOL)


def applied(op: Operator, args: list[Expr], type_: Type) -> Expr:
    """Return the operator applied to simplified arguments."""
    match op:
        case "and" | "or":
            return connected(op, args)
        case "implies":
            return connected("or", [negated(args[0]), args[1]])
        case "not":
            return negated(args[0])
        case "+" if isinstance(args[0], Lit) and args[0].value == 0:
            return args[1]
        case "+" | "-" if isinstance(args[1], Lit) and args[1].value == 0:
            return args[0]
    codes = [each.value for each in args if isinstance(each, Lit)]
    if len(codes) == len(args):
        try:
            return Lit(OPERATIONS[op](*codes), type_)
        except NotPositive:  # it stands behind a test that fails
            pass
    return Apply(op, tuple(args), type_)


def connected(op: Literal["and", "or"], args: list[Expr]) -> Expr:
    """Return `and` or `or` of simplified arguments, flat, up to the first that decides."""
    decides, neutral = (_FALSE, _TRUE) if op == "and" else (_TRUE, _FALSE)
    kept: list[Expr] = []
    for arg in args:
        if isinstance(arg, Lit):
            if arg.value == decides.value:
                return decides  # nothing before it has any effect
        elif isinstance(arg, Apply) and arg.op == op:
            kept.extend(arg.args)
        else:
            kept.append(arg)
    match kept:
        case []:
            return neutral
        case [only]:
            return only
        case _:
            return Apply(op, tuple(kept), BOOL)


_OPPOSITES: dict[Operator, Operator] = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negated(arg: Expr) -> Expr:
    """Return the opposite of a simplified Boolean expression, simplified."""
    match arg:
        case Lit(value=value):
            return Lit(int(not value), BOOL)
        case Apply(op="not", args=(inner,)):
            return inner
        case Apply(op="==" | "!=" | "<" | "<=" | ">" | ">=" as op, args=args):
            return Apply(_OPPOSITES[op], args, BOOL)
        case _:
            return Apply("not", (arg,), BOOL)
