"""Bounds: between which codes the value of an expression can lie.

Reads:  core expressions; the rules of `operators`; for `bounds` declared types and the values of constants, never the
        type that the checker gave to the expression.
Writes: `(lo, hi)`.
After:  wherever the expression has a value, it lies in the interval. Nothing is known from tests made around it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias, assert_never
from weakref import WeakKeyDictionary

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.intervals import TRUTH, Interval, inside, join, meet
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
    FoldOp,
    Let,
    Lit,
    Lookup,
    Pick,
    Read,
    Type,
    Unique,
)
from pilgrim_rules.core.operators import FOLDS, OPERATIONS
from pilgrim_rules.core.walk import children


def range_of(type_: Type) -> Interval:
    """Return the interval of a type."""
    return type_.lo, type_.hi


def rounds(binders: tuple[Binder, ...], where: Expr | None) -> Interval:
    """Return the least and the greatest number of values that a fold or choice looks at."""
    most = prod(binder.type.size for binder in binders)
    restricted = where is not None or any(binder.among is not None for binder in binders)
    return 0 if restricted else most, most


def folded(op: FoldOp, body: Interval, counted: Interval, default: Interval | None) -> Interval:
    """Return where the value of a fold lies, from where its body lies and how many values it looks at."""
    found = FOLDS[op].interval(body, *counted)
    return found if default is None else join(found, default)


Facts: TypeAlias = Mapping[Hashable, Interval]  #: where expressions lie, by their `fact_key`
_NOTHING: Facts = {}


def bounds(expr: Expr, names: Mapping[str, Interval], declared: Declarations, facts: Facts = _NOTHING) -> Interval:
    """Return where an expression lies, given where the names bound around it do, and what tests around it say."""
    found = _bounds(expr, names, declared, facts)
    if facts and (key := fact_key(expr)) in facts:
        lo, hi = meet(found, facts[key])
        return (lo, hi) if lo <= hi else found  # nobody gets here if the two contradict each other
    return found


def _bounds(expr: Expr, names: Mapping[str, Interval], declared: Declarations, facts: Facts) -> Interval:
    match expr:
        case Lit(value=value):
            return value, value
        case Bound(name=name):
            return names[name]
        case Read(variable=variable):
            return range_of(declared.variables[variable].type)
        case Lookup(table=table):
            return _range_of_constant(table, declared)
        case Apply():
            return OPERATIONS[expr.op].interval(*(bounds(each, names, declared, facts) for each in expr.args))
        case Cond(then=then, other=other):
            return join(bounds(then, names, declared, facts), bounds(other, names, declared, facts))
        case Let(name=name, value=value_, body=body):
            inner = {**names, name: bounds(value_, names, declared, facts)}
            return bounds(body, inner, declared, _NOTHING if name in names else facts)
        case Checked(type=type_) | AskNetwork(type=type_):
            return range_of(type_)
        case Fold():
            hides = any(each.name in names for each in expr.binders)
            body_ = bounds(expr.body, bind(expr.binders, names), declared, _NOTHING if hides else facts)
            default = None if expr.default is None else bounds(expr.default, names, declared, facts)
            return folded(expr.op, body_, rounds(expr.binders, expr.where), default)
        case Unique():
            return TRUTH
        case Pick(binder=binder, type=type_):
            return binder.type.lo, max(binder.type.hi, type_.hi)
        case Call(definition=name):
            return _range_of_definition(name, declared)
        case _:
            assert_never(expr)


def fact_key(expr: Expr) -> Hashable:
    """Return what expressions have in common that mean the same, whatever types the checker gave to them.

    None for an expression about which nothing is ever noted.
    """
    match expr:
        case Lit(value=value):
            return value
        case Bound(name=name):
            return name
        case Read(variable=name, index=parts, when=when):
            head: tuple[object, ...] = ("read", name, when)
        case Lookup(table=name, index=parts):
            head = ("lookup", name)
        case Call(definition=name, args=parts):
            head = ("call", name)
        case Apply(op=op, args=parts):
            head = ("apply", op)
        case Pick(binder=binder, where=where, keys=order):  # the same first or best of the same
            return ("pick", binder, where, order)
        case Cond() | Let() | Checked() | Fold() | Unique() | AskNetwork():
            return None
        case _:
            assert_never(expr)
    keys = tuple(map(fact_key, parts))
    return None if None in keys else (*head, *keys)


@dataclass(slots=True)
class _Ranges:
    """The ranges of the constants and definitions of a game, each found once."""

    constants: dict[str, Interval] = field(default_factory=dict)
    definitions: dict[str, Interval] = field(default_factory=dict)


_ranges: WeakKeyDictionary[Declarations, _Ranges] = WeakKeyDictionary()


def _range_of_constant(name: str, declared: Declarations) -> Interval:
    found = _ranges.setdefault(declared, _Ranges()).constants
    if name not in found:
        constant = declared.constants[name]
        symbolic = constant.assumed or constant.source in (
            "ruling",
            "option",
        )  # proofs may let it have any value of its type
        values = (constant.type.lo, constant.type.hi) if symbolic else constant.values
        found[name] = (min(values), max(values)) if values else (0, 0)
    return found[name]


def _range_of_definition(name: str, declared: Declarations) -> Interval:
    found = _ranges.setdefault(declared, _Ranges()).definitions
    if name not in found:
        called = declared.defs[name]
        found[name] = bounds(called.body, {each.name: range_of(each.type) for each in called.params}, declared)
    return found[name]


def bind(binders: tuple[Binder, ...], names: Mapping[str, Interval]) -> dict[str, Interval]:
    """Return the ranges of the names inside binders."""
    return {**names, **{each.name: range_of(each.type) for each in binders}}


def total(expr: Expr, names: Mapping[str, Interval], declared: Declarations) -> bool:
    """Return whether the expression has a value whatever the state: every index in its table, every divisor positive."""
    match expr:
        case Read(variable=variable, index=index):
            fits = _fits(index, declared.variables[variable].index, names, declared)
        case Lookup(table=table, index=index):
            fits = _fits(index, declared.constants[table].index, names, declared)
        case Apply(op=op, args=(_, divisor)) if OPERATIONS[op].divides:
            fits = bounds(divisor, names, declared)[0] > 0
        case Call(definition=name, args=args):
            called = declared.defs[name]
            inner = {param.name: bounds(arg, names, declared) for param, arg in zip(called.params, args, strict=True)}
            fits = total(called.body, inner, declared)
        case Let(name=name, value=value, body=body):
            inner = {**names, name: bounds(value, names, declared)}
            return total(value, names, declared) and total(body, inner, declared)
        case Fold() | Unique() | Pick() | Checked() | AskNetwork():
            return False  # not worth the question: these are never small
        case Lit() | Bound() | Apply() | Cond():
            fits = True
        case _:
            assert_never(expr)
    return fits and all(total(part, names, declared) for part in children(expr))


def _fits(
    index: tuple[Expr, ...], types: tuple[Type, ...], names: Mapping[str, Interval], declared: Declarations
) -> bool:
    return all(inside(bounds(each, names, declared), range_of(type_)) for each, type_ in zip(index, types, strict=True))
