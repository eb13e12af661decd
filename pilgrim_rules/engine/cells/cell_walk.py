"""Walks over cell code: what a value is made of, which values stand in a block.

Reads:  cell code.   Writes: values.
After:  no other module needs to know which fields of a node hold values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import is_
from typing import assert_never

from pilgrim_rules.engine.cells.cell_code import (
    AddSlot,
    AskGraph,
    Binary,
    Block,
    Break,
    Choose,
    Clear,
    Continue,
    Copy,
    Domain,
    Emit,
    For,
    If,
    Invoke,
    Load,
    Local,
    Logic,
    Not,
    Number,
    NumberRange,
    Return,
    Set,
    SetSlot,
    Slot,
    Statement,
    Stop,
    Store,
    TableItem,
    TableRow,
    Tee,
    UpTo,
    Value,
)
from pilgrim_rules.util.fast_dataclass import replace


def children(value: Value) -> tuple[Value, ...]:
    """Return the values that a value is made of, in the order of their evaluation."""
    match value:
        case Number() | Local():
            return ()
        case Load(at=at) | TableItem(at=at) | Slot(at=at):
            return (at,)
        case Binary(left=left, right=right):
            return left, right
        case Logic(parts=parts):
            return parts
        case Not(value=inner) | Tee(value=inner):
            return (inner,)
        case Choose(test=test, then=then, other=other):
            return test, then, other
        case Invoke(args=args):
            return args
        case AskGraph(index=index, nodes=nodes):
            return (*index, *(part for node in nodes for part in node))
        case _:
            assert_never(value)


def parts(value: Value) -> Iterator[Value]:
    """Yield the value and everything in it."""
    stack = [value]
    while stack:
        node = stack.pop()
        yield node
        inner = children(node)
        if inner:
            stack += inner[::-1]


def operands(statement: Statement) -> tuple[Value, ...]:
    """Return the values that a statement asks for itself, in the order of their evaluation."""
    match statement:
        case Set(value=value):
            return (value,)
        case Store(at=at, value=value) | SetSlot(at=at, value=value) | AddSlot(at=at, value=value):
            return at, value
        case If(test=test):
            return (test,)
        case For(over=over):
            return domain_operands(over)
        case Return(values=values) | Emit(values=values) | Stop(args=values):
            return values
        case Break() | Continue() | Copy() | Clear():
            return ()
        case _:
            assert_never(statement)


def domain_operands(over: Domain) -> tuple[Value, ...]:
    """Return the values that a domain asks for."""
    match over:
        case NumberRange():
            return ()
        case UpTo(limit=limit):
            return (limit,)
        case TableRow(at=at):
            return (at,)
        case _:
            assert_never(over)


def blocks(statement: Statement) -> tuple[Block, ...]:
    """Return the blocks inside a statement."""
    match statement:
        case If(then=then, other=other):
            return then, other
        case For(body=body):
            return (body,)
        case (
            Set() | Store() | SetSlot() | AddSlot() | Break() | Continue() | Return() | Emit() | Copy() | Clear() | Stop()
        ):  # fmt: skip
            return ()
        case _:
            assert_never(statement)


def statements(block: Block) -> Iterator[Statement]:
    """Yield every statement of a block, nested ones included, in text order."""
    for statement in block:
        yield statement
        for inner in blocks(statement):
            yield from statements(inner)


def values_in(block: Block) -> Iterator[Value]:
    """Yield every value in a block, parts of values included."""
    for statement in statements(block):
        for value in operands(statement):
            yield from parts(value)


def may_stop(block: Block, partial: set[str]) -> bool:
    """Return whether a block can stop, itself or in one of the functions that are known to stop."""
    return any(isinstance(each, Stop) for each in statements(block)) or any(
        isinstance(each, Invoke) and each.function in partial for each in values_in(block)
    )


def rebuild(value: Value, change: Callable[[Value], Value]) -> Value:
    """Return the value with `change` applied to each of its direct parts, in the order of their evaluation."""
    before = children(value)
    now = tuple(map(change, before))
    if all(map(is_, now, before)):
        return value
    match value:
        case Number() | Local():
            return value
        case Load() | TableItem() | Slot():
            return replace(value, at=now[0])
        case Binary():
            return replace(value, left=now[0], right=now[1])
        case Logic():
            return replace(value, parts=now)
        case Not() | Tee():
            return replace(value, value=now[0])
        case Choose():
            return replace(value, test=now[0], then=now[1], other=now[2])
        case Invoke():
            return replace(value, args=now)
        case AskGraph(index=index, nodes=nodes):
            rest = iter(now[len(index) :])
            return replace(
                value, index=now[: len(index)], nodes=tuple(tuple(next(rest) for _ in node) for node in nodes)
            )
        case _:
            assert_never(value)


def rebuild_statement(
    statement: Statement, change: Callable[[Value], Value], inside: Callable[[Block], Block]
) -> Statement:
    """Return the statement with `change` applied to its values, in the order of their evaluation, then `inside` to its blocks."""
    match statement:
        case Set(value=value):
            return replace(statement, value=change(value))
        case Store(at=at) | SetSlot(at=at) | AddSlot(at=at):
            return replace(statement, at=change(at), value=change(statement.value))
        case If(test=test):
            return replace(statement, test=change(test), then=inside(statement.then), other=inside(statement.other))
        case For(over=over):
            return replace(statement, over=rebuild_domain(over, change), body=inside(statement.body))
        case Return(values=values) | Emit(values=values):
            return replace(statement, values=tuple(map(change, values)))
        case Stop(args=args):
            return replace(statement, args=tuple(map(change, args)))
        case Break() | Continue() | Copy() | Clear():
            return statement
        case _:
            assert_never(statement)


def rebuild_domain(over: Domain, change: Callable[[Value], Value]) -> Domain:
    """Return the domain with `change` applied to the value it asks for."""
    match over:
        case NumberRange():
            return over
        case UpTo(limit=limit):
            return UpTo(change(limit))
        case TableRow(table=table, at=at):
            return TableRow(table, change(at))
        case _:
            assert_never(over)
