"""Live branches: a block without what no play of this reading comes to.

Reads:  statements, and what is known of a test before play.   Writes: fewer statements.
After:  wherever the block contradicts no rule, running the new one gives the same state. A branch goes only if constants decide its test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias, assert_never

from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.core.ir import Apply, Assign, Branch, Define, Expr, Loop, Stmt

#: The value of a test that looks at no state and no name; None if that is left open.
Evaluate: TypeAlias = Callable[[Expr], bool | None]


def without_dead_branches(block: tuple[Stmt, ...], footprints: Footprints, value: Evaluate) -> tuple[Stmt, ...]:
    """Return the block without branches that the constants of the game exclude."""

    def live(inner: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return without_dead_branches(inner, footprints, value)

    found: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Assign() | Define():
                found.append(stmt)
            case Loop(body=body):
                found.append(replace(stmt, body=live(body)))
            case Branch(test=test, then=then, other=other):
                known = _known(test, footprints, value)
                then, other = () if known is False else live(then), () if known is True else live(other)
                found.append(replace(stmt, then=then, other=other))
            case _:
                assert_never(stmt)
    return tuple(found)


def _known(test: Expr, footprints: Footprints, value: Evaluate) -> bool | None:
    """Return what constants alone say of a test; one of them may decide a conjunction or a disjunction."""
    if isinstance(test, Apply) and test.op in ("and", "or"):
        parts = [_known(each, footprints, value) for each in test.args]
        decides = test.op == "or"
        if decides in parts:
            return decides
        return None if None in parts else not decides
    if footprints.footprint(test).variables or footprints.free(test):
        return None
    return value(test)
