"""Costs as people say them: how much of what, and when.

Reads:  a core game and one of its rules.   Writes: `SaidCost`s.
After:  each cost of the rule is one entry; which box a coin comes from and where it goes is left to the steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pilgrim_rules.core.ir import Action, Game
from pilgrim_rules.core.rulings import choices_of
from pilgrim_rules.prose import words
from pilgrim_rules.prose.apply_rulings import ReadRules, written_lines
from pilgrim_rules.prose.english import decided_guard
from pilgrim_rules.prose.expressions import say_expr
from pilgrim_rules.prose.statements import say_amount

__all__ = ["SaidCost", "say_costs"]


@dataclass(frozen=True, slots=True)
class SaidCost:
    """One cost: "1 stone", "1 coin or 2 grain"; when it is due, empty for always; its clauses."""

    what: str
    when: str
    clauses: tuple[str, ...]


def say_costs(game: Game, action: Action, choices: Mapping[str, int] | None = None) -> tuple[SaidCost, ...]:
    """Return what a rule costs, under the rulings as they are decided."""
    rules = ReadRules.from_game(game, choices_of(game) if choices is None else choices)
    written = rules.action(written_lines(action))
    voice = decided_guard(game, action, written, rules)
    return tuple(
        SaidCost(
            words.join([say_amount(option, voice) for option in cost.options], "or"),
            "" if cost.when is None else f"if {say_expr(cost.when, voice)}",
            cost.clauses,
        )
        for cost in written.costs
    )
