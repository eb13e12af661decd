"""Markup: elements of SVG and HTML as text.

Reads:  names, attributes, text.   Writes: well-formed markup; whatever comes from a game is escaped.
After:  the same arguments give the same bytes.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple


class Block(NamedTuple):
    """A part of a picture and the room it takes; its own origin is its upper left corner."""

    markup: str
    width: float
    height: float


def element(name: str, *inside: str, **attributes: object) -> str:
    """Return an element; `class_` spells `class`, `_` in a name `-`, and an attribute that is None is left out."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(shown(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    body = "".join(inside)
    return f"<{name}{said}>{body}</{name}>" if body else f"<{name}{said}/>"


def shown(value: object) -> str:
    """Return a value as an attribute spells it: numbers with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0").replace("-0", "0", value == 0) if isinstance(value, float) else str(value)


def group(*inside: str, class_: str | None = None, at: tuple[float, float] | None = None) -> str:
    """Return a group, moved to a place; nothing if there is nothing in it."""
    where = None if at is None else f"translate({shown(float(at[0]))} {shown(float(at[1]))})"
    return element("g", *inside, class_=class_, transform=where) if any(inside) else ""


def text(words: str, x: float, y: float, size: float, class_: str = "", anchor: str | None = "middle") -> str:
    """Return a line of text; `y` is its base line."""
    return element(
        "text", escape(words, quote=False), class_=class_ or None, x=float(x), y=float(y), font_size=float(size), text_anchor=anchor
    )  # fmt: skip


def width_of(words: str, size: float) -> float:
    """Return about how wide a text is; rather too much than too little, since fonts differ."""
    return size * sum(0.34 if char in "il.,:'|!ftr()[] " else 0.9 if char in "mwMW" else 0.6 for char in words)


def shortened(words: str, size: float, room: float) -> str:
    """Return as much of a text as there is room for."""
    if width_of(words, size) <= room:
        return words
    cut = words
    while cut and width_of(f"{cut}…", size) > room:
        cut = cut[:-1]
    return f"{cut.rstrip()}…"
