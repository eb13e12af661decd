"""Loops: the order of a binder's values, and which cells two rounds of a simultaneous loop can both write.

Reads:  binders, constant relations and loops of the core.   Writes: lists of codes, names of variables.
After:  there is no other account of either; whoever runs, compiles, encodes or simplifies a loop asks here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from pilgrim_rules.core.ir import Assign, Binder, Bound, Branch, Constant, Define, Loop, Stmt

Codes = tuple[int, ...]


def values_in_order(binder: Binder, start: int | None = None) -> Codes:
    """Return the values of a binder's type in the binder's order, from `start` on going round if it has one."""
    values = tuple(range(binder.type.lo, binder.type.hi + 1))
    if start is not None:
        first = start - binder.type.lo
        values = values[first:] + values[:first]
    return values[::-1] if binder.descending else values


def turns(binder: Binder) -> tuple[Codes, ...]:
    """Return the orders of a binder that has a start, one for each value to begin with."""
    return tuple(values_in_order(binder, start) for start in range(binder.type.lo, binder.type.hi + 1))


def members(constant: Constant, binder: Binder) -> tuple[Codes, ...]:
    """Return the values that stand in a relation in the binder's order, one list for each row of the relation."""
    own = constant.index[-1]
    order = [value for value in values_in_order(binder) if own.lo <= value <= own.hi]
    rows = range(0, len(constant.values), own.size)
    return tuple(tuple(value for value in order if constant.values[row + value - own.lo]) for row in rows)


def variables_that_may_meet(loop: Loop) -> frozenset[str]:
    """Return the variables of which two assignments of a simultaneous loop may write the same cell.

    They cannot where one line writes the variable and its index names the variables of all loops around the line.
    """
    places: dict[str, list[bool]] = {}
    for stmt, apart in _writes((loop,), frozenset(), frozenset()):
        places.setdefault(stmt.variable, []).append(apart)
    return frozenset(name for name, apart in places.items() if apart != [True])


def _writes(block: tuple[Stmt, ...], around: frozenset[str], hidden: frozenset[str]) -> Iterator[tuple[Assign, bool]]:
    """Yield each assignment, and whether its index names every loop variable around it; `hidden` ones mean another."""
    for stmt in block:
        match stmt:
            case Assign(index=index):
                yield stmt, around <= {each.name for each in index if isinstance(each, Bound)} - hidden
            case Define(name=name):
                hidden |= {name}
            case Branch(then=then, other=other):
                yield from _writes(then, around, hidden)
                yield from _writes(other, around, hidden)
            case Loop(binder=binder, body=body):
                again = {binder.name} if binder.name in around else set()
                yield from _writes(body, around | {binder.name}, hidden | again)
            case _:
                assert_never(stmt)
