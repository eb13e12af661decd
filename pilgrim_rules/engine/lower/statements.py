"""Statements: effects as cell code that writes the working state.

Reads:  statements and the scope they stand in.   Writes: statements that change the state `w`.
After:  the working state is what `effects.perform` gives, or the code has stopped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate
from typing import assert_never

from pilgrim_rules.core.intervals import Interval, inside
from pilgrim_rules.core.ir import Assign, Branch, Define, Expr, Loop, Stmt
from pilgrim_rules.core.loops import variables_that_may_meet
from pilgrim_rules.core.rule_walk import assignments
from pilgrim_rules.engine.cells.cell_code import (
    WORK,
    AddSlot,
    Array,
    Block,
    Clear,
    Copy,
    Invoke,
    Load,
    Local,
    Number,
    Set,
    SetSlot,
    Slot,
    Stop,
    Store,
    UpTo,
    Value,
)
from pilgrim_rules.engine.cells.cell_values import ONE, ZERO, binary, plus, times, within
from pilgrim_rules.engine.cells.cell_walk import values_in
from pilgrim_rules.engine.lower import folds
from pilgrim_rules.engine.lower.lowering import Lowering, Scope
from pilgrim_rules.semantics.state_layout import Field

_SET, _ADDED = 1, 2  #: what the ledger's marks say of a cell


@dataclass(frozen=True, slots=True)
class _Ledger:
    """Keeps what a simultaneous loop writes until its end, where it may write a cell more than once.

    Cells are numbered through all variables that the loop writes; `first` is the number of each one's first cell. The names
    are arrays: whether a cell was set or added to; what was set or is to be added; the line that added last; the cells in
    the order in which they were first written, `count` of them.
    """

    first: dict[str, int]
    mark: str
    value: str
    line: str
    order: str
    count: Local
    ranges: list[Interval]  #: of what is written, as far as it has been lowered


class Statements:
    """Lowers the statements of one game."""

    def __init__(self, lower: Lowering) -> None:
        self._lower = lower
        self._builder = lower.builder
        self._sites: Interval = (0, len(lower.sites.assigns))

    def block(self, block: tuple[Stmt, ...], scope: Scope, ledger: _Ledger | None = None) -> None:
        """Add statements; with a ledger, inside a simultaneous loop that keeps one."""
        lower, builder = self._lower, self._builder
        for stmt in block:
            match stmt:
                case Assign():
                    self._assign(stmt, scope, ledger)
                case Define(name=name, value=value):
                    scope = scope.bind(name, builder.named(lower.expr(value, scope), name))
                case Branch(test=test, then=then, other=other):
                    asked = lower.expr(test, scope)
                    with builder.branch(asked) as then_lines:
                        self.block(then, scope, ledger)
                    with builder.branch(asked, held=False) as other_lines:
                        self.block(other, scope, ledger)
                    builder.when(asked, tuple(then_lines), tuple(other_lines))
                case Loop(simultaneous=True) if scope.now == WORK:
                    self._simultaneous_loop(stmt, scope)
                case Loop():
                    self._loop(stmt, scope, ledger)
                case _:
                    assert_never(stmt)

    # ----------------------------------------------------------------------------------------------------------- loops

    def _loop(self, stmt: Loop, scope: Scope, ledger: _Ledger | None) -> None:
        simplified = self._lower.simplify.binder(stmt.binder)
        where = None if stmt.where is None else self._lower.simplify(stmt.where)
        with folds.loop(self._lower, simplified, scope) as inner, folds.tested_by(self._lower, where, inner):
            self.block(stmt.body, inner, ledger)

    def _simultaneous_loop(self, stmt: Loop, scope: Scope) -> None:
        """Add a simultaneous loop: it reads a copy of the working state."""
        start = self._builder.name("start")
        with self._builder.aside() as lines:
            frozen = replace(scope, now=start)
            if not variables_that_may_meet(stmt):
                self._loop(stmt, frozen, None)
            else:
                self._keep_ledger(stmt, frozen)
        if any(_reads(value, start) for value in values_in(tuple(lines))):
            self._builder.add(Copy(start, WORK))
        self._builder.paste(tuple(lines))

    def _keep_ledger(self, stmt: Loop, scope: Scope) -> None:
        """Add a simultaneous loop that may write a cell more than once."""
        builder = self._builder
        fields = [self._lower.layout.by_name[name] for name in dict.fromkeys(e.variable for e in assignments((stmt,)))]
        starts = [0, *accumulate(field.count for field in fields)]
        first = {field.variable.name: start for field, start in zip(fields, starts, strict=False)}
        names = mark, value, line, order = [builder.name(hint) for hint in ("mark", "value", "line", "order")]
        ledger = _Ledger(first, mark, value, line, order, builder.accumulator((0, starts[-1])), [])
        builder.add(Clear(ledger.mark))
        builder.add(Set(ledger.count, ZERO))
        self._loop(stmt, scope, ledger)
        most = _most_rounds((stmt,))
        lo, hi = min(low for low, _ in ledger.ranges), max(high for _, high in ledger.ranges)
        spans = ((0, _ADDED), (min(lo * most, 0), max(hi * most, 0)), self._sites, (0, starts[-1] - 1))
        builder.arrays += [Array(name, starts[-1], span) for name, span in zip(names, spans, strict=True)]
        self._post(ledger, fields, spans[1])

    def _post(self, ledger: _Ledger, fields: list[Field], span: Interval) -> None:
        """Write what the ledger holds, values in this range, into the working state."""
        builder = self._builder
        place = builder.local("", (0, ledger.count.range[1] - 1))
        with builder.loop(place, UpTo(ledger.count)):
            cell = builder.named(Slot(ledger.order, place, place.range), "cell")
            for field in fields:
                first = ledger.first[field.variable.name]
                mine = within(cell, (first, first + field.count - 1))
                with builder.branch(mine) as block:
                    number = plus(builder.know(cell), Number(-first))
                    at = builder.named(plus(times(number, Number(field.width)), Number(field.offset)), "at")
                    written = builder.named(Slot(ledger.value, cell, span))
                    with builder.aside() as adding:
                        total = plus(written, self._lower.cell(WORK, at, field))
                        self._store_checked(field, at, total, Slot(ledger.line, cell, self._sites))
                    store = Store(WORK, at, written, field.width)
                    was_set = binary("==", Slot(ledger.mark, cell, (0, _ADDED)), Number(_SET))
                    builder.when(was_set, (store,), tuple(adding))
                builder.when(mine, tuple(block))

    # ----------------------------------------------------------------------------------------------------- assignments

    def _assign(self, stmt: Assign, scope: Scope, ledger: _Ledger | None) -> None:
        lower, builder = self._lower, self._builder
        field = lower.layout.by_name[stmt.variable]
        lo = field.variable.type.lo
        index = tuple(lower.simplify(each) for each in stmt.index)
        if ledger is not None:
            self._enter(stmt, field, index, scope, ledger)
            return
        at = (
            builder.named(lower.address(field, index, scope))
            if stmt.mode == "add"
            else lower.address(field, index, scope)
        )
        value = lower.expr(stmt.value, scope)
        # In raw numbers: what the type counts from is in the cell already.
        raw = plus(lower.cell(WORK, at, field), value) if stmt.mode == "add" else plus(value, Number(-lo))
        self._store_checked(field, at, raw, Number(lower.sites.assign(stmt)))

    def _store_checked(self, field: Field, at: Value, raw: Value, site: Value) -> None:
        """Add a store, and before it the question whether the cell can hold the value, counted from the lowest."""
        builder, type_ = self._builder, field.variable.type
        span = (0, field.highest - type_.lo)
        if not inside(raw.range, span):
            at, raw = builder.named(at), builder.named(raw)
            stop = Stop("range", (site, at, plus(raw, Number(type_.lo))))
            builder.stop_unless(within(raw, span), stop)
            raw = builder.know(raw)
        builder.add(Store(WORK, at, raw, field.width))

    def _enter(self, stmt: Assign, field: Field, index: tuple[Expr, ...], scope: Scope, ledger: _Ledger) -> None:
        """Add an assignment to the ledger of its loop."""
        lower, builder, type_ = self._lower, self._builder, field.variable.type
        number = builder.named(lower.place(field.variable.index, index, 0, 1, scope))
        at = plus(times(number, Number(field.width)), Number(field.offset))
        cell = builder.named(plus(number, Number(ledger.first[stmt.variable])), "cell")
        value = builder.named(lower.expr(stmt.value, scope))
        mark = Slot(ledger.mark, cell, (0, _ADDED))
        site = Number(lower.sites.assign(stmt))
        taken = binary("==", mark, Number(_SET)) if stmt.mode == "add" else binary("!=", mark, ZERO)
        builder.when(taken, (Stop("twice", (site, at)),))
        first_time: Block = (SetSlot(ledger.order, ledger.count, cell), Set(ledger.count, plus(ledger.count, ONE)))
        if stmt.mode == "set":
            builder.stop_unless(within(value, (type_.lo, field.highest)), Stop("range", (site, at, value)))
            raw = plus(builder.know(value), Number(-type_.lo))
            ledger.ranges.append(raw.range)
            builder.paste((SetSlot(ledger.mark, cell, Number(_SET)), SetSlot(ledger.value, cell, raw), *first_time))
            return
        ledger.ranges.append(value.range)
        begin = (SetSlot(ledger.mark, cell, Number(_ADDED)), SetSlot(ledger.value, cell, value), *first_time)
        builder.when(binary("==", mark, ZERO), begin, (AddSlot(ledger.value, cell, value),))
        builder.add(SetSlot(ledger.line, cell, site))


def _reads(value: Value, state: str) -> bool:
    return (isinstance(value, Load) and value.state == state) or (isinstance(value, Invoke) and state in value.states)


def _most_rounds(block: tuple[Stmt, ...]) -> int:
    """Return how many assignments a block makes at most."""
    found = 0
    for stmt in block:
        match stmt:
            case Assign():
                found += 1
            case Define():
                pass
            case Branch(then=then, other=other):
                found += max(_most_rounds(then), _most_rounds(other))
            case Loop(binder=binder, body=body):
                found += binder.type.size * _most_rounds(body)
            case _:
                assert_never(stmt)
    return found
