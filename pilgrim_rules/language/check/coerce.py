"""Coerce: whether a value of one type may stand where another type is wanted, and the change of code that takes.

Reads:  core expressions and types.   Writes: the expression with the code of the wanted type, or None.
After:  every code that the expression can have is a code of the wanted type with the same meaning.
"""

from __future__ import annotations

from pilgrim_rules.core import ir
from pilgrim_rules.core.forms import expand_form, retyped, shifted
from pilgrim_rules.core.smart_constructors import number
from pilgrim_rules.language.check.program_info import POISON, ProgramInfo


def coerced(program: ProgramInfo, expr: ir.Expr, want: ir.Type) -> ir.Expr | None:
    """Return the expression as a value of the wanted type, or None if it is not always one."""
    have = expr.type
    if POISON in (have, want) or have == want:
        return expr
    if want.kind == "optional":
        return _to_optional(program, expr, want)
    if have.kind == "int" and want.kind == "int":
        return expr if want.lo <= have.lo and have.hi <= want.hi else None
    if have.kind == "pair" and want.kind == "pair":
        return expr if _same_pair(have, want) else None
    offset = offset_in(program, have, want)
    return None if offset is None else shifted(expr, offset, want)


def widened(expr: ir.Expr, type_: ir.Type) -> ir.Expr:
    """Return the same code under a type that has all its codes with the same meaning, and perhaps more."""
    if expr.type == type_:
        return expr
    # What is read or called has the type of what is read; a sum may have any type that holds it.
    if isinstance(expr, ir.Bound | ir.Read | ir.Lookup | ir.Call | ir.Checked | ir.AskNetwork):
        return expand_form("shifted", (expr,), type_, type_)
    return retyped(expr, type_)


def offset_in(program: ProgramInfo, part: ir.Type, whole: ir.Type) -> int | None:
    """Return how much larger the codes of an enum are inside a union that has it as a member, perhaps indirectly."""
    if part == whole:
        return 0
    for member, offset in program.unions.get(whole.name, ()):
        inner = offset_in(program, part, member)
        if inner is not None:
            return offset + inner
    return None


def _same_pair(have: ir.Type, want: ir.Type) -> bool:
    """Pairs have the same codes if their second parts do and the first part's codes are those of the wanted one."""
    (a, b), (c, d) = have.parts, want.parts
    return (
        (b.lo, b.hi, b.kind, b.labels) == (d.lo, d.hi, d.kind, d.labels)
        and a.lo == c.lo
        and a.kind == c.kind
        and a.hi <= c.hi
    )


def _to_optional(program: ProgramInfo, expr: ir.Expr, want: ir.Type) -> ir.Expr | None:
    inner = want.parts[0]
    if expr.type.kind != "optional":
        return coerced(program, expr, inner)
    some = expr.type.parts[0]
    probe = coerced(program, ir.Bound("probe", some), inner)
    if probe is None:
        return None
    if expr.type.hi == want.hi and probe == ir.Bound("probe", some):
        return expr
    return expand_form("optional", (expr,), want, want)


def as_common_type(program: ProgramInfo, left: ir.Expr, right: ir.Expr) -> tuple[ir.Expr, ir.Expr] | None:
    """Return two values as values of one type, so that they can be compared; None if there is no such type."""
    a, b = left.type, right.type
    if POISON in (a, b) or (a.kind == "int" and b.kind == "int"):
        return left, right
    if a.kind == "optional" and b.kind == "optional" and {a.parts[0].kind, b.parts[0].kind} == {"int"}:
        wide = _optional_number(a, b)
        return _coerce_both(program, left, right, wide)
    if a.kind == "optional" and a.parts[0].kind == "int" and b.kind == "int":
        return (left, right) if b.hi < a.hi else None
    if b.kind == "optional" and b.parts[0].kind == "int" and a.kind == "int":
        return (left, right) if a.hi < b.hi else None
    for want in (a, b):
        both = _coerce_both(program, left, right, want)
        if both is not None:
            return both
    return _through_union(program, left, right)


def _optional_number(a: ir.Type, b: ir.Type) -> ir.Type:
    inner = number(min(a.lo, b.lo), max(a.hi, b.hi) - 1)
    return ir.Type(f"{inner.name}?", "optional", inner.lo, inner.hi + 1, (), (inner,))


def _coerce_both(program: ProgramInfo, left: ir.Expr, right: ir.Expr, want: ir.Type) -> tuple[ir.Expr, ir.Expr] | None:
    one, two = coerced(program, left, want), coerced(program, right, want)
    return None if one is None or two is None else (one, two)


def _through_union(program: ProgramInfo, left: ir.Expr, right: ir.Expr) -> tuple[ir.Expr, ir.Expr] | None:
    """Compare members of different parts of a union, and optional ones of them."""
    for name in program.unions:
        whole = program.types[name]
        for want in (whole, ir.Type(f"{name}?", "optional", whole.lo, whole.hi + 1, (), (whole,))):
            both = _coerce_both(program, left, right, want)
            if both is not None:
                return both
    return None
