"""Values of data files as codes of the core's types.

Reads:  values as TOML gives them, and the type each should have.   Writes: codes, or text that says what is wrong.
After:  `code_of(raw, type)` is inside the type; a table comes out flat, row-major, complete.

A label is a string, a number an integer, a Boolean a Boolean, a pair a list of two, and `none` the string `"none"`.
A column may be left out where it is Boolean (false) or optional (none). A table over an index is a list in the order of
the index, or a TOML table keyed by the values of the index as text, from which Boolean and optional values may be missing.
A table over the players may go on with values for players who are absent from this instance; they are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import TypeAlias, assert_never

from pilgrim_rules.core.ir import Type
from pilgrim_rules.core.values import pair, show
from pilgrim_rules.diagnostics.codes import PR722, PR723, PR724, Code
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.inputs.data.toml_file import Raw
from pilgrim_rules.inputs.data.toml_places import KeyPath

#: Called for each mistake with: code, message, key path below the entry, help.
Report: TypeAlias = Callable[[Code, str, KeyPath, str | None], None]

_PAIR = 2


def code_of(raw: Raw, type_: Type) -> int | str:
    """Return the code of a value, or a text that says what is wrong with it (without naming its place)."""
    match type_.kind:
        case "bool":
            return int(raw) if isinstance(raw, bool) else f"{_spell(raw)} is neither `true` nor `false`"
        case "int":
            if type(raw) is not int:
                return f"{_spell(raw)} is not a whole number"
            return raw if type_.lo <= raw <= type_.hi else f"`{raw}` is not in `{type_.lo}..{type_.hi}`"
        case "enum":
            if isinstance(raw, str) and raw in type_.labels:
                return type_.labels.index(raw)
            return f"{_spell(raw)} is not a value of `{type_.name}`"
        case "pair":
            if not isinstance(raw, list) or len(raw) != _PAIR:
                return f"{_spell(raw)} is not a list of two values"
            left = code_of(raw[0], type_.parts[0])
            right = code_of(raw[1], type_.parts[1])
            if isinstance(left, str) or isinstance(right, str):
                return left if isinstance(left, str) else str(right)
            return pair(type_, left, right)
        case "optional":
            return type_.hi if raw == "none" else code_of(raw, type_.parts[0])
        case _:
            assert_never(type_.kind)


def table_of(
    raw: Raw, index: tuple[Type, ...], type_: Type, report: Report, absent: tuple[str, ...] = ()
) -> tuple[int, ...] | None:
    """Return the codes of a table over the index, flat and row-major; None after reporting what is wrong."""
    found = list(_cells(_of_those_present(raw, index, absent), index, type_, (), report))
    return None if None in found else tuple(code for code in found if code is not None)


def _of_those_present(raw: Raw, index: tuple[Type, ...], absent: tuple[str, ...]) -> Raw:
    """Return a table without the values of players who are absent."""
    if not index or not absent or not isinstance(raw, list | dict):
        return raw
    first, rest = index[0], index[1:]
    if first.name == "Player" and isinstance(raw, list) and len(raw) == first.size + len(absent):
        raw = raw[: first.size]
    elif first.name == "Player" and isinstance(raw, dict):
        raw = {key: part for key, part in raw.items() if key not in absent}
    if isinstance(raw, list):
        return [_of_those_present(part, rest, absent) for part in raw]
    return {key: _of_those_present(part, rest, absent) for key, part in raw.items()}


def _cells(raw: Raw, index: tuple[Type, ...], type_: Type, path: KeyPath, report: Report) -> Iterator[int | None]:
    """Yield the codes below a place in order, None for each mistake."""
    if not index:
        code = code_of(raw, type_)
        if isinstance(code, str):
            report(PR724, code, path, _hint(raw, type_))
            yield None
        else:
            yield code
        return
    first, rest = index[0], index[1:]
    if isinstance(raw, list):
        if len(raw) != first.size:
            code_ = PR722 if len(raw) < first.size else PR723
            report(code_, f"{len(raw)} values where `{first.name}` has {first.size}", path, None)
            yield None
            return
        for at, part in enumerate(raw):
            yield from _cells(part, rest, type_, (*path, at), report)
    elif isinstance(raw, dict):
        labels = [show(first, code) for code in range(first.lo, first.hi + 1)]
        for key in raw.keys() - set(labels):
            report(PR723, f"`{key}` is not a value of `{first.name}`", (*path, key), did_you_mean(key, labels))
            yield None
        for label in labels:
            if label in raw:
                yield from _cells(raw[label], rest, type_, (*path, label), report)
            elif (left_out := missing_value(rest, type_)) is not None:
                yield from left_out
            else:
                report(PR722, f"no value for `{label}` of `{first.name}`", path, None)
                yield None
    else:
        report(PR724, f"{_spell(raw)} where a list or table over `{first.name}` is wanted", path, None)
        yield None


def missing_value(index: tuple[Type, ...], type_: Type) -> tuple[int, ...] | None:
    """Return what a column holds where the file says nothing: `false` or `none`, if the type has one of them."""
    if type_.kind not in ("bool", "optional"):
        return None
    return (0 if type_.kind == "bool" else type_.hi,) * prod(part.size for part in index)


def _hint(raw: Raw, type_: Type) -> str | None:
    """Return the help line for a label that is not one of the type's."""
    while type_.kind == "optional":
        type_ = type_.parts[0]
    return did_you_mean(raw, type_.labels) if isinstance(raw, str) else None


def _spell(raw: Raw) -> str:
    """Return a value as the file spells it, in short."""
    match raw:
        case bool():
            return "`true`" if raw else "`false`"
        case str():
            return f'`"{raw[:40]}"`'
        case int() | float():
            return f"`{raw}`" if -(10**20) < raw < 10**20 else "such a large number"
        case list():
            return "a list"
        case dict():
            return "a table"
        case _:  # what else TOML has
            return "a date or time"
