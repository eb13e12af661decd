"""Shapes: what the prose asks of an expression before it chooses its words.

Reads:  core expressions.   Writes: answers, and expressions that say the same with fewer brackets.
After:  nothing is changed.
"""

from __future__ import annotations

from typing import TypeGuard

from pilgrim_rules.core.ir import BOOL, Apply, Expr, Lit, Type


def flat(expr: Apply) -> tuple[Expr, ...]:
    """Return the arguments of `and` or `or`, those of the same operator inside included, constants that decide nothing not."""
    inside = [inner for arg in expr.args for inner in (flat(arg) if is_joined(arg) and arg.op == expr.op else (arg,))]
    idle = int(expr.op == "and")
    return tuple(arg for arg in inside if not (isinstance(arg, Lit) and arg.value == idle)) or (inside[0],)


def is_joined(expr: Expr) -> TypeGuard[Apply]:
    """Tell whether an expression was written with `and` or `or`."""
    return isinstance(expr, Apply) and expr.op in ("and", "or") and expr.form is None


def conjunction(where: Expr | None, body: Expr) -> Expr:
    """Return both conditions as one."""
    return body if where is None else Apply("and", (where, body), BOOL)


def is_bool(expr: Expr) -> bool:
    """Tell whether an expression is a condition."""
    return expr.type.kind == "bool"


def is_none(lit: Lit, beside: Type) -> bool:
    """Tell whether a literal means that there is no value, in an optional type or beside one."""
    optional = lit.type if lit.type.kind == "optional" else beside
    return optional.kind == "optional" and lit.value == optional.hi
