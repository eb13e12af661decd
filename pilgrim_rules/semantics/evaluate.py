"""Evaluate: the value of a core expression in a position. Slow and obvious: the reference for every other back end.

Reads:  core expressions, a position (the codes of every variable, row by row) and the names bound around.
Writes: the code of the value; Booleans are 0 and 1.
After:  nothing is changed. `Contradiction` where an expression has no value: a `Checked` one is outside its type, an index
        outside its table, a divisor not positive. In a checked game the last two happen only if somebody evaluates a line
        after a requirement that fails.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    Type,
    Unique,
)
from pilgrim_rules.core.loops import values_in_order
from pilgrim_rules.core.operators import FOLDS, OPERATIONS, NotPositive
from pilgrim_rules.core.table_cells import OutsideTable, cell
from pilgrim_rules.core.values import show
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Breach, Contradiction, EngineLimit


def evaluate(expr: Expr, env: Environment) -> int:
    """Return the value of the expression."""
    match expr:
        case Lit(value=value):
            return value
        case Bound(name=name):
            return env.names[name]
        case Read(variable=variable, index=index, when=when):
            position = {"now": env.now, "old": env.old, "next": env.next}[when]
            assert position is not None, f"`{variable}` is read {when} where there is no such state"
            types = env.declared.variables[variable].index
            return position[variable][cell_of(variable, types, [evaluate(each, env) for each in index])]
        case Lookup(table=table, index=index):
            constant = env.declared.constants[table]
            return constant.values[cell_of(table, constant.index, [evaluate(each, env) for each in index])]
        case Apply():
            return _apply(expr, env)
        case Cond(test=test, then=then, other=other):
            return evaluate(then if evaluate(test, env) else other, env)
        case Let(name=name, value=value_, body=body):
            return evaluate(body, env.bind(name, evaluate(value_, env)))
        case Checked(value=value_, type=type_):
            found = evaluate(value_, env)
            if not type_.lo <= found <= type_.hi:
                raise Contradiction(outside(expr, found))
            return found
        case Fold():
            return _fold(expr, env)
        case Unique(binders=binders, where=where, keys=keys):
            rows = [tuple(evaluate(key, each) for key in keys) for each in environments(binders, where, env)]
            return int(len(set(rows)) == len(rows))
        case Pick():
            return _pick(expr, env)
        case Call(definition=name, args=args):
            called = env.declared.defs[name]
            values = {param.name: evaluate(arg, env) for param, arg in zip(called.params, args, strict=True)}
            return evaluate(called.body, env.with_names(values))
        case AskNetwork():
            return _ask(expr, env)
        case _:
            assert_never(expr)


def values_of(binder: Binder, env: Environment) -> Iterator[int]:
    """Yield the values of a binder in its order."""
    start = None if binder.start is None else evaluate(binder.start, env)
    if start is not None:
        cell_of(binder.type.name, (binder.type,), [start])  # it is one of the values
    domain = values_in_order(binder, start)
    if binder.among is not None:
        table, index = binder.among
        constant = env.declared.constants[table]
        codes = [evaluate(each, env) for each in index]
        row = cell_of(table, constant.index[:-1], codes) * binder.type.size - binder.type.lo
        domain = tuple(value for value in domain if constant.values[row + value])
    return iter(domain)


def environments(binders: tuple[Binder, ...], where: Expr | None, env: Environment) -> Iterator[Environment]:
    """Yield the env of each combination of values that satisfies `where`, the last binder changing fastest."""
    if binders:
        first, *rest = binders
        for value in values_of(first, env):
            yield from environments(tuple(rest), where, env.bind(first.name, value))
    elif where is None or evaluate(where, env):
        yield env


def ranking_key(keys: tuple[Key, ...], env: Environment) -> tuple[int, ...]:
    """Return the values of the keys, negated where larger is first, so that the smallest tuple comes first."""
    return tuple(-evaluate(key.value, env) if key.descending else evaluate(key.value, env) for key in keys)


def cell_of(table: str, index: tuple[Type, ...], codes: list[int]) -> int:
    """Return the number of a cell of a table; `Contradiction` if it has no such cell."""
    try:
        return cell(index, codes)
    except OutsideTable:
        shown = ", ".join(_show_code(type_, code) for type_, code in zip(index, codes, strict=True))
        raise Contradiction(Breach(f"`{table}[{shown}]` is asked for, which does not exist")) from None


def _show_code(type_: Type, code: int) -> str:
    if type_.lo <= code <= type_.hi:
        return show(type_, code)
    return "none" if type_.kind != "int" and code == type_.hi + 1 else str(code)


def _apply(expr: Apply, env: Environment) -> int:
    operation = OPERATIONS[expr.op]
    if operation.short_circuit is None:
        try:
            return operation.meaning(*[evaluate(each, env) for each in expr.args])
        except NotPositive:
            raise Contradiction(Breach(f"a number is divided (`{expr.op}`) by one that is not positive")) from None
    values: list[int] = []
    for at, arg in enumerate(expr.args):
        values.append(evaluate(arg, env))
        if (decided := operation.short_circuit(at, values[-1])) is not None:
            return decided
    return operation.meaning(*values)


def outside(expr: Checked, value: int) -> Breach:
    """Return what is wrong if a checked expression has a value outside its type."""
    source = expr.value.type
    shown = show(source, value) if source.lo <= value <= source.hi else str(value)
    return Breach(f"`{shown}` is not a value of `{expr.type.name}`", span=expr.span)


def _fold(expr: Fold, env: Environment) -> int:
    operation = FOLDS[expr.op]
    values: list[int] = []
    for each in environments(expr.binders, expr.where, env):
        values.append(evaluate(expr.body, each))
        if values[-1] == operation.decides:
            break
    if values or operation.empty is not None:
        return operation.meaning(values)
    assert expr.default is not None, "the checker wants a default where nothing may satisfy `where`"
    return evaluate(expr.default, env)


def _pick(expr: Pick, env: Environment) -> int:
    found = list(environments((expr.binder,), expr.where, env))
    if not found:
        return expr.type.hi
    first = min(found, key=lambda each: ranking_key(expr.keys, each))  # the first one among equals
    return first.names[expr.binder.name]


def _ask(expr: AskNetwork, env: Environment) -> int:
    from pilgrim_rules.inputs.graphs import network as networks  # noqa: PLC0415  (networkx, which play never needs)

    network = env.declared.networks[expr.network]
    outside = env.with_names({})
    for binder, value in zip(network.binders, expr.index, strict=True):
        outside = outside.bind(binder.name, evaluate(value, env))

    def node(parts: tuple[Expr, ...], where: Environment) -> tuple[int, ...]:
        return tuple(evaluate(part, where) for part in parts)

    nodes = [node(each.node, at) for each in network.nodes for at in environments(each.binders, each.when, outside)]
    links = [
        (node(each.left, at), node(each.right, at), each.nodes_only)
        for each in network.links
        for at in environments(each.binders, each.when, outside)
    ]
    asked = [node(each, env) for each in expr.nodes]
    try:
        answer = networks.answer(expr.question, networks.build(nodes, links), asked)
    except networks.TooManyWays as limit:
        raise EngineLimit(f"`{expr.network}`: {limit}") from None
    return expr.type.hi if answer is None else answer
