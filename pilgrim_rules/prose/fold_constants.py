"""What follows from constants: an expression of which a part is decided, as short as it can be said.

Reads:  an expression whose parts are as they should be.   Writes: one that means the same.
After:  nothing is added that changes nothing, and no choice is left that is made.
"""

from __future__ import annotations

from dataclasses import replace

from pilgrim_rules.core.ir import BOOL, Apply, Cond, Expr, Fold, Lit
from pilgrim_rules.core.smart_constructors import constant

__all__ = ["FALSE", "TRUE", "folded"]

TRUE, FALSE = Lit(1, BOOL), Lit(0, BOOL)


def _yes_or_no(test: Expr, then: Expr, other: Expr) -> Expr:
    """Return a choice of which one side is yes or no as a condition: "a, or b" for "yes if a, otherwise b"."""
    denied = Apply("not", (test,), BOOL)
    if then == TRUE:
        return test if other == FALSE else Apply("or", (test, other), BOOL)
    if then == FALSE:
        return denied if other == TRUE else Apply("and", (denied, other), BOOL)
    return Apply("and", (test, then), BOOL) if other == FALSE else Apply("or", (denied, then), BOOL)


def folded(expr: Expr) -> Expr:
    """Return what an expression comes to."""
    match expr:
        case Apply(op=op, args=args, type=type_) if (value := constant(op, args, type_)) is not None:
            return value
        case Apply(op="+" | "-", args=(left, Lit(value=0)), form=None):
            return left
        case Apply(op="implies", args=(left, right)):
            if left == FALSE or right == TRUE:
                return TRUE
            return right if left == TRUE else expr
        case Apply(op="and" | "or" as op, args=args, form=None):
            idle, final = (TRUE, FALSE) if op == "and" else (FALSE, TRUE)
            kept = tuple(arg for arg in args if arg != idle)
            if final in kept:
                return final
            return idle if not kept else kept[0] if len(kept) == 1 else replace(expr, args=kept)
        case Cond(test=Lit(value=value), then=then, other=other, form=None):
            return then if value else other
        case Cond(test=test, then=then, other=other, form=None) if {TRUE, FALSE}.intersection((then, other)):
            return _yes_or_no(test, then, other)
        case Fold(op="some", where=where, body=body) if FALSE in (where, body):
            return FALSE
        case Fold(op="all", where=where, body=body) if where == FALSE or body == TRUE:
            return TRUE
        case Fold(op="sum" | "count", where=where, type=type_) if where == FALSE and type_.lo <= 0:
            return Lit(0, type_)
        case Fold(where=where) if where == TRUE:
            return replace(expr, where=None)
        case _:  # nothing follows from its parts
            return expr
