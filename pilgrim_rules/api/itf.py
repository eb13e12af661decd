"""ITF: a play in the Informal Trace Format, which the viewers of other model checkers read.

Reads:  states and steps.   Writes: plain JSON values.
After:  every variable of every state is there. The format is described in Apalache's ADR 015: tables are `#map`, pairs
        `#tup`, and an optional value is a variant with the tag `Some` or `None`, as Quint writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pilgrim_rules.api.game import State
from pilgrim_rules.core.ir import Type
from pilgrim_rules.core.values import unpair
from pilgrim_rules.semantics import python_values
from pilgrim_rules.semantics.state_layout import Field, decode_field
from pilgrim_rules.semantics.step import Step


def form(states: Sequence[State], steps: Sequence[Step]) -> dict[str, Any]:
    """Return the trace; the step that led to a state is in the state's `#meta`."""
    game = states[0].game
    meta = {"format": "ITF", "format-description": "https://apalache.informal.systems/docs/adr/015adr-trace.html"}
    rows: list[dict[str, Any]] = []
    for index, state in enumerate(states):
        about: dict[str, Any] = {"index": index}
        if index:
            about |= {"action": str(steps[index - 1].move), "by": steps[index - 1].by}
        cells = {each.variable.name: _table(each, state.data) for each in game.layout.fields}
        rows.append({"#meta": about, **cells})
    return {
        "#meta": {**meta, "source": game.name, "rules": game.fingerprint},
        "params": [],
        "vars": [each.variable.name for each in game.layout.fields],
        "states": rows,
    }


def _table(field: Field, state: bytes) -> Any:
    codes = decode_field(field, state)
    types = field.variable.index
    values = [_value(field.variable.type, code) for code in codes]
    if not types:
        return values[0]
    keys = [[_value(type_, code) for type_, code in zip(types, index, strict=True)] for index in field.indices()]
    return {
        "#map": [[key[0] if len(key) == 1 else {"#tup": key}, each] for key, each in zip(keys, values, strict=True)]
    }


def _value(type_: Type, code: int) -> Any:
    if type_.kind == "optional":
        if code == type_.hi:
            return {"tag": "None", "value": {"#tup": []}}
        return {"tag": "Some", "value": _value(type_.parts[0], code)}
    if type_.kind == "pair":
        left, right = unpair(type_, code)
        return {"#tup": [_value(type_.parts[0], left), _value(type_.parts[1], right)]}
    return python_values.value(type_, code)
