"""Plain values: what people read and write in Python for the codes of a state.

Reads:  types and codes, or plain values.   Writes: plain values, or codes.
After:  `code(type, value(type, c)) == c` for every code of every type.

bool      True and False           pair      a tuple of two values
int       the number               optional  None, or a value of its part
enum      the label
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from pilgrim_rules.core.ir import Type
from pilgrim_rules.core.values import pair, parse, unpair
from pilgrim_rules.diagnostics.suggestions import closest

Value: TypeAlias = "str | int | bool | tuple[Value, Value] | None"


def value(type_: Type, code_: int) -> Value:
    """Return the plain value of a code."""
    match type_.kind:
        case "bool":
            return bool(code_)
        case "int":
            return code_
        case "enum":
            return type_.labels[code_]
        case "pair":
            left, right = unpair(type_, code_)
            return value(type_.parts[0], left), value(type_.parts[1], right)
        case "optional":
            return None if code_ == type_.hi else value(type_.parts[0], code_)
        case _:
            assert_never(type_.kind)


def code(type_: Type, given: object) -> int:
    """Return the code of a plain value, or of its text as the rules spell it; ValueError if it is none of the type."""
    match type_.kind, given:
        case "optional", None:
            return type_.hi
        case "bool", bool(truth):
            return int(truth)
        case "int", int(number) if not isinstance(number, bool) and type_.lo <= number <= type_.hi:
            return number
        case "pair", (left, right):
            return pair(type_, code(type_.parts[0], left), code(type_.parts[1], right))
        case "optional", _ if not isinstance(given, str):
            return code(type_.parts[0], given)
        case _, str():
            return _parse(type_, given)
        case _:
            raise ValueError(f"`{_short(given)}` is not a value of `{type_.name}`")


def text(given: Value) -> str:
    """Return the text of a plain value, as the rules spell it."""
    match given:
        case bool(truth):
            return "true" if truth else "false"
        case None:
            return "none"
        case (left, right):
            return f"({text(left)}, {text(right)})"
        case str() | int():
            return str(given)
        case _:
            assert_never(given)


def _parse(type_: Type, given: str) -> int:
    try:
        return parse(type_, given)
    except ValueError:
        near = closest(given, _labels(type_))
        hint = f"; did you mean `{near}`?" if near else ""
        raise ValueError(f"`{_short(given)}` is not a value of `{type_.name}`{hint}") from None


def _labels(type_: Type) -> tuple[str, ...]:
    return type_.labels or tuple(label for part in type_.parts for label in _labels(part))


def _short(given: object) -> str:
    shown = str(given)
    return shown if len(shown) <= 40 else shown[:39] + "…"  # noqa: PLR2004  (a line of a message)
