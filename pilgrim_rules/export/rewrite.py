"""Rewrites: what no other language has, in terms of what every one has.

Reads:  core nodes.   Writes: core nodes of the same meaning.
After:  a printer needs no case of its own for them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pilgrim_rules.core.ir import BOOL, Action, Apply, Binder, Bound, Expr, Fold, Given, Let, Lit, Require, Unique
from pilgrim_rules.core.smart_constructors import conjunction
from pilgrim_rules.core.walk import rebuild_binder, substitute


def guard(action: Action) -> Expr:
    """Return everything that an action requires as one expression, its names inside; its stages are left aside."""
    found: Expr = Lit(1, BOOL)
    if action.weight is not None:
        found = Apply(">", (action.weight, Lit(0, action.weight.type)), BOOL)
    for line in reversed(action.guard):
        match line:
            case Require(test=test):
                found = Apply("and", (test, found), BOOL)
            case Given(name=name, value=value):
                found = Let(name, value, found, BOOL)
    return found


def without_unique(expr: Unique) -> Expr:
    """Return that any two choices with the same keys are the same choice."""
    other: dict[str, Expr] = {}
    twins: list[Binder] = []
    for binder in expr.binders:
        twin = replace(rebuild_binder(binder, partial(substitute, values=other)), name=f"{binder.name} again")
        twins.append(twin)
        other = {**other, binder.name: Bound(twin.name, binder.type)}
    tests = [] if expr.where is None else [expr.where, substitute(expr.where, other)]
    tests += [Apply("==", (key, substitute(key, other)), BOOL) for key in expr.keys]
    same = [Apply("==", (Bound(name, to.type), to), BOOL) for name, to in other.items()]
    return Fold(
        "all",
        (*expr.binders, *twins),
        None,
        Apply("implies", (conjunction(*tests), conjunction(*same)), BOOL),
        None,
        BOOL,
    )
