"""Staged: a core expression over constants -> a Python function, which goes through many values quickly.

Reads:  an expression, the constants and definitions that it asks for.   Writes: a function from the codes of its names to its code.
After:  the value is the one the reference evaluator gives, or the same `Contradiction`, and the tests compare both; operators mean what
        the one table of operators says.

The expression is walked once: each node becomes a closure over a frame of codes. What does not depend on every name around it (the value of a
fold, the values that pass a filter, a call) is worked out once for each combination of those it does depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from operator import itemgetter
from typing import Any, TypeVar, assert_never

from pilgrim_rules.core import ir
from pilgrim_rules.core.loops import values_in_order
from pilgrim_rules.core.operators import FOLDS, OPERATIONS, NotPositive, Operation
from pilgrim_rules.core.walk import binder_parts, binders_of, free_names, subexpressions
from pilgrim_rules.language.check.staged_rows import (
    MOST_KEPT,
    Code,
    Frame,
    Rows,
    filtered,
    filtered_once,
    loop,
    nested,
    one_row,
)
from pilgrim_rules.semantics.errors import Breach, Contradiction
from pilgrim_rules.semantics.evaluate import cell_of, outside

_T = TypeVar("_T")


def table(
    expr: ir.Expr,
    names: tuple[str, ...],
    index: tuple[ir.Type, ...],
    constants: Mapping[str, ir.Constant],
    defs: Mapping[str, ir.Def],
) -> tuple[int, ...]:
    """Return the codes of an expression for all values of its names, the last name changing fastest."""
    run = Stager(constants, defs).function(names, expr)
    return tuple(map(run, product(*(range(each.lo, each.hi + 1) for each in index))))


class Stager:
    """Makes functions over some constants and definitions; each definition becomes one function."""

    def __init__(self, constants: Mapping[str, ir.Constant], defs: Mapping[str, ir.Def]) -> None:
        self._constants = constants
        self._defs = defs
        self._called: dict[str, Callable[[tuple[int, ...]], int]] = {}

    def function(self, names: tuple[str, ...], body: ir.Expr) -> Callable[[tuple[int, ...]], int]:
        """Return the value of an expression as a function of the codes of its names."""
        scope = _Scope(self._constants, self._definition)
        run = scope.code(body, {name: scope.slot() for name in names})
        inner = [0] * (scope.slots - len(names))
        return lambda codes: run([*codes, *inner])

    def _definition(self, name: str) -> Callable[[tuple[int, ...]], int]:
        if name not in self._called:
            found = self._defs[name]
            run = self.function(tuple(param.name for param in found.params), found.body)
            worth = any(isinstance(each, ir.Call) or binders_of(each) for each in subexpressions(found.body))
            self._called[name] = _kept(run) if worth else run
        return self._called[name]


class _Scope:
    """The nodes of one function. Every name that is bound in it has a slot of its own, so none hides another."""

    def __init__(
        self, constants: Mapping[str, ir.Constant], definition: Callable[[str], Callable[[tuple[int, ...]], int]]
    ) -> None:
        self._constants = constants
        self._definition = definition
        self.slots = 0

    def slot(self) -> int:
        """Return a place in the frame that nothing else uses."""
        self.slots += 1
        return self.slots - 1

    def code(self, expr: ir.Expr, names: Mapping[str, int]) -> Code:
        """Return the closure of an expression; names stand for slots."""
        match expr:
            case ir.Lit(value=value):
                return lambda _: value
            case ir.Bound(name=name):
                return itemgetter(names[name])
            case ir.Lookup(table=name, index=index):
                constant = self._constants[name]
                return _lookup(constant, [self.code(each, names) for each in index])
            case ir.Apply(op=op, args=args):
                return _apply(op, OPERATIONS[op], [self.code(each, names) for each in args])
            case ir.Cond(test=test, then=then, other=other):
                return _cond(self.code(test, names), self.code(then, names), self.code(other, names))
            case ir.Let(name=name, value=value_, body=body):
                slot = self.slot()
                return _let(slot, self.code(value_, names), self.code(body, {**names, name: slot}))
            case ir.Checked():
                return _checked(expr, self.code(expr.value, names))
            case ir.Call(definition=definition, args=args):
                return _call(self._definition(definition), [self.code(each, names) for each in args])
            case ir.Fold() | ir.Unique() | ir.Pick():
                return _by_names(self._over_rows(expr, names), free_names(expr), names)
            case ir.Read() | ir.AskNetwork():
                raise AssertionError("a constant asks for no state")
            case _:
                assert_never(expr)

    def _over_rows(self, expr: ir.Fold | ir.Unique | ir.Pick, names: Mapping[str, int]) -> Code:
        inner = {**names, **{binder.name: self.slot() for binder in binders_of(expr)}}
        rows = self._rows(expr, names, inner)
        match expr:
            case ir.Fold(op=op, body=body, default=default):
                otherwise = None if default is None else self.code(default, names)
                return _fold(op, rows, self.code(body, inner), otherwise)
            case ir.Unique(keys=keys):
                return _unique(rows, [self.code(key, inner) for key in keys])
            case ir.Pick(binder=binder, keys=ranked):
                by = [(self.code(key.value, inner), -1 if key.descending else 1) for key in ranked]
                return _pick(rows, inner[binder.name], by, expr.type.hi)
            case _:
                assert_never(expr)

    def _rows(self, expr: ir.Fold | ir.Unique | ir.Pick, names: Mapping[str, int], inner: Mapping[str, int]) -> Rows:
        """Return how to go through the values of the binders that satisfy the filter."""
        binders, where = binders_of(expr), expr.where
        test = None if where is None else self.code(where, inner)
        rows: Rows = one_row
        seen = dict(names)
        for binder in binders:
            domain = self._domain(binder, seen)
            if len(binders) == 1 and where is not None and test is not None:
                around = frozenset().union(
                    *map(free_names, binder_parts(binder))
                )  # outside the scope of the binder's own name
                asked = around | (free_names(where) - {binder.name})
                if asked < names.keys():
                    return filtered_once(inner[binder.name], domain, test, _key(asked, names))
            rows = loop(inner[binder.name], domain) if rows is one_row else nested(rows, inner[binder.name], domain)
            seen[binder.name] = inner[binder.name]
        return rows if test is None else filtered(rows, test)

    def _domain(self, binder: ir.Binder, names: Mapping[str, int]) -> Callable[[Frame], tuple[int, ...]]:
        """Return the values of a binder, in its order, as a function of the frame."""
        type_ = binder.type
        if binder.among is not None:
            table_, index = binder.among
            constant = self._constants[table_]
            codes = [self.code(each, names) for each in index]
            start = None if binder.start is None else self.code(binder.start, names)

            def related(key: tuple[int, ...]) -> tuple[int, ...]:
                first, *at = key
                order = values_in_order(binder, None if start is None else first)
                row = cell_of(table_, constant.index[:-1], at) * type_.size - type_.lo
                return tuple(value for value in order if constant.values[row + value])

            known = _kept(related)
            return lambda frame: known((_begun(start, type_, frame), *[each(frame) for each in codes]))
        if binder.start is not None:
            begin = self.code(binder.start, names)
            turned = _kept(lambda first: values_in_order(binder, first))
            return lambda frame: turned(_begun(begin, type_, frame))
        order = values_in_order(binder)
        return lambda _: order


def _begun(start: Code | None, type_: ir.Type, frame: Frame) -> int:
    """Return the value that a binder begins with, which is one of its values."""
    if start is None:
        return type_.lo
    first = start(frame)
    cell_of(type_.name, (type_,), [first])
    return first


# ---------------------------------------------------------------------------------------------------------------- memory


def _kept(run: Callable[[Any], _T], key: Callable[[Any], object] | None = None) -> Callable[[Any], _T]:
    """Return a function that remembers its values, by what it is asked for, or by what the key says of that."""
    known: dict[Any, _T] = {}

    def ask(asked: Any) -> _T:
        at = asked if key is None else key(asked)
        if at in known:
            return known[at]
        value = run(asked)
        if len(known) < MOST_KEPT:
            known[at] = value
        return value

    return ask


def _key(asked: frozenset[str], names: Mapping[str, int]) -> Callable[[Frame], object]:
    """Return what tells two frames apart by the names that are asked for."""
    slots = sorted(names[name] for name in asked)
    return itemgetter(*slots) if slots else lambda _: ()


def _by_names(run: Code, asked: frozenset[str], names: Mapping[str, int]) -> Code:
    """Return the closure, which remembers its values if it does not ask for every name around."""
    if not names or not asked < names.keys():
        return run
    return _kept(run, _key(asked, names))


# ----------------------------------------------------------------------------------------------------------------- nodes


def _lookup(constant: ir.Constant, index: list[Code]) -> Code:
    values, types = constant.values, constant.index
    if len(index) == 1 and len(types) == 1:
        (at,), low, size = index, types[0].lo, types[0].size

        def look(frame: Frame) -> int:
            code = at(frame) - low
            return values[code if 0 <= code < size else cell_of(constant.name, types, [code + low])]

        return look
    return lambda frame: values[cell_of(constant.name, types, [each(frame) for each in index])]


def _apply(op: str, operation: Operation, args: list[Code]) -> Code:
    meaning, decides = operation.meaning, operation.short_circuit
    if operation.divides:
        return lambda frame: _divided(op, meaning, [each(frame) for each in args])
    if decides is not None:
        decided = [(each, (decides(at, 0), decides(at, 1))) for at, each in enumerate(args)]
        return lambda frame: _connected(meaning, decided, frame)
    if len(args) == 2:  # noqa: PLR2004  (most operators)
        left, right = args
        return lambda frame: meaning(left(frame), right(frame))
    return lambda frame: meaning(*[each(frame) for each in args])


def _divided(op: str, meaning: Callable[..., int], values: list[int]) -> int:
    try:
        return meaning(*values)
    except NotPositive:
        raise Contradiction(Breach(f"a number is divided (`{op}`) by one that is not positive")) from None


def _connected(
    meaning: Callable[..., int], args: list[tuple[Code, tuple[int | None, int | None]]], frame: Frame
) -> int:
    values = []
    for arg, decides in args:
        value = arg(frame)
        decided = decides[value]
        if decided is not None:
            return decided
        values.append(value)
    return meaning(*values)


def _cond(test: Code, then: Code, other: Code) -> Code:
    return lambda frame: then(frame) if test(frame) else other(frame)


def _let(slot: int, value: Code, body: Code) -> Code:
    def run(frame: Frame) -> int:
        frame[slot] = value(frame)
        return body(frame)

    return run


def _checked(expr: ir.Checked, value: Code) -> Code:
    low, high = expr.type.lo, expr.type.hi

    def run(frame: Frame) -> int:
        found = value(frame)
        if not low <= found <= high:
            raise Contradiction(outside(expr, found))
        return found

    return run


def _call(run: Callable[[tuple[int, ...]], int], args: list[Code]) -> Code:
    return lambda frame: run(tuple([each(frame) for each in args]))


def _fold(op: ir.FoldOp, rows: Rows, body: Code, default: Code | None) -> Code:
    meaning, empty, decides = FOLDS[op].meaning, FOLDS[op].empty, FOLDS[op].decides

    def run(frame: Frame) -> int:
        values = []
        for _ in rows(frame):
            value = body(frame)
            values.append(value)
            if value == decides:
                break
        if values or empty is not None:
            return meaning(values)
        assert default is not None, "the checker wants a default where nothing may satisfy `where`"
        return default(frame)

    return run


def _unique(rows: Rows, keys: list[Code]) -> Code:
    def run(frame: Frame) -> int:
        found = [tuple([key(frame) for key in keys]) for _ in rows(frame)]
        return int(len(set(found)) == len(found))

    return run


def _pick(rows: Rows, slot: int, keys: list[tuple[Code, int]], nothing: int) -> Code:
    def run(frame: Frame) -> int:
        def rank(value: int) -> tuple[int, ...]:
            frame[slot] = value
            return tuple([sign * key(frame) for key, sign in keys])

        found = [frame[slot] for _ in rows(frame)]
        return min(found, key=rank) if found else nothing  # the first one among equals

    return run
