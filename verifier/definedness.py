"""Definedness: when every `Checked` part of an expression lies in its type.

Reads:  an expression of an effect.   Writes: a core formula over the same names, or None if nothing can go wrong.
After:  the formula is true exactly where evaluating the expression meets no contradiction. It asks in the order of
        evaluation, so that a part is only asked about where it is evaluated.
"""

from __future__ import annotations

from functools import reduce
from typing import assert_never

from pilgrim_rules.core.ir import (
    BOOL,
    Apply,
    AskNetwork,
    Binder,
    Bound,
    Call,
    Checked,
    Cond,
    Expr,
    Fold,
    Let,
    Lit,
    Lookup,
    Pick,
    Read,
    Unique,
)
from pilgrim_rules.core.walk import binder_parts, children, subexpressions

TRUE = Lit(1, BOOL)


def defined(expr: Expr) -> Expr | None:
    """Return when the expression can be evaluated; None if always."""
    if not any(isinstance(part, Checked) for part in subexpressions(expr)):
        return None
    match expr:
        case Lit() | Bound():
            return None
        case Checked(value=value, type=type_):
            inside = [
                Apply("<=", pair, BOOL)
                for pair, safe in (
                    ((Lit(type_.lo, type_), value), type_.lo <= value.type.lo),
                    ((value, Lit(type_.hi, type_)), value.type.hi <= type_.hi),
                )
                if not safe
            ]
            return both(defined(value), *inside)
        case Apply(op="and" | "implies", args=args):
            return _in_turn(args, going_on=True)
        case Apply(op="or", args=args):
            return _in_turn(args, going_on=False)
        case Cond(test=test, then=then, other=other):
            chosen = Cond(test, defined(then) or TRUE, defined(other) or TRUE, BOOL)
            return both(defined(test), chosen)
        case Let(name=name, value=value, body=body):
            inner = defined(body)
            return both(defined(value), None if inner is None else Let(name, value, inner, BOOL))
        case Fold(binders=binders, where=where, body=body, default=default):
            return both(_everywhere(binders, where, (body,)), None if default is None else defined(default))
        case Unique(binders=binders, where=where, keys=keys):
            return _everywhere(binders, where, keys)
        case Pick(binder=binder, where=where, keys=keys_):
            return _everywhere((binder,), where, tuple(key.value for key in keys_))
        case Read() | Lookup() | Apply() | Call() | AskNetwork():
            return both(*map(defined, children(expr)))
        case _:
            assert_never(expr)


def both(*parts: Expr | None) -> Expr | None:
    """Return the conjunction of what is there."""
    kept = tuple(part for part in parts if part is not None)
    if len(kept) > 1:
        return Apply("and", kept, BOOL)
    return kept[0] if kept else None


def _in_turn(args: tuple[Expr, ...], *, going_on: bool) -> Expr | None:
    """Each argument is evaluated only if all before it left the answer open."""

    def before(rest: Expr | None, arg: Expr) -> Expr | None:
        if rest is not None:
            rest = Apply("implies", (arg, rest), BOOL) if going_on else Apply("or", (arg, rest), BOOL)
        return both(defined(arg), rest)

    return reduce(before, reversed(args), None)


def _everywhere(binders: tuple[Binder, ...], where: Expr | None, parts: tuple[Expr, ...]) -> Expr | None:
    """Every part is defined at every choice that counts, and so is the condition itself."""
    outside = both(*(defined(part) for binder in binders for part in binder_parts(binder)))
    inner = both(*map(defined, parts))
    found = [outside]
    if where is not None and (asked := defined(where)) is not None:
        found.append(Fold("all", binders, None, asked, None, BOOL))
    if inner is not None:
        found.append(Fold("all", binders, where, inner, None, BOOL))
    return both(*found)
