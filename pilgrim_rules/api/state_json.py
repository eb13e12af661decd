"""The form of a state as JSON: written, read and checked.

Reads:  the bytes of states, or JSON text.   Writes: JSON text, or the bytes of a state.
After:  `read(form(data))` gives the same state; anything else is a `BadState` that says where it is wrong.

A variable is its plain value, a table an object by the text of its index: `{"piety": {"red": 0}}`. Pairs are lists, a value
that is none is null. `schemas/state.schema.json` describes the form.
"""

from __future__ import annotations

import json
from typing import Any

from pilgrim_rules.core.ir import Type
from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.language.load_arguments import LoadArguments, parse_instance
from pilgrim_rules.semantics import python_values
from pilgrim_rules.semantics.cells import key_text, read_cells
from pilgrim_rules.semantics.errors import BadState
from pilgrim_rules.semantics.state_layout import Field
from pilgrim_rules.semantics.visibility import Observer

FORMAT = "pilgrim-rules/state/1"


def form(rules: Rules, data: bytes, *, rng: int | None = None, observer: Observer | None = None) -> dict[str, Any]:
    """Return a state, or what an observer may see of it, in plain JSON values."""
    layout = rules.layout
    shown: dict[str, Any] = {}
    for each in layout.fields:
        visible = None if observer is None else observer.visible(rules.declared, layout, data, each.variable)
        shown[each.variable.name] = _json(read_cells(layout, data, each.variable.name, visible=visible))
    return {
        "format": FORMAT,
        "game": dict(rules.instance),
        "rules": rules.fingerprint,
        "rng": None if rng is None else f"{rng:016x}",
        "state": shown,
    }


def dumps(data: object, indent: int | None = None) -> str:
    """Return JSON text."""
    return json.dumps(data, indent=indent, ensure_ascii=False)


def loads(text: str) -> dict[str, Any]:
    """Return the object that a JSON text holds."""
    try:
        data = json.loads(text)
    except (ValueError, TypeError, RecursionError) as problem:
        raise BadState(f"this is not JSON: {problem}") from None
    if not isinstance(data, dict):
        raise BadState("a state is a JSON object")
    return data


def instance(data: dict[str, Any]) -> LoadArguments:
    """Return which game a state belongs to."""
    if data.get("format") != FORMAT:
        raise BadState(f"the format is `{FORMAT}`, not `{str(data.get('format'))[:40]}`")
    found = parse_instance(data.get("game"))
    if found is None:
        raise BadState("`game` does not say which game the state is of")
    return found


def read(rules: Rules, data: dict[str, Any], *, stale_ok: bool) -> tuple[bytes, int | None]:
    """Return the bytes and the generator of the state that the data describes."""
    if instance(data)["name"] != rules.instance["name"]:
        raise BadState(f"the state is of `{data['game']['name']}`, not of `{rules.instance['name']}`")
    if data.get("rules") != rules.fingerprint and not stale_ok:
        raise BadState("the state is of other rules than those loaded")
    variables = data.get("state")
    if not isinstance(variables, dict):
        raise BadState("`state` is an object with a value for each variable")
    unknown = sorted(set(variables) - set(rules.layout.by_name))
    if unknown:
        raise BadState(f"the game has no variable `{unknown[0][:40]}`")
    position: dict[str, list[int]] = {}
    for field in rules.layout.fields:
        if field.variable.name not in variables:
            raise BadState(f"`{field.variable.name}` is missing")
        position[field.variable.name] = _codes(field, variables[field.variable.name])
    return rules.layout.encode(position), _generator(data.get("rng"))


def _codes(field: Field, given: object) -> list[int]:
    found: list[int] = []

    def walk(types: tuple[Type, ...], here: object, path: str) -> None:
        if not types:
            try:
                found.append(python_values.code(field.variable.type, here))
            except ValueError as problem:
                raise BadState(f"`{path}`: {problem}") from None
            return
        keys = [key_text(types[0], code) for code in range(types[0].lo, types[0].hi + 1)]
        if not isinstance(here, dict) or set(here) != set(keys):
            raise BadState(f"`{path}` is an object with the keys {', '.join(keys[:6])}{' …' if len(keys) > 6 else ''}")  # noqa: PLR2004
        for key in keys:
            walk(types[1:], here[key], f"{path}[{key}]")

    walk(field.variable.index, given, field.variable.name)
    return found


def _generator(given: object) -> int | None:
    if given is None:
        return None
    if isinstance(given, str) and len(given) == 16 and set(given) <= set("0123456789abcdef"):  # noqa: PLR2004  (64 bits)
        return int(given, 16)
    raise BadState("`rng` is null or 16 hexadecimal digits")


def _json(value: Any) -> Any:
    match value:
        case dict():
            return {python_values.text(key): _json(each) for key, each in value.items()}
        case (left, right):
            return [_json(left), _json(right)]
        case _:  # JSON has it as it is
            return value
