"""Tables: a game for every number of players it allows.

Reads:  the name of a game and the instance asked for.   Writes: core games, the most players first.
After:  whoever names a number of players gets that one only.
"""

from __future__ import annotations

from typing import Any

from pilgrim_rules.core.ir import Game
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.loading import read_game


def seatings(name: str, words: dict[str, Any]) -> tuple[Game, ...]:
    """Return the game as it is asked for; if the number of players is left open, once for each that is allowed."""
    found = [read_game(name, **words)]
    while words.get("players") is None:
        try:
            found.append(read_game(name, **{**words, "players": found[-1].players + 1}))
        except RulesError:  # nobody else fits at the table
            break
    return tuple(reversed(found))
