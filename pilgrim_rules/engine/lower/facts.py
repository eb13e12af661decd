"""Facts: what a test tells about the values in it.

Reads:  a test, and whether it held.   Writes: ranges of values.
After:  wherever the test held (or failed), each of these values lies in its range.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pilgrim_rules.core.intervals import Interval
from pilgrim_rules.core.operators import OPERATIONS
from pilgrim_rules.engine.cells.cell_code import Binary, ComparisonOp, Invoke, Load, Local, Logic, Not, TableItem, Value
from pilgrim_rules.engine.cells.cell_values import mirrored, opposite


class Fact(NamedTuple):
    """The range of a value, and the numbers of the lines of a guard that tell it, if they are noted."""

    range: Interval
    lines: frozenset[int] = frozenset()


Facts = dict[Value, Fact]


def learn(test: Value, *, held: bool, lasts: Callable[[Value], bool], facts: Facts, lines: frozenset[int]) -> None:
    """Add what is known after the test, of values that last: those that nothing can change before they are asked again."""

    def note(value: Value, range_: Interval) -> None:
        known = facts.get(value, Fact(value.range))
        if range_[0] <= range_[1] and range_ != known.range and lasts(value):
            facts[value] = Fact(range_, known.lines | lines)

    def narrow(value: Value, op: ComparisonOp, other: Value) -> None:
        """Note what `value op other` tells about the value."""
        if isinstance(value, Local | Load | TableItem | Invoke):
            known = facts[value].range if value in facts else value.range
            note(value, _restricted(known, op, other.range))

    def look(test: Value, *, held: bool) -> None:
        match test:
            case Logic(op=op, parts=parts):
                if (op == "and") == held:
                    for part in parts:
                        look(part, held=held)
            case Not(value=inner):
                look(inner, held=not held)
            case Binary(op="==" | "!=" | "<" | "<=" | ">" | ">=" as op, left=left, right=right):
                seen = op if held else opposite(op)
                narrow(left, seen, right)
                narrow(right, mirrored(seen), left)
            case Local() | Load() | TableItem() | Invoke():
                note(test, (int(held), int(held)))
            case _:  # nothing is certain of its parts
                pass

    look(test, held=held)


def _restricted(known: Interval, op: ComparisonOp, other: Interval) -> Interval:
    """Return what is left of an interval if `op` holds against a value of another one."""
    restrict = OPERATIONS[op].restrict
    assert restrict is not None, "a comparison tells where its sides lie"
    return restrict(known, other)
