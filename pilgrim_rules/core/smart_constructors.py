"""Smart constructors: types and expressions made in one place, constants folded, connectives flat.

Reads:  an operator and simplified arguments.   Writes: a simplified expression.
After:  it has the same value wherever the operator applied to the arguments has one; there is no `implies` in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Literal

from pilgrim_rules.core.ir import BOOL, OPEN_END, Apply, Expr, Lit, Operator, Type
from pilgrim_rules.core.operators import OPERATIONS, NotPositive, result_range

TRUE, FALSE = Lit(1, BOOL), Lit(0, BOOL)


def number(lo: int, hi: int) -> Type:
    """Return the type of the numbers from `lo` to `hi`; without an end that is as far as numbers go."""
    below, above = "" if lo <= -OPEN_END else lo, "" if hi >= OPEN_END else hi
    return Type(f"{below}..{above}", "int", lo, hi)


def optional(inner: Type) -> Type:
    """Return the optional type over a type."""
    return Type(f"{inner.name}?", "optional", inner.lo, inner.hi + 1, (), (inner,))


def pair(left: Type, right: Type) -> Type:
    """Return the type of pairs."""
    return Type(f"{left.name} * {right.name}", "pair", 0, left.size * right.size - 1, (), (left, right))


def lit(value: int) -> Lit:
    """Return a number as an expression."""
    return Lit(value, number(value, value))


def arithmetic(op: Operator, *args: Expr) -> Expr:
    """Return an operator applied to numbers, with the smallest type that holds the result."""
    return Apply(op, args, number(*result_range(op, args)))


def conjunction(*tests: Expr) -> Expr:
    """Return the expression that all tests hold."""
    parts = [test for test in tests if test != TRUE]
    if not parts:
        return TRUE
    return parts[0] if len(parts) == 1 else Apply("and", tuple(parts), BOOL)


def equals(left: Expr, right: Expr) -> Expr:
    """Return the expression that two codes are equal."""
    return Apply("==", (left, right), BOOL)


def total(parts: Iterable[Expr]) -> Expr:
    """Return the sum of numbers, from left to right."""
    return reduce(lambda left, right: arithmetic("+", left, right), list(parts) or [lit(0)])


def applied(op: Operator, args: list[Expr], type_: Type) -> Expr:
    """Return the operator applied to simplified arguments."""
    match op:
        case "and" | "or":
            return connected(op, args)
        case "implies":
            return connected("or", [negated(args[0]), args[1]])
        case "not":
            return negated(args[0])
        case _ if (kept := _without_neutral(op, args)) is not None:  # a law that the table of operators knows
            return kept
        case _:  # anything else is folded if its arguments are known
            pass
    return constant(op, args, type_) or Apply(op, tuple(args), type_)


def constant(op: Operator, args: Sequence[Expr], type_: Type) -> Lit | None:
    """Return the value of the operator if all arguments are known, and it has one."""
    codes = [each.value for each in args if isinstance(each, Lit)]
    if len(codes) < len(args):
        return None
    try:
        return Lit(OPERATIONS[op].meaning(*codes), type_)
    except NotPositive:  # it stands behind a test that fails
        return None


def connected(op: Literal["and", "or"], args: list[Expr]) -> Expr:
    """Return `and` or `or` of simplified arguments, flat, up to the first that decides."""
    decides, neutral = (FALSE, TRUE) if op == "and" else (TRUE, FALSE)
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
        case _:  # two or more
            return Apply(op, tuple(kept), BOOL)


def negated(arg: Expr) -> Expr:
    """Return the opposite of a simplified Boolean expression, simplified."""
    match arg:
        case Lit(value=value):
            return Lit(int(not value), BOOL)
        case Apply(op="not", args=(inner,)):
            return inner
        case Apply(op=op, args=args) if (opposite := OPERATIONS[op].opposite) is not None:
            return Apply(opposite, args, BOOL)
        case _:  # any other truth is negated as a whole
            return Apply("not", (arg,), BOOL)


def _without_neutral(op: Operator, args: list[Expr]) -> Expr | None:
    """Return the other argument, if one of the two changes nothing."""
    operation = OPERATIONS[op]
    match args:
        case [left, Lit(value=value)] if value == operation.neutral:
            return left
        case [Lit(value=value), right] if value == operation.neutral and operation.commutative:
            return right
        case _:  # both count
            return None
