"""Declarations: the symbol table of a core game.

Reads:  a core game.   Writes: its declarations by name, each table made when it is first asked for.
After:  nothing is changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pilgrim_rules.core.ir import Action, Claim, Constant, Def, Game, Network, Stage, Variable


@dataclass(frozen=True, eq=False)
class Declarations:
    """A game, with its declarations found by name."""

    game: Game

    @cached_property
    def variables(self) -> dict[str, Variable]:
        """State variables by name."""
        return {each.name: each for each in self.game.variables}

    @cached_property
    def constants(self) -> dict[str, Constant]:
        """Constant tables by name."""
        return {each.name: each for each in self.game.constants}

    @cached_property
    def defs(self) -> dict[str, Def]:
        """Definitions by name."""
        return {each.name: each for each in self.game.defs}

    @cached_property
    def definition_reads(self) -> dict[str, frozenset[str]]:
        """What definitions read, by name; filled by whoever works it out."""
        return {}

    @cached_property
    def stages(self) -> dict[int, Stage]:
        """Stages by code."""
        return {each.code: each for each in self.game.stages}

    @cached_property
    def actions(self) -> dict[str, Action]:
        """Actions by name."""
        return {each.name: each for each in self.game.actions}

    @cached_property
    def claims(self) -> dict[str, Claim]:
        """Claims by name."""
        return {each.name: each for each in self.game.claims}

    @cached_property
    def networks(self) -> dict[str, Network]:
        """Networks by name."""
        return {each.name: each for each in self.game.networks}


def definition_table(definition: str) -> str:
    """Return the name of the constant table that holds a definition's values; no constant of a game is spelled so."""
    return f"{definition}()"
