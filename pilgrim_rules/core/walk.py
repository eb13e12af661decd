"""Walks over core expressions and statements: children, names, reads and writes, substitution.

Reads:  core nodes.   Writes: new core nodes or plain sets.
After:  no other module needs to know which fields of a node hold expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import assert_never

from pilgrim_rules.core.ir import (
    Action,
    Apply,
    AskNetwork,
    Assign,
    Binder,
    Bound,
    Branch,
    Call,
    Checked,
    Cond,
    Def,
    Define,
    Expr,
    Fold,
    Given,
    Key,
    Layer,
    Let,
    Lit,
    Lookup,
    Loop,
    Network,
    NetworkLink,
    NetworkNode,
    Pick,
    Read,
    Require,
    Stmt,
    Unique,
)


def binders_of(expr: Expr) -> tuple[Binder, ...]:
    """Return the binders an expression introduces around its other parts."""
    match expr:
        case Fold(binders=binders) | Unique(binders=binders):
            return binders
        case Pick(binder=binder):
            return (binder,)
        case _:
            return ()


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
    """Return the expression with `change` applied to each of its direct parts."""
    match expr:
        case Lit() | Bound():
            return expr
        case Read(index=index) | Lookup(index=index):
            return replace(expr, index=tuple(map(change, index))) if index else expr
        case Apply(args=args) | Call(args=args):
            return replace(expr, args=tuple(map(change, args)))
        case Cond(test=test, then=then, other=other):
            return replace(expr, test=change(test), then=change(then), other=change(other))
        case Let(value=value, body=body):
            return replace(expr, value=change(value), body=change(body))
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
        stack.extend(reversed(children(node)))


def free_names(expr: Expr) -> frozenset[str]:
    """Return the bound names that the expression takes from outside."""
    match expr:
        case Bound(name=name):
            return frozenset({name})
        case Let(name=name, value=value, body=body):
            return free_names(value) | (free_names(body) - {name})
        case Fold() | Unique() | Pick():
            return _free_in_scope(expr)
        case _:
            return frozenset().union(*map(free_names, children(expr)))


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


def substitute(expr: Expr, values: dict[str, Expr]) -> Expr:
    """Replace free bound names. The caller sees to it that no free name of a value is captured."""
    if not values:
        return expr
    match expr:
        case Bound(name=name):
            return values.get(name, expr)
        case Let(name=name, value=value, body=body):
            inner = {key: to for key, to in values.items() if key != name}
            return replace(expr, value=substitute(value, values), body=substitute(body, inner))
        case Fold() | Unique() | Pick():
            return _substitute_in_scope(expr, values)
        case _:
            return rebuild(expr, lambda part: substitute(part, values))


def _substitute_in_scope(expr: Fold | Unique | Pick, values: dict[str, Expr]) -> Expr:
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


def statement_expressions(block: tuple[Stmt, ...]) -> Iterator[Expr]:
    """Yield the outermost expressions of all statements of a block, nested ones included."""
    for stmt in block:
        match stmt:
            case Assign(index=index, value=value):
                yield from index
                yield value
            case Define(value=value):
                yield value
            case Branch(test=test, then=then, other=other):
                yield test
                yield from statement_expressions(then)
                yield from statement_expressions(other)
            case Loop(binder=binder, where=where, body=body):
                yield from binder_parts(binder)
                yield from _some(where)
                yield from statement_expressions(body)
            case _:
                assert_never(stmt)


def assignments(block: tuple[Stmt, ...]) -> Iterator[Assign]:
    """Yield every assignment of a block, nested ones included."""
    for stmt in block:
        match stmt:
            case Assign():
                yield stmt
            case Define():
                pass
            case Branch(then=then, other=other):
                yield from assignments(then)
                yield from assignments(other)
            case Loop(body=body):
                yield from assignments(body)
            case _:
                assert_never(stmt)


def action_expressions(action: Action) -> Iterator[Expr]:
    """Yield the outermost expressions of an action: guard, weight and body."""
    for line in action.guard:
        match line:
            case Require(test=test):
                yield test
            case Given(value=value):
                yield value
    yield from _some(action.weight)
    yield from statement_expressions(action.body)


def layer_expressions(layer: Layer) -> Iterator[Expr]:
    """Yield the outermost expressions of a layer of a figure, those inside its binders included."""
    for binder in layer.binders:
        yield from binder_parts(binder)
    yield from _some(layer.where)
    yield from layer.at
    yield from _some(layer.value)
    yield from _some(layer.by)


def reads(
    exprs: Iterable[Expr], defs: Mapping[str, Def], networks: Mapping[str, Network] | None = None
) -> frozenset[str]:
    """Return the state variables that the expressions read, through definitions (and networks, if given) too."""
    found: set[str] = set()
    seen: set[str] = set()
    asked: set[str] = set()
    stack = list(exprs)
    while stack:
        for node in subexpressions(stack.pop()):
            match node:
                case Read(variable=variable):
                    found.add(variable)
                case Call(definition=name) if name not in seen:
                    seen.add(name)
                    stack.append(defs[name].body)
                case AskNetwork(network=name) if networks is not None and name not in asked:
                    asked.add(name)
                    stack += network_expressions(networks[name])
                case _:
                    pass
    return frozenset(found)


def network_expressions(network: Network) -> Iterator[Expr]:
    """Yield the conditions and ends of the parts of a network."""
    parts: tuple[NetworkNode | NetworkLink, ...] = (*network.nodes, *network.links)
    for part in parts:
        yield part.when
        yield from part.node if isinstance(part, NetworkNode) else (*part.left, *part.right)
        for binder in part.binders:
            yield from binder_parts(binder)


def writes(block: tuple[Stmt, ...]) -> frozenset[str]:
    """Return the state variables that a block writes."""
    return frozenset(stmt.variable for stmt in assignments(block))


def _some(expr: Expr | None) -> tuple[Expr, ...]:
    return () if expr is None else (expr,)
