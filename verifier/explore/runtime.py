"""Runtime: the few functions that generated code calls, besides NumPy's own.

Reads:  arrays of states (one column a state, one line a word) and of values.   Writes: new arrays.
After:  nothing given is changed, except where a name says so (`Ledger`).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.int64]  #: states: a line for each word, a column for each state
Numbers: TypeAlias = NDArray[np.int64]
Truths: TypeAlias = NDArray[np.bool_]
Rows: TypeAlias = Any  #: a value for each row: an array, or one number for all of them

_columns = np.arange(1 << 12)


def columns(count: int) -> Numbers:
    """Return 0, 1, … up to the count."""
    global _columns  # noqa: PLW0603  (grown once, then shared)
    if count > len(_columns):
        _columns = np.arange(2 * count)
    return _columns[:count]


def gather(states: Words, word: Rows) -> Numbers:
    """Return from each column the word asked for."""
    found: Numbers = states[word, columns(states.shape[1])]
    return found


def scatter(states: Words, word: Rows, amount: Rows) -> None:
    """Add to one word of each column, in place."""
    states[word, columns(states.shape[1])] += amount


def chosen(states: Words, test: Rows) -> Numbers | None:
    """Return the columns for which the test holds, or None if that is all of them."""
    if isinstance(test, bool | np.bool_):
        return None if test else columns(0)
    found = np.flatnonzero(np.broadcast_to(test, states.shape[1:]))
    return None if len(found) == states.shape[1] else found


def only(value: Rows, rows: Numbers | None) -> Rows:
    """Return the values of the rows."""
    return value if rows is None or np.ndim(value) == 0 else value[..., rows]


def note(wrong: NDArray[np.int32] | None, rows: Rows, site: int, states: Words) -> NDArray[np.int32]:
    """Return for each column the place of its first contradiction (0: none so far), with the new ones added."""
    if wrong is None:
        wrong = np.zeros(states.shape[1], dtype=np.int32)
    wrong[(wrong == 0) & rows] = site
    return wrong


def distinct(codes: list[Rows], asked: list[Rows], states: Words) -> Truths:
    """Return for each column whether the codes that are asked for all differ; codes are not negative."""
    count = states.shape[1]
    table = np.empty((len(codes), count), dtype=np.int64)
    for at, (code, test) in enumerate(zip(codes, asked, strict=True)):
        table[at] = np.where(test, code, -1 - at)  # what is not asked for differs from everything else
    table.sort(axis=0)
    same: Truths = (table[1:] == table[:-1]).any(axis=0)
    return ~same


class Ledger:
    """What a simultaneous loop writes to one variable, kept until the loop ends.

    Needed only where two rounds may meet in one cell: a sum may leave the range and come back, and setting a cell
    that has been written already is a contradiction.
    """

    def __init__(self, cells: int, states: Words) -> None:
        self._shape = states.shape[1]
        self._set = np.zeros((cells, self._shape), dtype=np.bool_)
        self._touched = np.zeros((cells, self._shape), dtype=np.bool_)
        self._value = np.zeros((cells, self._shape), dtype=np.int64)

    def write(self, at: Rows, value: Rows, live: Rows, *, add: bool) -> Truths:
        """Record a write in the live columns; return the columns in which the cell cannot be written any more."""
        rows = np.flatnonzero(np.broadcast_to(live, self._shape))
        cells = np.broadcast_to(at, self._shape)[rows]
        amount = np.broadcast_to(value, self._shape)[rows]
        twice = self._set[cells, rows] if add else self._touched[cells, rows]
        self._touched[cells, rows] = True
        if add:
            self._value[cells, rows] += amount
        else:
            self._set[cells, rows] = True
            self._value[cells, rows] = amount
        wrong = np.zeros(self._shape, dtype=np.bool_)
        wrong[rows] = twice
        return wrong

    def cells(self) -> list[int]:
        """Return the cells written in any column."""
        return [int(at) for at in np.flatnonzero(self._touched.any(axis=1))]

    def after(self, at: int, before: Rows) -> Numbers:
        """Return the new value of a cell."""
        found: Numbers = np.where(self._set[at], self._value[at], before + self._value[at])
        return found


#: what generated code can name
NAMES: dict[str, Any] = {
    "Ledger": Ledger,
    "any_of": np.any,
    "chosen": chosen,
    "distinct": distinct,
    "gather": gather,
    "logical_not": np.logical_not,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "note": note,
    "only": only,
    "scatter": scatter,
    "where": np.where,
}
