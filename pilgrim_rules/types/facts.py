"""Facts: what a test tells about the expressions in it.

Reads:  a core test, and whether it held.   Writes: for some expressions, the same value under a narrower type.
After:  wherever the test held (or failed), replacing the expression by its narrower twin changes no value.
"""

from __future__ import annotations

from pilgrim_rules.core import ir
from pilgrim_rules.types.fit import narrowed, shift
from pilgrim_rules.types.program import Program, number

_FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NEGATE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}

Facts = dict[ir.Expr, ir.Expr]


def learn(program: Program, test: ir.Expr, *, held: bool) -> Facts:
    """Return what is known after the test."""
    if not isinstance(test, ir.Apply):
        return {}
    match test.op, held:
        case ("and", True) | ("or", False):
            return _all(program, test.args, held=held)
        case ("not", _):
            return learn(program, test.args[0], held=not held)
        case ("implies", False):
            left, right = test.args
            return {**learn(program, left, held=True), **learn(program, right, held=False)}
        case (("<" | "<=" | ">" | ">=" | "==" | "!=") as op, _):
            left, right = test.args
            seen = op if held else _NEGATE[op]
            return {**_compare(program, left, seen, right), **_compare(program, right, _FLIP[seen], left)}
        case _:
            return {}


def _all(program: Program, tests: tuple[ir.Expr, ...], *, held: bool) -> Facts:
    facts: Facts = {}
    for test in tests:
        for expr, known in learn(program, test, held=held).items():
            facts[expr] = _both(facts[expr], known) if expr in facts else known
    return facts


def _both(one: ir.Expr, two: ir.Expr) -> ir.Expr:
    """Return the value under what two facts say together."""
    if one.type.kind == "int" and two.type.kind == "int":
        lo, hi = max(one.type.lo, two.type.lo), min(one.type.hi, two.type.hi)
        return narrowed(one, number(lo, hi)) if lo <= hi else one
    return two if two.type.size < one.type.size else one


def _compare(program: Program, expr: ir.Expr, op: str, other: ir.Expr) -> Facts:
    """Return what `expr op other` tells about `expr`."""
    type_ = expr.type
    if isinstance(expr, ir.Lit):
        return {}
    if type_.kind == "optional":
        return _optional(expr, op, other)
    lo, hi = _interval(type_, op, other.type if not isinstance(other, ir.Lit) else _point(other))
    if (lo, hi) == (type_.lo, type_.hi) or lo > hi:
        return {}
    if type_.kind == "int":
        return {expr: narrowed(expr, number(lo, hi))}
    for member, offset in program.unions.get(type_.name, ()):
        if offset <= lo and hi <= offset + member.hi:
            return {expr: shift(narrowed(expr, member) if offset == 0 else expr, -offset, member)}
    return {}


def _optional(expr: ir.Expr, op: str, other: ir.Expr) -> Facts:
    inner = expr.type.parts[0]
    is_none = isinstance(other, ir.Lit) and other.value == expr.type.hi
    is_some = other.type.kind != "optional" and not is_none
    if (op == "!=" and is_none) or (op == "==" and is_some):
        return {expr: narrowed(expr, inner)}
    return {}


def _point(expr: ir.Lit) -> ir.Type:
    return ir.Type(expr.type.name, expr.type.kind, expr.value, expr.value, expr.type.labels, expr.type.parts)


def _interval(have: ir.Type, op: str, other: ir.Type) -> tuple[int, int]:
    """Return the codes that are left of `have` if `op` holds against a value of `other`."""
    match op:
        case "<":
            return have.lo, min(have.hi, other.hi - 1)
        case "<=":
            return have.lo, min(have.hi, other.hi)
        case ">":
            return max(have.lo, other.lo + 1), have.hi
        case ">=":
            return max(have.lo, other.lo), have.hi
        case "==" if have.kind == other.kind:
            return max(have.lo, other.lo), min(have.hi, other.hi)
        case "!=" if other.lo == other.hi and have.kind == "int":
            return have.lo + (other.lo == have.lo), have.hi - (other.hi == have.hi)
        case _:
            return have.lo, have.hi
