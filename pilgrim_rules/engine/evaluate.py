"""Evaluate: the value of a core expression in a position. Slow and obvious: the reference for every other back end.

Reads:  core expressions, a position (the codes of every variable, row by row) and the names bound around.
Writes: the code of the value; Booleans are 0 and 1.
After:  nothing is changed. `OutsideTable` and `NotPositive` are raised where an expression has no value, which the
        checker rules out except after a requirement that fails; `Contradiction` where a `Checked` value is outside its type.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import assert_never

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
    Unique,
)
from pilgrim_rules.core.values import show
from pilgrim_rules.engine.errors import Breach, Contradiction
from pilgrim_rules.engine.scene import NotPositive, Scene, cell


def evaluate(expr: Expr, scene: Scene) -> int:
    """Return the value of the expression."""
    match expr:
        case Lit(value=value):
            return value
        case Bound(name=name):
            return scene.names[name]
        case Read(variable=variable, index=index, when=when):
            position = {"now": scene.now, "old": scene.old, "next": scene.next}[when]
            assert position is not None, f"`{variable}` is read {when} where there is no such state"
            types = scene.world.variables[variable].index
            return position[variable][cell(types, [evaluate(each, scene) for each in index])]
        case Lookup(table=table, index=index):
            constant = scene.world.constants[table]
            return constant.values[cell(constant.index, [evaluate(each, scene) for each in index])]
        case Apply(op="and" | "or" | "implies"):
            return _connective(expr, scene)
        case Apply(op=op, args=args):
            return OPERATIONS[op](*(evaluate(each, scene) for each in args))
        case Cond(test=test, then=then, other=other):
            return evaluate(then if evaluate(test, scene) else other, scene)
        case Let(name=name, value=value_, body=body):
            return evaluate(body, scene.bind(name, evaluate(value_, scene)))
        case Checked(value=value_, type=type_):
            found = evaluate(value_, scene)
            if not type_.lo <= found <= type_.hi:
                raise Contradiction(outside(expr, found))
            return found
        case Fold():
            return _fold(expr, scene)
        case Unique(binders=binders, where=where, keys=keys):
            rows = [tuple(evaluate(key, each) for key in keys) for each in scenes(binders, where, scene)]
            return int(len(set(rows)) == len(rows))
        case Pick():
            return _pick(expr, scene)
        case Call(definition=name, args=args):
            called = scene.world.defs[name]
            values = {param.name: evaluate(arg, scene) for param, arg in zip(called.params, args, strict=True)}
            return evaluate(called.body, replace(scene, names=values))
        case AskNetwork():
            return _ask(expr, scene)
        case _:
            assert_never(expr)


def values_of(binder: Binder, scene: Scene) -> Iterator[int]:
    """Yield the values of a binder in its order."""
    domain = list(range(binder.type.lo, binder.type.hi + 1))
    if binder.start is not None:
        first = evaluate(binder.start, scene) - binder.type.lo
        domain = domain[first:] + domain[:first]
    if binder.descending:
        domain.reverse()
    if binder.among is not None:
        table, index = binder.among
        constant = scene.world.constants[table]
        codes = [evaluate(each, scene) for each in index]
        row = cell(constant.index[:-1], codes) * binder.type.size - binder.type.lo
        domain = [value for value in domain if constant.values[row + value]]
    return iter(domain)


def scenes(binders: tuple[Binder, ...], where: Expr | None, scene: Scene) -> Iterator[Scene]:
    """Yield the scene of each combination of values that satisfies `where`, the last binder changing fastest."""
    if binders:
        first, *rest = binders
        for value in values_of(first, scene):
            yield from scenes(tuple(rest), where, scene.bind(first.name, value))
    elif where is None or evaluate(where, scene):
        yield scene


def ranking_key(keys: tuple[Key, ...], scene: Scene) -> tuple[int, ...]:
    """Return the values of the keys, negated where larger is first, so that the smallest tuple comes first."""
    return tuple(-evaluate(key.value, scene) if key.descending else evaluate(key.value, scene) for key in keys)


def _connective(expr: Apply, scene: Scene) -> int:
    match expr.op:
        case "and":
            return int(all(evaluate(each, scene) for each in expr.args))
        case "or":
            return int(any(evaluate(each, scene) for each in expr.args))
        case _:
            given, then = expr.args
            return int(not evaluate(given, scene) or bool(evaluate(then, scene)))


def outside(expr: Checked, value: int) -> Breach:
    """Return what is wrong if a checked expression has a value outside its type."""
    source = expr.value.type
    shown = show(source, value) if source.lo <= value <= source.hi else str(value)
    return Breach(f"`{shown}` is not a value of `{expr.type.name}`", span=expr.span)


def _fold(expr: Fold, scene: Scene) -> int:
    # A generator, so that `all` and `some` stop at the first value that decides.
    found = (evaluate(expr.body, each) for each in scenes(expr.binders, expr.where, scene))
    match expr.op:
        case "all":
            return int(all(found))
        case "some":
            return int(any(found))
        case "count" | "sum":
            return sum(found)
        case "max" | "min":
            values = list(found)
            if values:
                return max(values) if expr.op == "max" else min(values)
            assert expr.default is not None, "the checker wants a default where nothing may satisfy `where`"
            return evaluate(expr.default, scene)
        case _:
            assert_never(expr.op)


def _pick(expr: Pick, scene: Scene) -> int:
    found = list(scenes((expr.binder,), expr.where, scene))
    if not found:
        return expr.type.hi
    first = min(found, key=lambda each: ranking_key(expr.keys, each))  # the first one among equals
    return first.names[expr.binder.name]


def _ask(expr: AskNetwork, scene: Scene) -> int:
    from pilgrim_rules.graphs import network as networks  # noqa: PLC0415  (networkx, which play never needs)

    network = scene.world.networks[expr.network]
    outside = replace(scene, names={})
    for binder, value in zip(network.binders, expr.index, strict=True):
        outside = outside.bind(binder.name, evaluate(value, scene))

    def node(parts: tuple[Expr, ...], where: Scene) -> tuple[int, ...]:
        return tuple(evaluate(part, where) for part in parts)

    nodes = [node(each.node, at) for each in network.nodes for at in scenes(each.binders, each.when, outside)]
    links = [
        (node(each.left, at), node(each.right, at), each.nodes_only)
        for each in network.links
        for at in scenes(each.binders, each.when, outside)
    ]
    answer = networks.answer(expr.question, networks.build(nodes, links), [node(each, scene) for each in expr.nodes])
    return expr.type.hi if answer is None else answer


def _div(left: int, right: int) -> int:
    if right <= 0:
        raise NotPositive
    return left // right


def _mod(left: int, right: int) -> int:
    if right <= 0:
        raise NotPositive
    return left % right


OPERATIONS: dict[str, Callable[..., int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": _div,
    "mod": _mod,
    "min": min,
    "max": max,
    "==": lambda left, right: int(left == right),
    "!=": lambda left, right: int(left != right),
    "<": lambda left, right: int(left < right),
    "<=": lambda left, right: int(left <= right),
    ">": lambda left, right: int(left > right),
    ">=": lambda left, right: int(left >= right),
    "not": lambda value: int(not value),
}
