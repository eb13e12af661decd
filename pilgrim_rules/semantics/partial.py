"""Partial: an expression in a position of which some cells are not known.

Reads:  a core expression, a position, which of its cells are unknown.   Writes: its value, or a `Residual`: bounds of the value, from
        bounds of the unknown cells.
After:  whatever the unknown cells hold, inside their bounds, the value lies inside the bounds that a residual gives. Where the expression asks
        too much (an unknown index, a choice by unknown keys, a network) these are the bounds of its type. Nothing depends on what the
        position says of unknown cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from typing import TypeAlias, assert_never

from pilgrim_rules.core import intervals
from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.footprint import reads
from pilgrim_rules.core.intervals import Interval
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
    Operator,
    Pick,
    Read,
    Type,
    Unique,
)
from pilgrim_rules.core.loops import values_in_order
from pilgrim_rules.core.operators import FOLDS, OPERATIONS, NotPositive
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.evaluate import cell_of, evaluate
from pilgrim_rules.semantics.state_layout import Position

Bounds: TypeAlias = Sequence[Interval]  #: of the unknown cells, by their numbers


@dataclass(frozen=True, slots=True)
class Residual:
    """What is left of an expression: the unknown cells it depends on, and bounds of its value."""

    cells: frozenset[int]
    within: Callable[[Bounds], Interval]


Partial: TypeAlias = int | Residual


class _Unclear(Exception):
    """What is asked depends on unknown cells in a way that is not followed."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known where an expression stands; `unknown` gives the number of each unknown cell, by variable and place."""

    declared: Declarations
    position: Position
    unknown: Mapping[tuple[str, int], int]
    names: Mapping[str, Partial]

    def bind(self, name: str, value: Partial) -> Known:
        """Return the same, with one name more."""
        return replace(self, names={**self.names, name: value})


def partial(expr: Expr, known: Known) -> Partial:
    """Return the value of the expression, or what is left of it; it reads one state only."""
    try:
        return _partial(expr, known)
    except (_Unclear, Contradiction, NotPositive):  # a part that has no value may be one that is not reached
        return _any_of(expr.type)


def conjuncts(expr: Expr, known: Known) -> Iterator[Partial]:
    """Yield what must hold one by one so that the expression holds."""
    match expr:
        case Apply(op="and", args=args):
            for arg in args:
                yield from conjuncts(arg, known)
        case Fold(op="all", binders=binders, where=where, body=body):
            try:
                rows = list(_rows(binders, where, known))
            except (_Unclear, Contradiction, NotPositive):  # among which values is not known
                return
            for each, test in rows:
                if isinstance(test, int):
                    yield from conjuncts(body, each)
                else:
                    yield applied("implies", (test, partial(body, each)))
        case _:  # it cannot be divided
            yield partial(expr, known)


def applied(op: Operator, args: Sequence[Partial]) -> Partial:
    """Return the value of an operator, or what is left of it."""
    operation = OPERATIONS[op]
    numbers = [each for each in args if isinstance(each, int)]
    if len(numbers) == len(args):
        return operation.meaning(*numbers)
    if operation.short_circuit is not None:
        for at, each in enumerate(args):
            decided = operation.short_circuit(at, each) if isinstance(each, int) else None
            if decided is not None:
                return decided
    interval = operation.interval
    cells = frozenset[int]().union(*(each.cells for each in args if isinstance(each, Residual)))
    parts = [_within(each) for each in args]
    return Residual(cells, lambda bounds: interval(*[each(bounds) for each in parts]))


def _partial(expr: Expr, known: Known) -> Partial:
    match expr:
        case Lit(value=value):
            return value
        case Bound(name=name):
            return known.names[name]
        case Read(variable=variable, index=index):
            at = cell_of(variable, known.declared.variables[variable].index, _numbers(index, known))
            number = known.unknown.get((variable, at))
            return known.position[variable][at] if number is None else _cell(number)
        case Lookup(table=table, index=index):
            constant = known.declared.constants[table]
            return constant.values[cell_of(table, constant.index, _numbers(index, known))]
        case Apply(op=op, args=args):
            return _apply(op, args, known)
        case Cond(test=test, then=then, other=other):
            return _cond(_partial(test, known), lambda: partial(then, known), lambda: partial(other, known))
        case Let(name=name, value=value_, body=body):
            return _partial(body, known.bind(name, partial(value_, known)))
        case Checked(value=value_):
            found = _partial(value_, known)
            return (
                evaluate(replace(expr, value=Lit(found, value_.type)), _nowhere(known))
                if isinstance(found, int)
                else found
            )
        case Fold():
            return _fold(expr, known)
        case Unique(binders=binders, where=where, keys=keys):
            rows = [(test, [partial(key, each) for key in keys]) for each, test in _rows(binders, where, known)]
            return _all(
                applied("not", [_all([one, other, *_equal(left, right)])])
                for (one, left), (other, right) in combinations(rows, 2)
            )
        case Call(definition=name, args=args):
            called = known.declared.defs[name]
            values = {param.name: partial(arg, known) for param, arg in zip(called.params, args, strict=True)}
            return _partial(called.body, replace(known, names=values))
        case Pick() | AskNetwork():
            return _asked(expr, known)
        case _:
            assert_never(expr)


def _any_of(type_: Type) -> Residual:
    bounds = (type_.lo, type_.hi)
    return Residual(frozenset(), lambda _: bounds)


def _cell(number: int) -> Residual:
    return Residual(frozenset((number,)), lambda bounds: bounds[number])


def _within(each: Partial) -> Callable[[Bounds], Interval]:
    if isinstance(each, Residual):
        return each.within
    alone = (each, each)
    return lambda _: alone


def _numbers(exprs: Sequence[Expr], known: Known) -> list[int]:
    found = []
    for each in exprs:
        value = _partial(each, known)
        if not isinstance(value, int):
            raise _Unclear
        found.append(value)
    return found


def _nowhere(known: Known) -> Environment:
    return Environment(known.declared, known.position, {})


def _apply(op: Operator, args: Sequence[Expr], known: Known) -> Partial:
    decides = OPERATIONS[op].short_circuit
    values: list[Partial] = []
    for at, arg in enumerate(args):
        # Behind an argument that is not known, one without a value may never be reached.
        values.append(partial(arg, known) if values else _partial(arg, known))
        last = values[-1]
        decided = decides(at, last) if decides is not None and isinstance(last, int) else None
        if decided is not None:
            return decided
    return applied(op, values)


def _cond(test: Partial, then: Callable[[], Partial], other: Callable[[], Partial]) -> Partial:
    if isinstance(test, int):
        return then() if test else other()
    left, right = then(), other()
    ask, yes, no = test.within, _within(left), _within(right)
    cells = test.cells.union(*(each.cells for each in (left, right) if isinstance(each, Residual)))

    def within(bounds: Bounds) -> Interval:
        low, high = ask(bounds)
        if low == high:
            return yes(bounds) if low else no(bounds)
        return intervals.join(yes(bounds), no(bounds))

    return Residual(cells, within)


def _fold(expr: Fold, known: Known) -> Partial:
    operation, rows = FOLDS[expr.op], list(_rows(expr.binders, expr.where, known))
    if operation.empty is None and any(not isinstance(test, int) for _, test in rows):
        raise _Unclear
    values = [
        _cond(test, lambda each=each: partial(expr.body, each), lambda: operation.empty or 0)  # type: ignore[misc]  # bound now
        for each, test in rows
    ]
    if not values:
        if operation.empty is not None:
            return operation.empty
        assert expr.default is not None, "the checker wants a default where nothing may satisfy `where`"
        return _partial(expr.default, known)
    return _combined(operation.combines, values)


def _combined(op: Operator, values: Sequence[Partial]) -> Partial:
    """Return the values joined by an operator, of which order does not matter; there may be very many."""
    operation = OPERATIONS[op]
    numbers = [each for each in values if isinstance(each, int)]
    left = [each for each in values if isinstance(each, Residual)]
    joined = reduce(operation.meaning, numbers) if numbers else None
    if not left:
        assert joined is not None, "there are values"
        return joined
    if joined is not None and operation.short_circuit is not None:
        decided = operation.short_circuit(0, joined)
        if decided is not None:
            return decided
    interval = operation.interval
    parts = [_within(each) for each in (*left, *(() if joined is None else (joined,)))]
    cells = frozenset[int]().union(*(each.cells for each in left))
    return Residual(cells, lambda bounds: reduce(interval, [each(bounds) for each in parts]))


def _all(truths: Iterator[Partial] | Sequence[Partial]) -> Partial:
    return _combined("and", [1, *truths])


def _equal(left: Sequence[Partial], right: Sequence[Partial]) -> list[Partial]:
    return [applied("==", pair) for pair in zip(left, right, strict=True)]


def _rows(binders: tuple[Binder, ...], where: Expr | None, known: Known) -> Iterator[tuple[Known, Partial]]:
    """Yield what is known for each combination of values, with the test of it, unless that is false; order does not matter."""
    if binders:
        first, *rest = binders
        for value in _values(first, known):
            yield from _rows(tuple(rest), where, known.bind(first.name, value))
        return
    test = 1 if where is None else partial(where, known)
    if not isinstance(test, int) or test:
        yield known, test


def _values(binder: Binder, known: Known) -> Iterator[int]:
    domain = values_in_order(replace(binder, start=None))
    if binder.among is None:
        yield from domain
        return
    table, index = binder.among
    constant = known.declared.constants[table]
    row = cell_of(table, constant.index[:-1], _numbers(index, known)) * binder.type.size - binder.type.lo
    yield from (value for value in domain if constant.values[row + value])


def _asked(expr: Pick | AskNetwork, known: Known) -> Partial:
    """Return the value of what is not followed into unknown cells, if it does not depend on any."""
    names = {name: value for name, value in known.names.items() if isinstance(value, int)}
    read = reads([expr], known.declared.defs, known.declared.networks)
    if len(names) < len(known.names) or any(name in read for name, _ in known.unknown):
        raise _Unclear
    return evaluate(expr, Environment(known.declared, known.position, names))
