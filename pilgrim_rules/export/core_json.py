"""The core of a game as JSON that any program can read.

Reads:  a core game.   Writes: a tree: each node is an object that says what it `is`, and has the fields of the class of that name in `ir.py`.
After:  everything that the rules mean is there, but for their places in the text and what they were written as. Types stand once, in
        `types`; wherever a node has one, its name stands.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from typing import Any, Final

from pilgrim_rules.core.fingerprint import game_fingerprint
from pilgrim_rules.core.ir import OPEN_END, Game, Type

FORMAT: Final = 1


def core_json(game: Game) -> str:
    """Return the game as JSON."""
    types: dict[str, Type] = {}
    tree = _plain(game, types)
    shown: dict[str, Any] = {}
    for name in list(types):
        shown |= _described(name, types[name], types, shown)
    data = {"format": FORMAT, "fingerprint": game_fingerprint(game), "types": shown, "game": tree}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _plain(value: Any, types: dict[str, Type]) -> Any:
    if isinstance(value, Type):
        return _named(value, types)
    if is_dataclass(value):
        kept = (part for part in fields(value) if part.compare)
        found = {part.name: _plain(getattr(value, part.name), types) for part in kept}
        if isinstance(value, Game):
            found.pop("types")
        return {
            "is": type(value).__name__,
            **{name: part for name, part in found.items() if part not in (None, [], "")},
        }
    if isinstance(value, tuple):
        return [_plain(part, types) for part in value]
    return value


def _named(type_: Type, types: dict[str, Type]) -> str:
    """Return the name under which a type stands; one that shares its name with another gets a number."""
    name, number = type_.name, 1
    while types.setdefault(name, type_) != type_:
        number += 1
        name = f"{type_.name} #{number}"
    return name


def _described(name: str, type_: Type, types: dict[str, Type], shown: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    parts = []
    for part in type_.parts:
        own = _named(part, types)
        parts.append(own)
        if own not in shown:
            found |= _described(own, part, types, shown)
    open_ = type_.hi >= OPEN_END
    found[name] = {"kind": type_.kind, "lo": type_.lo, "hi": None if open_ else type_.hi}
    if type_.labels:
        found[name]["labels"] = list(type_.labels)
    if parts:
        found[name]["parts"] = parts
    return found
