"""Cells: the variables of a state by the names the rules give them.

Reads:  a state and names.   Writes: plain values, and tables as nested dictionaries.
After:  a name or index that the game does not have is a KeyError that says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pilgrim_rules.core.ir import Type
from pilgrim_rules.diagnostics.suggest import did_you_mean
from pilgrim_rules.engine import plain
from pilgrim_rules.engine.compile import Compiled
from pilgrim_rules.engine.layout import Field, Layout, decode_field
from pilgrim_rules.engine.plain import Value

Table: TypeAlias = "dict[Value, Value | Table]"
Seen = Callable[[tuple[int, ...]], bool]  #: whether the cell with this index may be seen

HIDDEN = "?"  #: stands for a value that may not be seen; no label is spelled so


def look(layout: Layout, state: bytes, name: str, index: tuple[object, ...], seen: Seen | None = None) -> Value | Table:
    """Return a cell, or the rest of a table if fewer indices are given than it has."""
    field = layout.by_name.get(name)
    if field is None:
        near = did_you_mean(name, layout.by_name)
        raise KeyError(f"the game has no variable `{name}`" + (f"; {near}" if near else ""))
    types = field.variable.index
    if len(index) > len(types):
        raise KeyError(f"`{name}` has {len(types)} indices, not {len(index)}")
    try:
        codes = tuple(plain.code(type_, each) for type_, each in zip(types, index, strict=False))
    except ValueError as problem:
        raise KeyError(f"`{name}`: {problem}") from None
    return _rest(field, decode_field(field, state), codes, seen)


def _rest(field: Field, codes: list[int], index: tuple[int, ...], seen: Seen | None) -> Value | Table:
    types = field.variable.index
    if len(index) == len(types):
        if seen is not None and not seen(index):
            return HIDDEN
        at = sum((code - type_.lo) * step for code, type_, step in zip(index, types, field.steps, strict=True))
        return plain.value(field.variable.type, codes[at])
    type_ = types[len(index)]
    rows = range(type_.lo, type_.hi + 1)
    return {plain.value(type_, code): _rest(field, codes, (*index, code), seen) for code in rows}


def ask(code: Compiled, state: bytes, name: str, arguments: tuple[object, ...]) -> Value:
    """Return the value of a definition."""
    definition = code.reference.world.defs.get(name)
    if definition is None:
        near = did_you_mean(name, code.reference.world.defs)
        raise KeyError(f"the rules have no definition `{name}`" + (f"; {near}" if near else ""))
    if len(arguments) != len(definition.params):
        raise KeyError(f"`{name}` takes {len(definition.params)} arguments, not {len(arguments)}")
    try:
        codes = [plain.code(param.type, each) for param, each in zip(definition.params, arguments, strict=True)]
    except ValueError as problem:
        raise KeyError(f"`{name}`: {problem}") from None
    return plain.value(definition.body.type, code.value(name, state, *codes))


def diff(layout: Layout, before: bytes, after: bytes) -> dict[str, tuple[Value, Value]]:
    """Return the cells that differ, by the names the rules give them."""
    found: dict[str, tuple[Value, Value]] = {}
    for field in layout.fields:
        if before[field.offset : field.end] == after[field.offset : field.end]:
            continue
        type_ = field.variable.type
        pairs = zip(field.indices(), decode_field(field, before), decode_field(field, after), strict=True)
        for index, old, new in pairs:
            if old != new:
                found[cell_name(field, index)] = (plain.value(type_, old), plain.value(type_, new))
    return found


def cell_name(field: Field, index: tuple[int, ...]) -> str:
    """Return how the rules spell a cell: `piety[red]`."""
    shown = [key_text(type_, code) for type_, code in zip(field.variable.index, index, strict=True)]
    return f"{field.variable.name}[{', '.join(shown)}]" if shown else field.variable.name


def key_text(type_: Type, code: int) -> str:
    """Return the text of an index."""
    return plain.text(plain.value(type_, code))
