"""Effects: the statements of an action as code that changes a whole batch of states.

Reads:  core statements.   Writes: lines of a generated function that write the array of states in place.
After:  the array holds what the evaluator's `perform` gives, row by row; rows in which the rules contradict themselves
        are recorded in `wrong` and hold some state, to be thrown away.

A branch that differs from row to row runs for all rows and writes only where it is taken. A cell is written by adding
the difference to its word, so one operation serves `set` and `add`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import assert_never

from pilgrim_rules.core.ir import Assign, Bound, Branch, Define, Loop, Stmt
from pilgrim_rules.core.walk import assignments
from verifier.explore.code import LARGEST, Scope, Value, number
from verifier.explore.expressions import Expressions
from verifier.explore.module import Site
from verifier.explore.operators import as_number, as_truth, choose, negated


@dataclass(frozen=True, slots=True)
class Pen:
    """Where assignments go: into the states themselves, or, inside a simultaneous loop, some into ledgers."""

    states: str
    together: bool = False
    ledgers: Mapping[str, str] = field(default_factory=dict)


class Effects(Expressions):
    """Writes the code of statements into one function."""

    def run(self, block: tuple[Stmt, ...], scope: Scope, pen: Pen) -> None:
        """Write the code of a block."""
        for stmt in block:
            match stmt:
                case Assign():
                    self._assign(stmt, scope, pen)
                case Define(name=name, value=value):
                    scope = scope.bind(name, self.out.keep(self.value(value, scope)))
                case Branch():
                    self._branch(stmt, scope, pen)
                case Loop(simultaneous=True) if not pen.together:
                    self._together(stmt, scope, pen)
                case Loop():
                    self._loop(stmt, scope, pen)
                case _:
                    assert_never(stmt)

    def _branch(self, stmt: Branch, scope: Scope, pen: Pen) -> None:
        test = self.out.keep(as_truth(self.value(stmt.test, scope)))
        if test.known is not None:
            self.run(stmt.then if test.known else stmt.other, scope, pen)
        elif test.rows:
            # Both sides are chosen before either writes.
            sides = [(stmt.then, self.narrow(scope, test)), (stmt.other, self.narrow(scope, negated(test)))]
            for block, inside in sides:
                with self._if_any(inside):
                    self.run(block, inside, pen)
        else:
            with self.out.block(f"if {test.text}:"):
                self.run(stmt.then, scope, pen)
            with self.out.block("else:"):
                self.run(stmt.other, scope, pen)

    @contextmanager
    def _if_any(self, scope: Scope) -> Iterator[None]:
        assert scope.live is not None
        with self.out.block(f"if any_of({scope.live.text}):"):
            yield

    def _loop(self, stmt: Loop, scope: Scope, pen: Pen) -> None:
        with self.rounds((stmt.binder,), stmt.where, scope, ordered=True, checks=True) as (inside, test):
            if test.rows:
                with self._if_any(inside):
                    self.run(stmt.body, inside, pen)
            else:
                self.run(stmt.body, inside, pen)

    def _together(self, stmt: Loop, scope: Scope, pen: Pen) -> None:
        """Write a simultaneous loop: it reads a copy of the states made at its start."""
        before = self.out.fresh()
        self.out.line(f"{before} = {pen.states}.copy()")
        ledgers: dict[str, str] = {}
        for name in sorted(_meeting(stmt)):
            ledgers[name] = self.out.fresh()
            self.out.line(f"{ledgers[name]} = Ledger({self._count(name)}, {before})")
        inside = replace(scope, states={**scope.states, "now": before}, frozen=True)
        self._loop(stmt, inside, Pen(pen.states, together=True, ledgers=ledgers))
        for name, ledger in ledgers.items():
            last = [each for each in assignments(stmt.body) if each.variable == name][-1]
            cell = self.out.fresh()
            with self.out.block(f"for {cell} in {ledger}.cells():"):
                at = Value(cell, rows=False, lo=0, hi=self._count(name) - 1)
                held = self.out.keep(self.read(name, at, pen.states))
                text = f"{ledger}.after({cell}, {held.text})"
                after = self.out.keep(Value(text, rows=True, lo=1 - LARGEST, hi=LARGEST - 1))
                amount = Value(f"({after.text} - {held.text})", rows=True, lo=0, hi=0)
                self._write(last, at, after, amount, replace(scope, live=None), pen)

    def _assign(self, stmt: Assign, scope: Scope, pen: Pen) -> None:
        types = self.module.world.variables[stmt.variable].index
        at = self.out.keep(self.flat([self.value(each, scope) for each in stmt.index], types))
        value = self.out.keep(as_number(self.value(stmt.value, scope)))
        if stmt.variable in pen.ledgers:
            self._record(stmt, at, value, scope, pen)
            return
        held = self.read(stmt.variable, at, pen.states)
        if stmt.mode == "add":
            self._write(stmt, at, self.operate("+", [held, value]), value, scope, pen)
        else:
            self._write(stmt, at, value, self.operate("-", [value, held]), scope, pen)

    def _record(self, stmt: Assign, at: Value, value: Value, scope: Scope, pen: Pen) -> None:
        site = Site(self.action, stmt.key, stmt.variable)
        test = self.outside(value, self.module.world.variables[stmt.variable].type, scope)
        if test is not None and stmt.mode == "set":  # a sum is checked when it is complete
            with self.complaint(test, scope, site):
                pass
        live = "True" if scope.live is None else scope.live.text
        write = f"{pen.ledgers[stmt.variable]}.write({at.text}, {value.text}, {live}, add={stmt.mode == 'add'})"
        with self.complaint(write, scope, site):
            pass

    def _write(self, stmt: Assign, at: Value, after: Value, amount: Value, scope: Scope, pen: Pen) -> None:
        """Add the amount to a cell of the live rows, if what it holds afterwards is inside its type."""
        test = self.outside(after, self.module.world.variables[stmt.variable].type, scope)
        if test is not None:
            name = self.out.fresh()
            self.out.line(f"{name} = {amount.text}")
            with self.complaint(test, scope, Site(self.action, stmt.key, stmt.variable)) as rows:
                # The row is lost, but what is written until the end must not spill over into other cells.
                self.out.line(f"{name} = where({rows}, 0, {name})")
            amount = replace(amount, text=name, rows=True)
        if stmt.variable not in self.module.packing.cells:
            return  # its type has one value only
        if scope.live is not None:
            amount = choose(scope.live, amount, number(0))
        word, shift = self.place(stmt.variable, at)
        moved = amount.text if shift.known == 0 else f"({amount.text} << {shift.text})"
        if word.rows:
            self.out.line(f"scatter({pen.states}, {word.text}, {moved})")
        else:
            self.out.line(f"{pen.states}[{word.text}] += {moved}")

    def _count(self, name: str) -> int:
        packing = self.module.packing
        return len(packing.cells[name].words if name in packing.cells else packing.fixed[name])


def _meeting(loop: Loop) -> frozenset[str]:
    """Return the variables in whose cells two rounds of a simultaneous loop may meet.

    They cannot where one line writes the variable and its index names the variables of all loops around the line.
    """
    places: dict[str, list[bool]] = {}
    for stmt, apart in _written((loop,), frozenset(), frozenset()):
        places.setdefault(stmt.variable, []).append(apart)
    return frozenset(name for name, apart in places.items() if apart != [True])


def _written(block: tuple[Stmt, ...], around: frozenset[str], hidden: frozenset[str]) -> Iterator[tuple[Assign, bool]]:
    """Yield each assignment, and whether its index names every loop variable around it (none of them `hidden`)."""
    for stmt in block:
        match stmt:
            case Assign(index=index):
                yield stmt, around <= {each.name for each in index if isinstance(each, Bound)} - hidden
            case Define(name=name):
                hidden |= {name}
            case Branch(then=then, other=other):
                yield from _written(then, around, hidden)
                yield from _written(other, around, hidden)
            case Loop(binder=binder, body=body):
                yield from _written(body, around | {binder.name}, hidden)
            case _:
                assert_never(stmt)
