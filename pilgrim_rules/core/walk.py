"""Walks over core expressions: children, names, substitution.

Reads:  core nodes.   Writes: new core nodes or plain sets.
After:  no other module needs to know which fields of a node hold expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import assert_never

from pilgrim_rules.core.forms import AT_A_TIME, expand_form_again, form_of, retyped, with_form
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
    Key,
    Let,
    Lit,
    Lookup,
    Pick,
    Read,
    Type,
    Unique,
)
from pilgrim_rules.core.smart_constructors import number
from pilgrim_rules.core.type_order import fits
from pilgrim_rules.util.fast_dataclass import replace


def binders_of(expr: Expr) -> tuple[Binder, ...]:
    """Return the binders an expression introduces around its other parts."""
    match expr:
        case Fold(binders=binders) | Unique(binders=binders):
            return binders
        case Pick(binder=binder):
            return (binder,)
        case Lit() | Bound() | Read() | Lookup() | Apply() | Cond() | Let() | Checked() | Call() | AskNetwork():
            return ()
        case _:
            assert_never(expr)


def binder_parts(binder: Binder) -> tuple[Expr, ...]:
    """Return the expressions inside a binder; they stand outside its own scope."""
    start = () if binder.start is None else (binder.start,)
    return start if binder.among is None else (*start, *binder.among[1])


def children(expr: Expr) -> tuple[Expr, ...]:
    """Return the direct parts of an expression, in text order, those inside binders included."""
    match expr:
        case Lit() | Bound():
            return ()
        case Read(index=index) | Lookup(index=index):
            return index
        case Apply(args=args) | Call(args=args):
            return args
        case Cond(test=test, then=then, other=other):
            return (test, then, other)
        case Let(value=value, body=body):
            return (value, body)
        case Checked(value=value):
            return (value,)
        case Fold(binders=binders, where=where, body=body, default=default):
            inner = tuple(part for binder in binders for part in binder_parts(binder))
            return (*inner, *_some(where), body, *_some(default))
        case Unique(binders=binders, where=where, keys=keys):
            inner = tuple(part for binder in binders for part in binder_parts(binder))
            return (*inner, *_some(where), *keys)
        case Pick(binder=binder, where=where, keys=keys_):
            return (*binder_parts(binder), *_some(where), *(key.value for key in keys_))
        case AskNetwork(index=index, nodes=nodes):
            return (*index, *(part for node in nodes for part in node))
        case _:
            assert_never(expr)


def rebuild(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """Return the expression with `change` applied to each of its direct parts; what it was written as is forgotten."""
    match expr:
        case Lit() | Bound():
            return expr
        case Read(index=index) | Lookup(index=index):
            return replace(expr, index=tuple(map(change, index))) if index else expr
        case Call(args=args):
            return replace(expr, args=tuple(map(change, args)))
        case Apply(args=args):
            return replace(expr, args=tuple(map(change, args)), form=None)
        case Cond(test=test, then=then, other=other):
            return replace(expr, test=change(test), then=change(then), other=change(other), form=None)
        case Let(value=value, body=body):
            return replace(expr, value=change(value), body=change(body), form=None)
        case Checked(value=value):
            return replace(expr, value=change(value))
        case Fold(binders=binders, where=where, body=body, default=default):
            return replace(
                expr,
                binders=tuple(rebuild_binder(binder, change) for binder in binders),
                where=None if where is None else change(where),
                body=change(body),
                default=None if default is None else change(default),
            )
        case Unique(binders=binders, where=where, keys=keys):
            return replace(
                expr,
                binders=tuple(rebuild_binder(binder, change) for binder in binders),
                where=None if where is None else change(where),
                keys=tuple(map(change, keys)),
            )
        case Pick(binder=binder, where=where, keys=keys_):
            return replace(
                expr,
                binder=rebuild_binder(binder, change),
                where=None if where is None else change(where),
                keys=tuple(Key(change(key.value), key.descending) for key in keys_),
            )
        case AskNetwork(index=index, nodes=nodes):
            return replace(
                expr,
                index=tuple(map(change, index)),
                nodes=tuple(tuple(map(change, node)) for node in nodes),
            )
        case _:
            assert_never(expr)


def rebuild_written(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """Return the expression as written, with `change` applied to each of its direct parts; its meaning follows."""
    form = form_of(expr)
    if form is None:
        return rebuild(expr, change)
    return _rewritten(expr, tuple(map(change, form.args)), lambda: rebuild(expr, change))


def _rewritten(expr: Expr, args: tuple[Expr, ...], meaning: Callable[[], Expr]) -> Expr:
    """Return what an expression was written as, with other parts; `meaning` makes what cannot be made from them alone."""
    form = form_of(expr)
    assert form is not None, "the caller has asked"
    return with_form(meaning(), replace(form, args=args)) if form.name in AT_A_TIME else expand_form_again(expr, args)


def rebuild_binder(binder: Binder, change: Callable[[Expr], Expr]) -> Binder:
    """Return the binder with `change` applied to the expressions in it."""
    if binder.start is None and binder.among is None:
        return binder
    among = None if binder.among is None else (binder.among[0], tuple(map(change, binder.among[1])))
    return replace(binder, start=None if binder.start is None else change(binder.start), among=among)


def subexpressions(expr: Expr) -> Iterator[Expr]:
    """Yield the expression and everything inside it, outermost first; definitions are not entered."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        inner = children(node)
        if inner:
            stack += inner[::-1]


def conjuncts(expr: Expr) -> Iterator[Expr]:
    """Yield the parts of a conjunction, and of conjunctions in it; any other expression as it is."""
    if isinstance(expr, Apply) and expr.op == "and":
        for part in expr.args:
            yield from conjuncts(part)
    else:
        yield expr


def free_names(expr: Expr) -> frozenset[str]:
    """Return the bound names that the expression takes from outside."""
    match expr:
        case Bound(name=name):
            return frozenset({name})
        case Let(name=name, value=value, body=body):
            return free_names(value) | (free_names(body) - {name})
        case Fold() | Unique() | Pick():
            return _free_in_scope(expr)
        case Lit() | Read() | Lookup() | Apply() | Cond() | Checked() | Call() | AskNetwork():
            return frozenset().union(*map(free_names, children(expr)))
        case _:
            assert_never(expr)


def _free_in_scope(expr: Fold | Unique | Pick) -> frozenset[str]:
    free: set[str] = set()
    inside: set[str] = set()
    for binder in binders_of(expr):
        for part in binder_parts(binder):
            free |= free_names(part) - inside
        inside.add(binder.name)
    match expr:
        case Fold(where=where, body=body, default=default):
            parts = (*_some(where), body)
            free |= frozenset().union(*map(free_names, _some(default)))
        case Unique(where=where, keys=keys):
            parts = (*_some(where), *keys)
        case Pick(where=where, keys=keys_):
            parts = (*_some(where), *(key.value for key in keys_))
    for part in parts:
        free |= free_names(part) - inside
    return frozenset(free)


def substitute(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """Replace free bound names. The caller sees to it that no free name of a value is captured."""
    if not values:
        return expr
    form = form_of(expr)
    if form is None:
        return _substitute(expr, values)
    args = tuple(substitute(arg, values) for arg in form.args)
    return _rewritten(expr, args, lambda: _substitute(expr, values))


def _substitute(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    match expr:
        case Bound(name=name, type=type_):
            return as_known(values[name], type_) if name in values else expr
        case Let(name=name, value=value, body=body):
            inner = {key: to for key, to in values.items() if key != name}
            return replace(expr, value=substitute(value, values), body=substitute(body, inner), form=None)
        case Fold() | Unique() | Pick():
            return _substitute_in_scope(expr, values)
        case Lit() | Read() | Lookup() | Apply() | Cond() | Checked() | Call() | AskNetwork():
            return rebuild(expr, lambda part: substitute(part, values))
        case _:
            assert_never(expr)


def as_known(expr: Expr, type_: Type) -> Expr:
    """Return a value under what is known of the name that it is put in for: a test around the place may have narrowed it."""
    have = expr.type
    if isinstance(expr, Lit) and have.kind == type_.kind == "enum" and type_.size < have.size and fits(type_, have):
        # A label outside the part that was tested for: the place is never reached, and any label of the part will do.
        return replace(expr, value=expr.value if type_.lo <= expr.value <= type_.hi else type_.lo, type=type_)
    if not isinstance(expr, Bound | Read | Lookup | Call):
        return expr
    if have.kind == type_.kind == "int":
        lo, hi = max(have.lo, type_.lo), min(have.hi, type_.hi)
        return retyped(expr, number(lo, hi)) if have.lo < lo <= hi or lo <= hi < have.hi else expr
    return retyped(expr, type_) if type_.size < have.size and fits(type_, have) else expr


def _substitute_in_scope(expr: Fold | Unique | Pick, values: Mapping[str, Expr]) -> Expr:
    """Replace names in a fold: what a binder hides is replaced only in what stands before it, and in the default."""
    binders: list[Binder] = []
    inner = values
    for binder in binders_of(expr):
        binders.append(rebuild_binder(binder, partial(substitute, values=inner)))
        inner = {key: to for key, to in inner.items() if key != binder.name}
    made = rebuild(expr, partial(substitute, values=inner))
    match made, expr:
        case Fold(), Fold(default=default):
            outside = None if default is None else substitute(default, values)
            return replace(made, binders=tuple(binders), default=outside)
        case Unique(), _:
            return replace(made, binders=tuple(binders))
        case Pick(), _:
            return replace(made, binder=binders[0])
        case _:
            raise AssertionError("rebuilding keeps the kind of a node")


def _some(expr: Expr | None) -> tuple[Expr, ...]:
    return () if expr is None else (expr,)
