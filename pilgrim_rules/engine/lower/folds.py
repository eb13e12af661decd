"""Folds: quantifiers, aggregates and choices as loops.

Reads:  simplified folds and the scope they stand in.   Writes: loops, and the name that holds their result.
After:  a loop ends as soon as its result is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import prod
from typing import TypeAlias

from pilgrim_rules.core.bounds import range_of
from pilgrim_rules.core.intervals import TRUTH
from pilgrim_rules.core.ir import Binder, Bound, Expr, Fold, FoldOp, Key, Pick, Unique
from pilgrim_rules.core.loops import values_in_order
from pilgrim_rules.core.operators import fold_table
from pilgrim_rules.engine.cells.cell_code import (
    Break,
    Clear,
    Local,
    Number,
    Set,
    SetSlot,
    Slot,
    Statement,
    TableItem,
    TableRow,
    UpTo,
    Value,
)
from pilgrim_rules.engine.cells.cell_values import ONE, ZERO, binary, logic, minus, negation, plus, times
from pilgrim_rules.engine.lower.lowering import Lowering, Scope

_LARGEST_MARKED = 4096  #: combinations of keys for which an array says whether they have been met


@contextmanager
def loop(lower: Lowering, binder: Binder, scope: Scope) -> Iterator[Scope]:
    """Add a loop over a binder's values; what is added inside is its body."""
    builder, tables = lower.builder, lower.tables
    local = builder.local(binder.name, range_of(binder.type))
    inner = scope.bind(binder.name, local)
    if binder.start is not None:
        start = lower.place((binder.type,), (binder.start,), 0, 1, scope)
        with builder.loop(local, TableRow(tables.turns(binder), start)):
            if binder.among is None:
                yield inner
            else:  # round the table from `start`, leaving out what does not stand in the relation
                with tested(lower, _related(lower, binder, inner)):
                    yield inner
        return
    if binder.among is not None:
        table, index = binder.among
        row = lower.place(lower.declared.constants[table].index[:-1], index, 0, 1, scope)
        with builder.loop(local, TableRow(tables.members(binder, table), row)):
            yield inner
        return
    with builder.loop(local, tables.domain(values_in_order(binder))):
        yield inner


def _related(lower: Lowering, binder: Binder, scope: Scope) -> Value:
    assert binder.among is not None
    table, index = binder.among
    constant = lower.declared.constants[table]
    own = lower.place(constant.index, (*index, Bound(binder.name, binder.type)), 0, 1, scope)
    return TableItem(lower.tables.constant(table), own, TRUTH)


def fold(lower: Lowering, expr: Fold, scope: Scope) -> Value:
    """Add a quantifier or aggregate."""
    return _FOLDS[expr.op](lower, expr, scope)


def pick(lower: Lowering, expr: Pick, scope: Scope) -> Value:
    """Add a choice: the first value, or the best by its keys."""
    builder = lower.builder
    domain = range_of(expr.binder.type)
    found = builder.variable("", (domain[0], max(domain[1], expr.type.hi)), Number(expr.type.hi))
    with builder.aside() as lines:
        starts: list[Statement] = []
        with loop(lower, expr.binder, scope) as inner, tested_by(lower, expr.where, inner):
            local = inner.names[expr.binder.name]
            if not expr.keys:
                builder.add(Set(found, local))
                builder.add(Break())
            else:
                starts = _better(lower, expr.keys, found, local, inner)
    builder.paste((*starts, *lines))
    return found


def _better(lower: Lowering, keys: tuple[Key, ...], found: Local, local: Value, scope: Scope) -> list[Statement]:
    """Take a value whose keys are smaller than the best so far; return how the best begin: greater than all keys."""
    builder = lower.builder
    values = [lower.value(key.value, scope) for key in keys]
    own = [builder.named(minus(ZERO, v) if key.descending else v) for v, key in zip(values, keys, strict=True)]
    best = [builder.accumulator((each.range[0], each.range[1] + 1)) for each in own]
    smaller: Value = ZERO
    for mine, other in reversed(list(zip(own, best, strict=True))):
        same = logic("and", (binary("==", mine, other), smaller))
        smaller = logic("or", (binary("<", mine, other), same))
    taken = (*(Set(other, mine) for mine, other in zip(own, best, strict=True)), Set(found, local))
    builder.when(smaller, taken)
    return [Set(each, Number(each.range[1])) for each in best]


def unique(lower: Lowering, expr: Unique, scope: Scope) -> Value:
    """Add the question whether no two values agree on all keys."""
    builder = lower.builder
    found = builder.variable("", TRUTH, ONE)
    number: Local | None = None
    array = ""
    with builder.aside() as lines, rounds(lower, expr.binders, expr.where, scope) as inner:
        keys = [builder.named(lower.value(key, inner)) for key in expr.keys]
        if prod(key.range[1] - key.range[0] + 1 for key in keys) <= _LARGEST_MARKED:
            array = _marked(lower, keys, found)
        else:
            number = _compared(lower, keys, found, prod(binder.type.size for binder in expr.binders))
    builder.add(Set(number, ZERO) if number is not None else Clear(array))
    builder.paste(tuple(lines))
    return found


def _marked(lower: Lowering, keys: list[Value], found: Local) -> str:
    """Note that a combination of keys has been met in an array with a place for each."""
    builder = lower.builder
    at: Value = ZERO
    for key in keys:
        lo, hi = key.range
        at = plus(times(at, Number(hi - lo + 1)), plus(key, Number(-lo)))
    at = builder.named(at)
    array = builder.array("met", at.range[1] + 1, TRUTH)
    builder.when(Slot(array, at, TRUTH), (Set(found, ZERO),))
    builder.add(SetSlot(array, at, ONE))
    return array


def _compared(lower: Lowering, keys: list[Value], found: Local, most: int) -> Local:
    """Compare a combination of keys with all met before; return the local that counts them."""
    builder = lower.builder
    number = builder.accumulator((0, most))
    arrays = [(builder.array("keys", most, key.range), key) for key in keys]
    other = builder.local("", (0, most - 1))
    with builder.loop(other, UpTo(number)):
        same = logic("and", [binary("==", Slot(array, other, key.range), key) for array, key in arrays])
        builder.when(same, (Set(found, ZERO), Break()))
    for array, key in arrays:
        builder.add(SetSlot(array, number, key))
    builder.add(Set(number, plus(number, ONE)))
    return number


def _sum(lower: Lowering, expr: Fold, scope: Scope) -> Value:
    builder = lower.builder
    most = prod(binder.type.size for binder in expr.binders)
    with builder.aside() as lines, rounds(lower, expr.binders, expr.where, scope) as inner:
        value = lower.value(expr.body, inner)
        found = builder.accumulator((min(value.range[0] * most, 0), max(value.range[1] * most, 0)))
        builder.add(Set(found, plus(found, value)))
    builder.add(Set(found, ZERO))
    builder.paste(tuple(lines))
    return found


def _extreme(lower: Lowering, expr: Fold, scope: Scope) -> Value:
    """Add `max` or `min`, beginning with a number that no value reaches."""
    builder = lower.builder
    with builder.aside() as lines, rounds(lower, expr.binders, expr.where, scope) as inner:
        value = builder.named(lower.value(expr.body, inner))
        (lo, hi), largest = value.range, expr.op == "max"
        beyond = lo - 1 if largest else hi + 1
        found = builder.accumulator((min(lo, beyond), max(hi, beyond)))
        builder.when(binary(">" if largest else "<", value, found), (Set(found, value),))
    builder.add(Set(found, Number(beyond)))
    builder.paste(tuple(lines))
    if expr.default is None:
        return found
    with builder.aside() as default_lines:
        default = lower.value(expr.default, scope)
    result = builder.accumulator((min(lo, default.range[0]), max(hi, default.range[1])))
    default_lines.append(Set(result, default))
    builder.add(Set(result, found))
    builder.when(binary("==", found, Number(beyond)), tuple(default_lines))
    return result


def _decided(lower: Lowering, expr: Fold, scope: Scope) -> Value:
    found = lower.builder.variable("", TRUTH, Number(int(expr.op == "all")))
    _quantifier(lower, expr, expr.binders, found, scope)
    return found


def _quantifier(lower: Lowering, expr: Fold, binders: tuple[Binder, ...], found: Local, scope: Scope) -> None:
    """Add the loops of `all` or `some`; every loop ends when the result is decided."""
    builder = lower.builder
    first, *rest = binders
    with loop(lower, first, scope) as inner:
        if rest:
            _quantifier(lower, expr, tuple(rest), found, inner)
            builder.when(negation(found) if expr.op == "all" else found, (Break(),))
            return
        with tested_by(lower, expr.where, inner):
            body = lower.value(expr.body, inner)
            decided = (Set(found, Number(int(expr.op != "all"))), Break())
            builder.when(negation(body) if expr.op == "all" else body, decided)


@contextmanager
def rounds(lower: Lowering, binders: tuple[Binder, ...], where: Expr | None, scope: Scope) -> Iterator[Scope]:
    """Add loops over all values that satisfy `where`."""
    first, *rest = binders
    with loop(lower, first, scope) as inner:
        if rest:
            with rounds(lower, tuple(rest), where, inner) as innermost:
                yield innermost
        else:
            with tested_by(lower, where, inner):
                yield inner


@contextmanager
def tested_by(lower: Lowering, where: Expr | None, scope: Scope) -> Iterator[None]:
    """Add what is added inside only where a simplified condition holds."""
    with tested(lower, ONE if where is None else lower.value(where, scope)):
        yield


@contextmanager
def tested(lower: Lowering, test: Value) -> Iterator[None]:
    """Add what is added inside only where the test holds."""
    if test == ONE:
        yield
    else:
        with lower.builder.branch(test) as block:
            yield
        lower.builder.when(test, tuple(block))


_Lower: TypeAlias = Callable[[Lowering, Fold, Scope], Value]
_FOLDS: Mapping[FoldOp, _Lower] = fold_table(
    "engine/lower folds",
    {"all": _decided, "some": _decided, "count": _sum, "sum": _sum, "max": _extreme, "min": _extreme},
)
