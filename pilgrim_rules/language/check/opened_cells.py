"""Opened cells: whether an action itself opens a cell that not everybody sees.

Reads:  who sees a cell, and what is written on a way through the action.   Writes: nothing.
After:  the warnings of flows.py pass over what everybody sees afterwards anyway (a hand that is open from `over` on, told
        by a move that ends the game), and over what only the proof can decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import assert_never

from pilgrim_rules.core.footprint import footprint
from pilgrim_rules.core.ir import (
    Apply,
    Assign,
    Branch,
    Checked,
    Cond,
    Def,
    Define,
    Expr,
    Lit,
    Loop,
    Read,
    Stmt,
    Variable,
)
from pilgrim_rules.core.smart_constructors import TRUE
from pilgrim_rules.core.walk import rebuild, substitute

Written = Mapping[Read, frozenset[Expr]]  #: cells that are certainly written, with the values they may get


def certainly_written(block: tuple[Stmt, ...], before: Written) -> Written:
    """Return the cells that are written on every way through a block, with all values they may have at its end."""
    now = dict(before)
    for stmt in block:
        match stmt:
            case Assign(variable=name, index=index, value=value):
                now[Read(name, index, value.type)] = frozenset(_values(value))
            case Branch(then=then, other=other):
                ways = certainly_written(then, now), certainly_written(other, now)
                now = {cell: ways[0][cell] | ways[1][cell] for cell in ways[0] if cell in ways[1]}
            case Loop() | Define():
                pass  # a loop may run over nothing
            case _:
                assert_never(stmt)
    return now


def _values(expr: Expr) -> Iterator[Expr]:
    """Yield the values among which an expression chooses."""
    match expr:
        case Cond(then=then, other=other):
            yield from _values(then)
            yield from _values(other)
        case Checked(value=value):
            yield from _values(value)
        case _:  # it is one value
            yield expr


@dataclass(frozen=True, slots=True)
class Opening:
    """What the rules say of who sees a cell."""

    variables: Mapping[str, Variable]
    defs: Mapping[str, Def]
    fixed: Callable[[Expr], Expr]  #: works out what is known before play

    told: frozenset[str]  #: variables of which the action gives something away

    def stays_hidden(self, cell: Read, written: Written, anywhere: frozenset[str]) -> bool:
        """Return whether a cell that not everybody sees may still be so after the writes.

        Only the proof knows whether a value follows from another that is told, or who sees what depends on a choice: that
        counts as open, if anything that bears on it is written anywhere in the action.
        """
        test, where = self._who_sees(cell)
        reads = footprint((test,), self.defs).variables
        if not reads & anywhere:
            return True
        if cell.variable in self.told:
            return False
        bearing = {_key(at): values for at, values in written.items() if at.variable in reads}
        if any(not isinstance(value, Lit) for values in bearing.values() for value in values):
            return False  # who sees it then depends on more than the text tells
        for choice in product(*bearing.values()):
            now = dict(zip(bearing, choice, strict=True))
            if self.fixed(_updated(test, where, now)) != TRUE:
                return True
        return False

    def open_where(self, cell: Read, facts: Iterable[Expr]) -> bool:
        """Return whether everybody sees a cell wherever some facts hold, such as that a piece lies in an open zone."""
        known: dict[_Cell, Expr] = {}
        for fact in facts:
            match fact:
                case Apply(op="==", args=(Read() as read, Lit() as value)):
                    known[_key(read)] = value
                case _:  # it may hold for many values
                    pass
        return bool(known) and self.fixed(_updated(*self._who_sees(cell), known)) == TRUE

    def _who_sees(self, cell: Read) -> tuple[Expr, dict[str, Expr]]:
        """Return the test of who sees a cell, and what the names of its index stand for."""
        variable = self.variables[cell.variable]
        assert variable.seen is not None, "by who asks"
        return variable.seen.test, dict(zip(variable.over, cell.index, strict=True))


_Cell = tuple[str, tuple[Expr, ...]]


def _key(cell: Read) -> _Cell:
    return cell.variable, cell.index


def _updated(expr: Expr, where: dict[str, Expr], now: Mapping[_Cell, Expr]) -> Expr:
    """Return a test with the values that cells have now; which cell is meant was known before anything was written."""
    if isinstance(expr, Read):
        value = now.get((expr.variable, tuple(substitute(part, where) for part in expr.index)))
        if value is not None:
            return value
    return rebuild(expr, lambda part: _updated(part, where, now))
