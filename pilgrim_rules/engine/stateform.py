"""The form of a state as JSON: written, read and checked.

Reads:  states, or JSON text.   Writes: JSON text, or the bytes of a state.
After:  `read(form(state))` gives the same state; anything else is a `BadState` that says where it is wrong.

A variable is its plain value, a table an object by the text of its index: `{"piety": {"red": 0}}`. Pairs are lists, a value
that is none is null. `schemas/state.schema.json` describes the form.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypedDict

from pilgrim_rules.core.ir import Type
from pilgrim_rules.engine import plain
from pilgrim_rules.engine.cells import key_text
from pilgrim_rules.engine.errors import BadState
from pilgrim_rules.engine.layout import Field

if TYPE_CHECKING:
    from pilgrim_rules.engine.game import Game
    from pilgrim_rules.engine.state import State
    from pilgrim_rules.engine.view import View

FORMAT = "pilgrim-rules/state/1"


class Instance(TypedDict):
    """What `load` was asked for."""

    name: str
    players: int | None
    rulings: dict[str, str] | None
    edition: str | None
    map: str | None


def form(state: State, view: View | None = None) -> dict[str, Any]:
    """Return a state, or what a view shows of it, in plain JSON values."""
    game = state.game
    shown = state if view is None else view
    rng = None if state.rng is None or view is not None else f"{state.rng:016x}"
    variables = {each.variable.name: shown[each.variable.name] for each in game.layout.fields}
    return {
        "format": FORMAT,
        "game": dict(game.instance),
        "rules": game.fingerprint,
        "rng": rng,
        "state": {name: _json(value) for name, value in variables.items()},
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


def instance(data: dict[str, Any]) -> Instance:
    """Return which game a state belongs to."""
    if data.get("format") != FORMAT:
        raise BadState(f"the format is `{FORMAT}`, not `{str(data.get('format'))[:40]}`")
    found = instance_of(data.get("game"))
    if found is None:
        raise BadState("`game` does not say which game the state is of")
    return found


def instance_of(found: object) -> Instance | None:
    """Return the instance that a JSON value describes, if it describes one."""
    if not isinstance(found, dict) or not isinstance(found.get("name"), str):
        return None
    players, rulings = found.get("players"), found.get("rulings")
    edition, map_ = found.get("edition"), found.get("map")
    if not (players is None or (isinstance(players, int) and not isinstance(players, bool))):
        return None
    if not (rulings is None or (isinstance(rulings, dict) and all(isinstance(v, str) for v in rulings.values()))):
        return None
    if not all(each is None or isinstance(each, str) for each in (edition, map_)):
        return None
    return Instance(name=found["name"], players=players, rulings=rulings, edition=edition, map=map_)


def read(game: Game, data: dict[str, Any], *, stale_ok: bool) -> tuple[bytes, int | None]:
    """Return the bytes and the generator of the state that the data describes."""
    if instance(data)["name"] != game.instance["name"]:
        raise BadState(f"the state is of `{data['game']['name']}`, not of `{game.instance['name']}`")
    if data.get("rules") != game.fingerprint and not stale_ok:
        raise BadState("the state is of other rules than those loaded")
    variables = data.get("state")
    if not isinstance(variables, dict):
        raise BadState("`state` is an object with a value for each variable")
    unknown = sorted(set(variables) - set(game.layout.by_name))
    if unknown:
        raise BadState(f"the game has no variable `{unknown[0][:40]}`")
    position: dict[str, list[int]] = {}
    for field in game.layout.fields:
        if field.variable.name not in variables:
            raise BadState(f"`{field.variable.name}` is missing")
        position[field.variable.name] = _codes(field, variables[field.variable.name])
    return game.layout.encode(position), _generator(data.get("rng"))


def _codes(field: Field, given: object) -> list[int]:
    found: list[int] = []

    def walk(types: tuple[Type, ...], here: object, path: str) -> None:
        if not types:
            try:
                found.append(plain.code(field.variable.type, here))
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
            return {plain.text(key): _json(each) for key, each in value.items()}
        case (left, right):
            return [_json(left), _json(right)]
        case _:
            return value
