"""A mistake that can be made in the rules.

Reads:  nothing.   Writes: nothing.
After:  a mistake has a name that stays while the line does, and makes the game with it in it when asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pilgrim_rules.core.ir import Game
from pilgrim_rules.diagnostics.source import Span

HumanKind: TypeAlias = Literal["off_by_one", "player", "order", "reset", "table", "exception"]
MutantKind: TypeAlias = Literal["drop", "negate", "change", "double", "decider", "stage", "secrecy"] | HumanKind


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake that can be made.

    key      of the line; the name of the definition, stage or action where there is none.
    words    what is different.
    make     the game with the mistake in it.
    span     the line, or the declaration.
    """

    kind: MutantKind
    key: str
    words: str
    clauses: tuple[str, ...]
    make: Callable[[], Game] = field(compare=False, repr=False)
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def name(self) -> str:
        """Stable while the line is: its key, the kind of the mistake, and its words."""
        return f"{self.key} {self.kind}: {self.words}"
