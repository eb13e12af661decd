"""Tables: where a cell of a row-major table lies.

Reads:  the index types of a table and the codes of an index.   Writes: numbers of cells.
After:  an index outside its table is an `OutsideTable`, never another cell.
"""

from __future__ import annotations

from collections.abc import Sequence

from pilgrim_rules.core.ir import Type


class OutsideTable(Exception):
    """An index outside its table: the value of an optional was used though it is none."""


def cell(index: tuple[Type, ...], codes: Sequence[int]) -> int:
    """Return the number of a cell of a row-major table."""
    at = 0
    for type_, code in zip(index, codes, strict=True):
        if not type_.lo <= code <= type_.hi:
            raise OutsideTable
        at = at * type_.size + code - type_.lo
    return at
