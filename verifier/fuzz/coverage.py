"""Coverage: what a campaign has tried so far, by action, argument, requirement and line.

Reads:  moves made, moves refused.   Writes: counts; JSON and back; the sum of two.
After:  merging is addition, so that the work of several processes adds up in any order.

A requirement is covered when it has been met (`allowed`) and when it has been the reason for a refusal (`refused`; `alone`
if it was the only one, which shows that it matters by itself).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any

from pilgrim_rules.core.ir import Action, Game, Require
from pilgrim_rules.core.walk import assignments
from pilgrim_rules.engine.moves import Coded
from pilgrim_rules.engine.refusal import Refusal


@dataclass(slots=True)
class Coverage:
    """Counts of what has been tried.

    actions  by name.                      values   by `action.parameter=code`.
    allowed, refused, alone                by key of the requirement.
    lines    by key of the effect's line, as far as it was looked at (a sample of the steps).
    stages   by name.
    """

    actions: Counter[str] = field(default_factory=Counter)
    values: Counter[str] = field(default_factory=Counter)
    allowed: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    alone: Counter[str] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)
    stages: Counter[str] = field(default_factory=Counter)

    def made(self, action: Action, args: tuple[int, ...]) -> None:
        """Count a move that was made."""
        self.actions[action.name] += 1
        for param, arg in zip(action.params, args, strict=True):
            self.values[value_key(action, param.name, arg)] += 1

    def asked(self, action: Action, reasons: list[Refusal]) -> None:
        """Count a move that was asked about."""
        if not reasons:
            self.allowed.update(requirements(action))
            return
        failed = {reason.key for reason in reasons if reason.kind == "requirement"}
        self.refused.update(failed)
        if len(failed) == 1 and len(reasons) == 1:
            self.alone.update(failed)

    def merge(self, other: Coverage) -> None:
        """Add the counts of another coverage."""
        for each in fields(self):
            getattr(self, each.name).update(getattr(other, each.name))

    def copy(self) -> Coverage:
        """Return the same counts, to be counted on."""
        same = Coverage()
        same.merge(self)
        return same

    def less(self, other: Coverage) -> Coverage:
        """Return what has been counted since the other coverage was copied."""
        return Coverage(**{each.name: getattr(self, each.name) - getattr(other, each.name) for each in fields(self)})

    def to_json(self) -> dict[str, dict[str, int]]:
        """Return the counts as plain data."""
        return {each.name: dict(sorted(getattr(self, each.name).items())) for each in fields(self)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Coverage:
        """Return the counts that plain data describe."""
        return cls(**{each.name: Counter(data.get(each.name, {})) for each in fields(cls)})

    # ------------------------------------------------------------------------------------------------- what is missing

    def never_made(self, game: Game) -> tuple[str, ...]:
        """Return the actions that were never made."""
        return tuple(action.name for action in game.actions if not self.actions[action.name])

    def never_refused(self, game: Game) -> tuple[str, ...]:
        """Return the requirements that were never the reason for a refusal."""
        keys = dict.fromkeys(key for action in game.actions for key in requirements(action))
        return tuple(key for key in keys if not self.refused[key])

    def never_run(self, game: Game) -> tuple[str, ...]:
        """Return the lines of effects that were never seen to run."""
        keys = dict.fromkeys(stmt.key for action in game.actions for stmt in assignments(action.body))
        return tuple(key for key in keys if not self.lines[key])


def requirements(action: Action) -> tuple[str, ...]:
    """Return the keys of an action's requirements."""
    return tuple(line.key for line in action.guard if isinstance(line, Require))


def value_key(action: Action, param: str, code: int) -> str:
    """Return the name under which an argument is counted."""
    return f"{action.name}.{param}={code}"


def rarity(coverage: Coverage, game: Game, coded: Coded) -> tuple[int, int]:
    """Return how often the action, and its rarest argument, have been made: what is small is worth trying."""
    number, args = coded
    action = game.actions[number]
    values = [
        coverage.values[value_key(action, param.name, arg)] for param, arg in zip(action.params, args, strict=True)
    ]
    return coverage.actions[action.name], min(values, default=0)
