"""Lessons: requirements that were left out of a game on purpose, and how that was noticed.

Reads:  docs/evidence/<game>.mutants.json, which `pilgrim mutate` writes.   Writes: `Lesson`s.
After:  only mistakes that something noticed are kept. A file that is not there means that there is nothing to tell.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["BadMutants", "Lesson", "read_lessons"]


class BadMutants(Exception):
    """The file holds no mutants that these documents can read."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A requirement that was left out, and how that was noticed.

    key      of the requirement.     by   what noticed it: examples, play, search, proofs.     says  what went wrong.
    play     moves after which it shows, for so many `players`, from the start or from what the `example` arranges.
    rests    fingerprints of what it rests on, by their names: the rules, an example, a claim.
    """

    key: str
    by: str
    says: str
    play: tuple[str, ...] = ()
    example: str = ""
    players: int = 0
    rests: Mapping[str, str] = field(default_factory=dict)

    def stands(self, today: Mapping[str, str]) -> bool:
        """Return whether it is told of these rules; one that does not say of which is told of none."""
        return bool(self.rests) and all(today.get(name) == text for name, text in self.rests.items())


def read_lessons(path: Path) -> tuple[Lesson, ...]:
    """Read what was noticed of missing requirements; nothing if there is no file."""
    if not path.exists():
        return ()
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return tuple(
            _lesson(each)
            for each in data["mutants"]
            if each["fate"] == "killed" and each["kind"] == "drop" and ".require." in each["key"]
        )
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise BadMutants(f"{path.name} cannot be read: {type(problem).__name__}: {problem}") from None


def _lesson(data: Mapping[str, Any]) -> Lesson:
    return Lesson(
        data["key"],
        data["by"],
        data["says"],
        tuple(data.get("play", ())),
        data.get("example", ""),
        data.get("players", 0),
        dict(data.get("rests_on", {})),
    )
