"""Environment: everything an expression can see while it is evaluated.

Reads:  a core game and positions.   Writes: `Environment`.
After:  nothing is changed; binding a name gives a new environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.semantics.state_layout import Position


@dataclass(frozen=True, slots=True)
class Environment:
    """Everything an expression can see: the game, the position now, before and after, and the names bound around."""

    declared: Declarations
    now: Position
    names: Mapping[str, int]
    old: Position | None = None
    next: Position | None = None

    def bind(self, name: str, value: int) -> Environment:
        """Return the env in which the name stands for the value."""
        return self.with_names({**self.names, name: value})

    def with_names(self, names: Mapping[str, int]) -> Environment:
        """Return the env with these names alone."""
        return Environment(self.declared, self.now, names, self.old, self.next)
