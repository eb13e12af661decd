"""Values as people write them: codes to text and back.

Reads:  types and codes.   Writes: text such as `red`, `3`, `(red, 1)`, `none`, and the code for such a text.
After:  `parse(type, show(type, code)) == code` for every code of every type.
"""

from __future__ import annotations

from typing import assert_never

from pilgrim_rules.core.ir import Type

MAX_DIGITS = 20  #: more than any number of the language has; longer texts are not even read


def show(type_: Type, code: int) -> str:
    """Return the text of a value."""
    match type_.kind:
        case "bool":
            return "true" if code else "false"
        case "int":
            return str(code)
        case "enum":
            return type_.labels[code]
        case "pair":
            left, right = unpair(type_, code)
            return f"({show(type_.parts[0], left)}, {show(type_.parts[1], right)})"
        case "optional":
            return "none" if code == type_.hi else show(type_.parts[0], code)
        case _:
            assert_never(type_.kind)


def parse(type_: Type, text: str) -> int:
    """Return the code of the value that the text spells; ValueError if it spells none of this type."""
    text = text.strip()
    match type_.kind:
        case "bool":
            if text in ("true", "false"):
                return int(text == "true")
        case "int":
            if (
                text.removeprefix("-").isdecimal()
                and text.isascii()
                and len(text) <= MAX_DIGITS
                and type_.lo <= int(text) <= type_.hi
            ):
                return int(text)
        case "enum":
            if text in type_.labels:
                return type_.labels.index(text)
        case "pair":
            if text.startswith("(") and text.endswith(")"):
                parts = split_arguments(text[1:-1])
                if len(parts) == 2:  # noqa: PLR2004  (a pair)
                    return pair(type_, parse(type_.parts[0], parts[0]), parse(type_.parts[1], parts[1]))
        case "optional":
            return type_.hi if text == "none" else parse(type_.parts[0], text)
        case _:
            assert_never(type_.kind)
    raise ValueError(f"`{text}` is not a value of `{type_.name}`")


def pair(type_: Type, left: int, right: int) -> int:
    """Return the code of a pair from the codes of its parts."""
    first, second = type_.parts
    return (left - first.lo) * second.size + (right - second.lo)


def unpair(type_: Type, code: int) -> tuple[int, int]:
    """Return the codes of the two parts of a pair."""
    first, second = type_.parts
    left, right = divmod(code, second.size)
    return left + first.lo, right + second.lo


def split_arguments(text: str) -> list[str]:
    """Split at the commas that stand outside brackets; an empty text has no arguments."""
    parts: list[str] = []
    depth = 0
    start = 0
    for at, char in enumerate(text):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return [] if len(parts) == 1 and not text.strip() else [part.strip() for part in parts]
