"""Rows: how a staged expression goes through the values of its binders.

Reads:  domains and tests, as closures over a frame of codes.   Writes: functions that put one combination of values after the other into the frame.
After:  values come in the order of the evaluator, and a test is asked of none that the evaluator would not come to, unless it has a value everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pilgrim_rules.semantics.errors import Contradiction

MOST_KEPT = 1 << 16  #: values that one node remembers

Frame = list[int]
Code = Callable[[Frame], int]
Rows = Callable[[Frame], Iterator[object]]  #: goes through values of binders: at each step they stand in the frame


def one_row(_frame: Frame) -> Iterator[object]:
    """Go through nothing: what is asked, is asked once."""
    yield None


def loop(slot: int, domain: Callable[[Frame], tuple[int, ...]]) -> Rows:
    """Return how to go through the values of one binder."""

    def rows(frame: Frame) -> Iterator[object]:
        for value in domain(frame):
            frame[slot] = value
            yield None

    return rows


def nested(outer: Rows, slot: int, domain: Callable[[Frame], tuple[int, ...]]) -> Rows:
    """Return how to go through the values of one binder more, inside the others."""

    def rows(frame: Frame) -> Iterator[object]:
        for _ in outer(frame):
            for value in domain(frame):
                frame[slot] = value
                yield None

    return rows


def filtered(rows: Rows, test: Code) -> Rows:
    """Return how to go through the rows that pass a test."""

    def passed(frame: Frame) -> Iterator[object]:
        for row in rows(frame):
            if test(frame):
                yield row

    return passed


def filtered_once(
    slot: int, domain: Callable[[Frame], tuple[int, ...]], test: Code, key: Callable[[Frame], object]
) -> Rows:
    """Return how to go through the values that pass a test, which is asked once for each key; one by one where it has no value."""
    known: dict[object, tuple[int, ...] | None] = {}

    def every(frame: Frame) -> tuple[int, ...] | None:
        found = []
        try:
            for value in domain(frame):
                frame[slot] = value
                if test(frame):
                    found.append(value)
        except Contradiction:
            return None  # a fold may be decided before it comes to this value
        return tuple(found)

    def rows(frame: Frame) -> Iterator[object]:
        at = key(frame)
        if at not in known:
            found = every(frame)
            if len(known) < MOST_KEPT:
                known[at] = found
        else:
            found = known[at]
        if found is not None:
            for value in found:
                frame[slot] = value
                yield None
            return
        for value in domain(frame):
            frame[slot] = value
            if test(frame):
                yield None

    return rows
