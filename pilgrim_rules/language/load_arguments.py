"""Load arguments: which game was asked for: its name, players, rulings, options and data.

Reads:  JSON values.   Writes: `Instance`, a plain dictionary that traces, states and evidence carry.
After:  `load(**instance)` gives the same game again.
"""

from __future__ import annotations

from typing import TypedDict


class LoadArguments(TypedDict):
    """What `load` was asked for."""

    name: str
    players: int | None
    rulings: dict[str, str] | None
    options: dict[str, str] | None
    edition: str | None
    map: str | None


def parse_instance(found: object) -> LoadArguments | None:
    """Return the instance that a JSON value describes; None if it describes none."""
    if not isinstance(found, dict) or not isinstance(found.get("name"), str):
        return None
    players, choices = found.get("players"), (found.get("rulings"), found.get("options"))
    edition, map_ = found.get("edition"), found.get("map")
    if not (players is None or (isinstance(players, int) and not isinstance(players, bool))):
        return None
    if not all(each is None or _is_choice(each) for each in choices):
        return None
    if not all(each is None or isinstance(each, str) for each in (edition, map_)):
        return None
    return LoadArguments(
        name=found["name"], players=players, rulings=choices[0], options=choices[1], edition=edition, map=map_
    )


def _is_choice(found: object) -> bool:
    return isinstance(found, dict) and all(isinstance(each, str) for each in found.values())
