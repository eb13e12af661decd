"""Narrowing: what a test tells about the expressions in it.

Reads:  a core test, and whether it held.   Writes: for some expressions, the same value under a narrower type.
After:  wherever the test held (or failed), replacing the expression by its narrower twin changes no value.
"""

from __future__ import annotations

from pilgrim_rules.core import ir
from pilgrim_rules.core.bounds import range_of
from pilgrim_rules.core.forms import narrowed, shifted
from pilgrim_rules.core.operators import OPERATIONS
from pilgrim_rules.core.smart_constructors import applied, number
from pilgrim_rules.language.check.program_info import ProgramInfo

Facts = dict[ir.Expr, ir.Expr]


def learn(program: ProgramInfo, test: ir.Expr, *, held: bool) -> Facts:
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
        case (op, _) if (opposite := OPERATIONS[op].opposite) is not None:
            left, right = test.args
            seen = op if held else opposite
            mirror = OPERATIONS[seen].mirror
            assert mirror is not None, "a comparison can be read from both sides"
            return {**_compare(program, left, seen, right), **_compare(program, right, mirror, left)}
        case _:  # one of several, or no comparison: nothing is certain of any part
            return {}


def decided(test: ir.Expr) -> bool | None:
    """Return the truth of a test that only the instance decides, such as `players > 2`; None if play decides it."""
    found = _folded(test)
    return bool(found.value) if isinstance(found, ir.Lit) else None


def _folded(expr: ir.Expr) -> ir.Expr:
    """Return an expression with its constants folded as far as operators go."""
    if not isinstance(expr, ir.Apply):
        return expr
    return applied(expr.op, [_folded(each) for each in expr.args], expr.type)


def _all(program: ProgramInfo, tests: tuple[ir.Expr, ...], *, held: bool) -> Facts:
    facts: Facts = {}
    for test in tests:
        for expr, known in learn(program, test, held=held).items():
            facts[expr] = _both_facts(facts[expr], known) if expr in facts else known
    return facts


def _both_facts(one: ir.Expr, two: ir.Expr) -> ir.Expr:
    """Return the value under what two facts say together."""
    if one.type.kind == "int" and two.type.kind == "int":
        lo, hi = max(one.type.lo, two.type.lo), min(one.type.hi, two.type.hi)
        return narrowed(one, number(lo, hi)) if lo <= hi else one
    return two if two.type.size < one.type.size else one


def _compare(program: ProgramInfo, expr: ir.Expr, op: ir.Operator, other: ir.Expr) -> Facts:
    """Return what `expr op other` tells about `expr`."""
    type_ = expr.type
    if isinstance(expr, ir.Lit):
        return {}
    if type_.kind == "optional":
        return _optional(expr, op, other)
    if OPERATIONS[op].group == "equality" and (type_.kind != other.type.kind or (op == "!=" and type_.kind != "int")):
        return {}
    restrict = OPERATIONS[op].restrict
    assert restrict is not None, "a comparison tells where its sides lie"
    right = (other.value, other.value) if isinstance(other, ir.Lit) else range_of(other.type)
    lo, hi = restrict(range_of(type_), right)
    if (lo, hi) == (type_.lo, type_.hi) or lo > hi:
        return {}
    if type_.kind == "int":
        return {expr: narrowed(expr, number(lo, hi))}
    for member, offset in program.unions.get(type_.name, ()):
        if offset <= lo and hi <= offset + member.hi:
            return {expr: shifted(narrowed(expr, member) if offset == 0 else expr, -offset, member)}
    return {}


def _optional(expr: ir.Expr, op: ir.Operator, other: ir.Expr) -> Facts:
    inner = expr.type.parts[0]
    is_none = isinstance(other, ir.Lit) and other.value == expr.type.hi
    is_some = other.type.kind != "optional" and not is_none
    if (op == "!=" and is_none) or (op == "==" and is_some):
        return {expr: narrowed(expr, inner)}
    return {}
