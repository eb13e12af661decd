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

from pilgrim_rules.core.ir import Assign, Branch, Define, Loop, Stmt, Type
from pilgrim_rules.core.loops import variables_that_may_meet
from pilgrim_rules.core.rule_walk import assignments
from verifier.explore.expressions import Expressions
from verifier.explore.generated_module import Site
from verifier.explore.operators import as_number, as_truth, choose, negated
from verifier.explore.source_text import LARGEST, Scope, Value, number


@dataclass(frozen=True, slots=True)
class WriteTarget:
    """Where assignments go: into the states themselves, or, inside a simultaneous loop, some into ledgers."""

    states: str
    simultaneous: bool = False
    ledgers: Mapping[str, str] = field(default_factory=dict)


class Effects(Expressions):
    """Writes the code of statements into one function."""

    def run(self, block: tuple[Stmt, ...], scope: Scope, target: WriteTarget) -> None:
        """Write the code of a block."""
        for stmt in block:
            match stmt:
                case Assign():
                    self._assign(stmt, scope, target)
                case Define(name=name, value=value):
                    scope = scope.bind(name, self.out.keep(self.value(value, scope)))
                case Branch():
                    self._branch(stmt, scope, target)
                case Loop(simultaneous=True) if not target.simultaneous:
                    self._simultaneous_loop(stmt, scope, target)
                case Loop():
                    self._loop(stmt, scope, target)
                case _:
                    assert_never(stmt)

    def _branch(self, stmt: Branch, scope: Scope, target: WriteTarget) -> None:
        test = self.out.keep(as_truth(self.value(stmt.test, scope)))
        if test.known is not None:
            self.run(stmt.then if test.known else stmt.other, scope, target)
        elif test.rows:
            # Both sides are chosen before either writes.
            sides = [(stmt.then, self.narrow(scope, test)), (stmt.other, self.narrow(scope, negated(test)))]
            for block, inside in sides:
                with self._if_any(inside):
                    self.run(block, inside, target)
        else:
            with self.out.block(f"if {test.text}:"):
                self.run(stmt.then, scope, target)
            with self.out.block("else:"):
                self.run(stmt.other, scope, target)

    @contextmanager
    def _if_any(self, scope: Scope) -> Iterator[None]:
        assert scope.live is not None
        with self.out.block(f"if any_of({scope.live.text}):"):
            yield

    def _loop(self, stmt: Loop, scope: Scope, target: WriteTarget) -> None:
        with self.rounds((stmt.binder,), stmt.where, scope, ordered=True, checks=True) as (inside, test):
            if test.rows:
                with self._if_any(inside):
                    self.run(stmt.body, inside, target)
            else:
                self.run(stmt.body, inside, target)

    def _simultaneous_loop(self, stmt: Loop, scope: Scope, target: WriteTarget) -> None:
        """Write a simultaneous loop: it reads a copy of the states made at its start."""
        before = self.out.fresh()
        self.out.line(f"{before} = {target.states}.copy()")
        ledgers: dict[str, str] = {}
        for name in sorted(variables_that_may_meet(stmt)):
            ledgers[name] = self.out.fresh()
            self.out.line(f"{ledgers[name]} = Ledger({self._count(name)}, {before})")
        inside = replace(scope, states={**scope.states, "now": before}, frozen=True)
        self._loop(stmt, inside, WriteTarget(target.states, simultaneous=True, ledgers=ledgers))
        for name, ledger in ledgers.items():
            last = [each for each in assignments(stmt.body) if each.variable == name][-1]
            cell = self.out.fresh()
            with self.out.block(f"for {cell} in {ledger}.cells():"):
                at = Value(cell, rows=False, lo=0, hi=self._count(name) - 1)
                held = self.out.keep(self.read(name, at, target.states))
                text = f"{ledger}.after({cell}, {held.text})"
                after = self.out.keep(Value(text, rows=True, lo=1 - LARGEST, hi=LARGEST - 1))
                amount = Value(f"({after.text} - {held.text})", rows=True, lo=0, hi=0)
                self._write(last, at, after, amount, replace(scope, live=None), target)

    def _assign(self, stmt: Assign, scope: Scope, target: WriteTarget) -> None:
        types = self.module.declared.variables[stmt.variable].index
        at = self.out.keep(self.flat([self.value(each, scope) for each in stmt.index], types))
        value = self.out.keep(as_number(self.value(stmt.value, scope)))
        if stmt.variable in target.ledgers:
            self._record(stmt, at, value, scope, target)
            return
        held = self.read(stmt.variable, at, target.states)
        if stmt.mode == "add":
            self._write(stmt, at, self.operate("+", [held, value]), value, scope, target)
        else:
            self._write(stmt, at, value, self.operate("-", [value, held]), scope, target)

    def _record(self, stmt: Assign, at: Value, value: Value, scope: Scope, target: WriteTarget) -> None:
        site = Site(self.action, stmt.key, stmt.variable)
        test = self.outside(value, self.module.declared.variables[stmt.variable].type, scope)
        if test is not None and stmt.mode == "set":  # a sum is checked when it is complete
            with self.complaint(test, scope, site):
                pass
        live = "True" if scope.live is None else scope.live.text
        write = f"{target.ledgers[stmt.variable]}.write({at.text}, {value.text}, {live}, add={stmt.mode == 'add'})"
        with self.complaint(write, scope, site):
            pass

    def _write(self, stmt: Assign, at: Value, after: Value, amount: Value, scope: Scope, target: WriteTarget) -> None:
        """Add the amount to a cell of the live rows, if what it holds afterwards is inside its type."""
        for type_, site in self._limits(stmt):
            test = self.outside(after, type_, scope)
            if test is None:
                continue
            name = self.out.fresh()
            self.out.line(f"{name} = {amount.text}")
            with self.complaint(test, scope, site) as rows:
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
            self.out.line(f"scatter({target.states}, {word.text}, {moved})")
        else:
            self.out.line(f"{target.states}[{word.text}] += {moved}")

    def _limits(self, stmt: Assign) -> Iterator[tuple[Type, Site]]:
        """Yield what a cell can hold: by the rules, and, where they set no upper end, as far as the search follows it."""
        type_ = self.module.declared.variables[stmt.variable].type
        yield type_, Site(self.action, stmt.key, stmt.variable)
        cells = self.module.packing.cells.get(stmt.variable)
        if type_.is_open and cells is not None:
            followed = Type("", "int", -LARGEST, cells.variable.type.hi)
            yield followed, Site(self.action, stmt.key, stmt.variable, beyond=True)

    def _count(self, name: str) -> int:
        packing = self.module.packing
        return len(packing.cells[name].words if name in packing.cells else packing.fixed[name])
