"""Remembered: the last games that a process has loaded.

Reads:  keys.   Writes: nothing but its own memory.
After:  no more than `MOST` are kept, the last ones.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Generic, TypeVar

from pilgrim_rules.language.load_arguments import LoadArguments

MOST = 16
V = TypeVar("V")


class Remembered(Generic[V]):
    """The last values that were put."""

    def __init__(self) -> None:
        self._values: dict[Hashable, V] = {}

    def get(self, key: Hashable) -> V | None:
        """Return what was put under a key, if it is still known."""
        return self._values.get(key)

    def put(self, key: Hashable, value: V) -> None:
        """Keep a value under a key, and forget the oldest if there are too many."""
        self._values.pop(key, None)
        while len(self._values) >= MOST:
            self._values.pop(next(iter(self._values)))
        self._values[key] = value


def sorted_items(choices: Mapping[str, str] | None) -> tuple[tuple[str, str], ...]:
    """Return choices as something that can be part of a key."""
    return tuple(sorted((choices or {}).items()))


def instance_key(instance: LoadArguments, ghosts: bool, fingerprint: str) -> Hashable:  # noqa: FBT001  (as pickle gives it)
    """Return the key of a game by what was asked for and by what it means."""
    choices = sorted_items(instance["rulings"]), sorted_items(instance["options"])
    return instance["name"], instance["players"], *choices, instance["edition"], instance["map"], ghosts, fingerprint
