"""Ranges: between which codes the value of an expression can lie.

Reads:  core expressions; declared types only, never the type a checker gave to the expression itself.
Writes: `(lo, hi)`.
After:  wherever the expression has a value, it lies in the range. Nothing is known from tests made around it.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TypeAlias, assert_never

from pilgrim_rules.core.ir import (
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
    Type,
    Unique,
)
from pilgrim_rules.core.walk import children
from pilgrim_rules.engine.scene import World

Range: TypeAlias = tuple[int, int]
_TRUTH: Range = (0, 1)


def range_of(type_: Type) -> Range:
    """Return the range of a type."""
    return type_.lo, type_.hi


def inside(inner: Range, outer: Range) -> bool:
    """Return whether every number of one range lies in the other."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def bounds(expr: Expr, names: Mapping[str, Range], world: World) -> Range:
    """Return the range of an expression, given the ranges of the names bound around it."""
    match expr:
        case Lit(value=value):
            return value, value
        case Bound(name=name):
            return names[name]
        case Read(variable=variable):
            return range_of(world.variables[variable].type)
        case Lookup(table=table):
            values = world.constants[table].values
            return (min(values), max(values)) if values else (0, 0)
        case Apply():
            return _apply(expr, names, world)
        case Cond(then=then, other=other):
            return _either(bounds(then, names, world), bounds(other, names, world))
        case Let(name=name, value=value_, body=body):
            return bounds(body, {**names, name: bounds(value_, names, world)}, world)
        case Checked(type=type_) | AskNetwork(type=type_):
            return range_of(type_)
        case Fold():
            return _fold(expr, names, world)
        case Unique():
            return _TRUTH
        case Pick(binder=binder, type=type_):
            return binder.type.lo, max(binder.type.hi, type_.hi)
        case Call(definition=name):
            called = world.defs[name]
            return bounds(called.body, {each.name: range_of(each.type) for each in called.params}, world)
        case _:
            assert_never(expr)


def bind(binders: tuple[Binder, ...], names: Mapping[str, Range]) -> dict[str, Range]:
    """Return the ranges of the names inside binders."""
    return {**names, **{each.name: range_of(each.type) for each in binders}}


def total(expr: Expr, names: Mapping[str, Range], world: World) -> bool:
    """Return whether the expression has a value whatever the state: every index in its table, every divisor positive."""
    match expr:
        case Read(variable=variable, index=index):
            fits = _fits(index, world.variables[variable].index, names, world)
        case Lookup(table=table, index=index):
            fits = _fits(index, world.constants[table].index, names, world)
        case Apply(op="div" | "mod", args=(_, divisor)):
            fits = bounds(divisor, names, world)[0] > 0
        case Call(definition=name, args=args):
            called = world.defs[name]
            inner = {param.name: bounds(arg, names, world) for param, arg in zip(called.params, args, strict=True)}
            fits = total(called.body, inner, world)
        case Let(name=name, value=value, body=body):
            inner = {**names, name: bounds(value, names, world)}
            return total(value, names, world) and total(body, inner, world)
        case Fold() | Unique() | Pick() | Checked() | AskNetwork():
            return False  # not worth the question: these are never small
        case _:
            fits = True
    return fits and all(total(part, names, world) for part in children(expr))


def _fits(index: tuple[Expr, ...], types: tuple[Type, ...], names: Mapping[str, Range], world: World) -> bool:
    return all(inside(bounds(each, names, world), range_of(type_)) for each, type_ in zip(index, types, strict=True))


def _apply(expr: Apply, names: Mapping[str, Range], world: World) -> Range:
    match expr.op:
        case "+" | "-" | "*" | "div" | "mod" | "min" | "max":
            ranges = [bounds(each, names, world) for each in expr.args]
        case _:
            return _TRUTH
    los, his = [lo for lo, _ in ranges], [hi for _, hi in ranges]
    match expr.op:
        case "+":
            return sum(los), sum(his)
        case "-":
            return los[0] - his[1], his[0] - los[1]
        case "*":
            corners = [left * right for left in ranges[0] for right in ranges[1]]
            return min(corners), max(corners)
        case "div":
            corners = [left // max(right, 1) for left in ranges[0] for right in ranges[1]]
            return min(corners), max(corners)
        case "mod":
            return 0, max(his[1] - 1, 0)
        case "min":
            return min(los), min(his)
        case "max":
            return max(los), max(his)


def _fold(expr: Fold, names: Mapping[str, Range], world: World) -> Range:
    most = prod(binder.type.size for binder in expr.binders)
    match expr.op:
        case "all" | "some":
            return _TRUTH
        case "count":
            return 0, most
        case "sum":
            lo, hi = bounds(expr.body, bind(expr.binders, names), world)
            return min(lo * most, 0), max(hi * most, 0)
        case "max" | "min":
            body = bounds(expr.body, bind(expr.binders, names), world)
            return body if expr.default is None else _either(body, bounds(expr.default, names, world))
        case _:
            assert_never(expr.op)


def _either(left: Range, right: Range) -> Range:
    return min(left[0], right[0]), max(left[1], right[1])
