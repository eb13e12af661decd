"""Names: words of the rules as identifiers of another language, each once.

Reads:  names of a game, which may be any words.   Writes: identifiers.
After:  no two things share an identifier, upper and lower case alike, and none is a word that the language keeps for itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pilgrim_rules.core.ir import Game, Type
from pilgrim_rules.semantics.errors import RulesGameError


class CannotExport(RulesGameError):
    """The language has no way to say what the rules say."""


class Names:
    """Identifiers that are taken so far."""

    def __init__(self, reserved: Iterable[str]) -> None:
        self._taken = {word.casefold() for word in reserved}

    def fresh(self, wish: str) -> str:
        """Return an identifier that is not taken yet, as near to the wish as can be."""
        base = re.sub(r"\W+", "_", wish, flags=re.ASCII).strip("_") or "it"
        base = base if base[0].isalpha() else f"n{base}"
        found, number = base, 1
        while found.casefold() in self._taken:
            number += 1
            found = f"{base}_{number}"
        self._taken.add(found.casefold())
        return found


def labels(game: Game) -> list[str]:
    """Return, for each type with labels, what its codes stand for: `Side: 0 cross, 1 nought`."""
    named: dict[str, Type] = {each.name: each for each in (game.player, game.stage, *game.types) if each.labels}
    return [
        f"{name}: {', '.join(f'{code} {label}' for code, label in enumerate(type_.labels, type_.lo))}"
        for name, type_ in named.items()
    ]
