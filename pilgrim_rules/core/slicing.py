"""Slices: the part of a block that matters to some variables.

Reads:  statements and the variables somebody looks at afterwards.   Writes: fewer statements.
After:  running the slice gives these variables the values that the whole block gives them, wherever the whole block
        contradicts no rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.core.ir import Assign, Branch, Define, Expr, Loop, Stmt
from pilgrim_rules.core.rule_walk import statement_expressions
from pilgrim_rules.core.walk import binder_parts


def sliced(block: tuple[Stmt, ...], wanted: frozenset[str], footprints: Footprints) -> tuple[Stmt, ...]:
    """Return the block without assignments that cannot reach the wanted variables."""
    while True:
        looked_at = frozenset(_needs(block, wanted, footprints, {}))
        if looked_at <= wanted:
            return _kept(block, wanted, footprints)
        wanted |= looked_at


def _needs(
    block: tuple[Stmt, ...], wanted: frozenset[str], footprints: Footprints, names: dict[str, frozenset[str]]
) -> Iterator[str]:
    """Yield the variables that decide what the wanted ones become; `names` says what local names look at."""
    names = dict(names)

    def reads(*exprs: Expr | None) -> frozenset[str]:
        found: set[str] = set()
        for expr in exprs:
            if expr is not None:
                found |= footprints.footprint(expr).variables
                for name in footprints.free(expr):
                    found |= names.get(name, frozenset())
        return frozenset(found)

    for stmt in block:
        match stmt:
            case Assign(variable=variable, index=index, value=value):
                if variable in wanted:
                    yield from reads(*index, value)
            case Define(name=name, value=value):
                names[name] = reads(value)
            case Branch(test=test, then=then, other=other):
                if _kept((stmt,), wanted, footprints):
                    yield from reads(test)
                    yield from _needs(then, wanted, footprints, names)
                    yield from _needs(other, wanted, footprints, names)
            case Loop(binder=binder, where=where, body=body):
                if _kept((stmt,), wanted, footprints):
                    yield from reads(where, *binder_parts(binder))
                    yield from _needs(body, wanted, footprints, names)
            case _:
                assert_never(stmt)


def _kept(block: tuple[Stmt, ...], wanted: frozenset[str], footprints: Footprints) -> tuple[Stmt, ...]:
    """Return the statements that write a wanted variable, and the names that these use."""
    names = any(isinstance(stmt, Define) for stmt in block)  # otherwise nobody asks what is used
    kept: list[Stmt] = []
    used: set[str] = set()
    for stmt in reversed(block):
        match stmt:
            case Assign(variable=variable):
                smaller: Stmt | None = stmt if variable in wanted else None
            case Define(name=name):
                smaller = stmt if name in used else None
            case Branch(then=then, other=other):
                then, other = _kept(then, wanted, footprints), _kept(other, wanted, footprints)
                smaller = replace(stmt, then=then, other=other) if then or other else None
            case Loop(body=body):
                body = _kept(body, wanted, footprints)
                smaller = replace(stmt, body=body) if body else None
            case _:
                assert_never(stmt)
        if smaller is not None:
            kept.append(smaller)
            if names:
                used.update(name for expr in statement_expressions((smaller,)) for name in footprints.free(expr))
    return tuple(reversed(kept))
