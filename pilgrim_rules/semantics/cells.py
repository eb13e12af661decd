"""Cells: the variables of a state by the names the rules give them.

Reads:  a state and names.   Writes: plain values, and tables as nested dictionaries.
After:  a name or index that the game does not have is a KeyError that says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from pilgrim_rules.core.ir import Type
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.semantics import python_values
from pilgrim_rules.semantics.python_values import Value
from pilgrim_rules.semantics.state_layout import Field, StateLayout, decode_field

Table: TypeAlias = "dict[Value, Value | Table]"
Visible = Callable[[tuple[int, ...]], bool]  #: whether the cell with this index may be seen

HIDDEN = "?"  #: stands for a value that may not be seen; no label is spelled so


def read_cells(
    layout: StateLayout, state: bytes, name: str, index: tuple[object, ...] = (), visible: Visible | None = None
) -> Value | Table:
    """Return a cell, or the rest of a table if fewer indices are given than it has; `?` where `visible` says no."""
    field = layout.by_name.get(name)
    if field is None:
        near = did_you_mean(name, layout.by_name)
        raise KeyError(f"the game has no variable `{name}`" + (f"; {near}" if near else ""))
    types = field.variable.index
    if len(index) > len(types):
        raise KeyError(f"`{name}` has {len(types)} indices, not {len(index)}")
    try:
        codes = tuple(python_values.code(type_, each) for type_, each in zip(types, index, strict=False))
    except ValueError as problem:
        raise KeyError(f"`{name}`: {problem}") from None
    return _rest(field, decode_field(field, state), codes, visible)


def _rest(field: Field, codes: list[int], index: tuple[int, ...], visible: Visible | None) -> Value | Table:
    types = field.variable.index
    if len(index) == len(types):
        if visible is not None and not visible(index):
            return HIDDEN
        at = sum((code - type_.lo) * step for code, type_, step in zip(index, types, field.steps, strict=True))
        return python_values.value(field.variable.type, codes[at])
    type_ = types[len(index)]
    rows = range(type_.lo, type_.hi + 1)
    return {python_values.value(type_, code): _rest(field, codes, (*index, code), visible) for code in rows}


def leaves(value: Value | Table) -> Iterator[Value]:
    """Yield the cells of a table row by row, or the one value."""
    if isinstance(value, dict):
        for part in value.values():
            yield from leaves(part)
    else:
        yield value


def axes_of(index: tuple[Type, ...]) -> tuple[Type, ...]:
    """Return the index with each pair as two; the cells lie in the same order either way."""
    return tuple(axis for type_ in index for axis in (axes_of(type_.parts) if type_.kind == "pair" else (type_,)))


def diff_cells(layout: StateLayout, before: bytes, after: bytes) -> dict[str, tuple[Value, Value]]:
    """Return the cells that differ, by the names the rules give them."""
    found: dict[str, tuple[Value, Value]] = {}
    for field in layout.fields:
        if before[field.offset : field.end] == after[field.offset : field.end]:
            continue
        type_ = field.variable.type
        pairs = zip(field.indices(), decode_field(field, before), decode_field(field, after), strict=True)
        for index, old, new in pairs:
            if old != new:
                found[cell_name(field, index)] = (python_values.value(type_, old), python_values.value(type_, new))
    return found


def cell_name(field: Field, index: tuple[int, ...]) -> str:
    """Return how the rules spell a cell: `piety[red]`."""
    shown = [key_text(type_, code) for type_, code in zip(field.variable.index, index, strict=True)]
    return f"{field.variable.name}[{', '.join(shown)}]" if shown else field.variable.name


def key_text(type_: Type, code: int) -> str:
    """Return the text of an index."""
    return python_values.text(python_values.value(type_, code))
