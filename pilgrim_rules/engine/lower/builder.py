"""Builder: cell code, statement by statement.

Reads:  values and statements.   Writes: blocks of cell code, names that occur once, and what is known where.
After:  every name that came from a spec has passed through `plain`, so it holds ASCII letters, digits and `_` only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import assert_never

from pilgrim_rules.core.intervals import Interval, inside
from pilgrim_rules.engine.cells.cell_code import (
    WORK,
    Array,
    AskGraph,
    Binary,
    Block,
    Choose,
    Domain,
    For,
    If,
    Invoke,
    Load,
    Local,
    Logic,
    Not,
    Number,
    Set,
    Slot,
    Statement,
    Stop,
    TableItem,
    Tee,
    Value,
)
from pilgrim_rules.engine.cells.cell_values import is_simple, negation
from pilgrim_rules.engine.cells.cell_walk import parts
from pilgrim_rules.engine.lower.facts import Fact, Facts, learn

_LONGEST = 40


def plain(name: str) -> str:
    """Return a name that may stand in source text, in comments as well; what is not plain becomes `_`."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name)[:_LONGEST]


class FunctionBuilder:
    """The statements of one function after the other, and names that differ in all of them."""

    def __init__(self) -> None:
        self._block: list[Statement] = []
        self._facts: Facts = {}
        self._numbers = count(1)
        self._variables: set[str] = set()  # locals that are set more than once
        self.arrays: list[Array] = []
        self.used: set[int] = set()  #: the lines that told a fact which was used

    # ---------------------------------------------------------------------------------------------------------- names

    def local(self, hint: str, range_: Interval) -> Local:
        """Return a new local; the hint is kept for readers."""
        return Local(self.name(hint), range_)

    def variable(self, hint: str, range_: Interval, value: Value) -> Local:
        """Return a new local that may be set again."""
        local = self.accumulator(range_, hint)
        self.add(Set(local, value))
        return local

    def accumulator(self, range_: Interval, hint: str = "") -> Local:
        """Return a new local that is set again and again; the caller adds how it begins."""
        local = self.local(hint, range_)
        self._variables.add(local.name)
        return local

    def name(self, hint: str = "") -> str:
        """Return a new name."""
        number = next(self._numbers)
        hint = plain(hint.partition("#")[0])
        return f"v{number}_{hint}" if hint else f"t{number}"

    def array(self, hint: str, size: int, range_: Interval) -> str:
        """Return the name of a new array of the function."""
        self.arrays.append(Array(self.name(hint), size, range_))
        return self.arrays[-1].name

    def named(self, value: Value, hint: str = "") -> Value:
        """Return a name or number with this value; adds a statement unless it is one already."""
        if is_simple(value):
            return value
        local = self.local(hint, value.range)
        self.add(Set(local, value))
        return local

    # ----------------------------------------------------------------------------------------------------- statements

    def add(self, statement: Statement) -> None:
        """Add a statement."""
        self._block.append(statement)

    @contextmanager
    def function(self) -> Iterator[list[Statement]]:
        """Keep the statements of one function in the list; nothing is known at its start."""
        with self.aside() as body:
            self._facts = {}
            yield body

    def take_arrays(self) -> tuple[Array, ...]:
        """Return the arrays of the function that has just been written."""
        found = tuple(self.arrays)
        self.arrays.clear()
        return found

    def paste(self, block: Block) -> None:
        """Add statements that were kept aside."""
        self._block.extend(block)

    @contextmanager
    def aside(self) -> Iterator[list[Statement]]:
        """Keep the statements added inside in the list instead; what is learned inside is forgotten afterwards."""
        block, facts = self._block, self._facts
        self._block, self._facts = [], dict(facts)
        yield self._block
        self._block, self._facts = block, facts

    def when(self, test: Value, then: Block, other: Block = (), note: str = "") -> None:
        """Add a branch; one that never happens is left out."""
        if isinstance(test, Number):
            self.paste(then if test.value else other)
        elif then or other:
            self.add(If(test, then, other, note) if then else If(negation(test), other, (), note))

    def stop_unless(self, test: Value, stop: Stop) -> None:
        """Add a check; what it asks holds afterwards."""
        with self.aside() as block:
            self.add(stop)
        self.when(negation(test), tuple(block))
        self.learn(test, held=True)

    @contextmanager
    def loop(self, local: Local, over: Domain) -> Iterator[None]:
        """Add a loop; what is added inside is its body."""
        with self.aside() as body:
            yield
        self.add(For(local, over, tuple(body)))

    @contextmanager
    def branch(self, test: Value, *, held: bool = True) -> Iterator[list[Statement]]:
        """Keep statements aside that run where the test holds, or where it does not."""
        with self.aside() as block:
            self.learn(test, held=held)
            yield block

    # ---------------------------------------------------------------------------------------------------------- facts

    def learn(self, test: Value, *, held: bool, lines: frozenset[int] = frozenset()) -> None:
        """From here on the test is known to hold, or not to hold; the numbers of these lines of a guard tell it."""
        learn(test, held=held, lasts=self.lasts, facts=self._facts, lines=lines)

    def note(self, value: Value, range_: Interval, lines: frozenset[int]) -> None:
        """From here on the value is known to lie in a range."""
        self._facts[value] = Fact(range_, lines)

    def know(self, value: Value) -> Value:
        """Return the value with the range that is known of it here."""
        known = self._facts.get(value)
        if (
            known is None
            or not inside(known.range, value.range)
            or not isinstance(value, Local | Load | TableItem | Invoke)
        ):
            return value
        self.used |= known.lines
        return replace(value, range=known.range)

    def lasts(self, value: Value) -> bool:
        """Return whether nothing that may follow can change the value."""
        return not any(map(self._can_change, parts(value)))

    def _can_change(self, value: Value) -> bool:
        match value:
            case Local(name=name):
                return name in self._variables
            case Load(state=state):
                return state == WORK
            case Slot():
                return True
            case Invoke(states=states):
                return WORK in states
            case Number() | TableItem() | Binary() | Logic() | Not() | Choose() | Tee() | AskGraph():
                return False  # itself; its parts are asked as well
            case _:
                assert_never(value)
