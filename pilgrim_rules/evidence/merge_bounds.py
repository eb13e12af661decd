"""Bounds of evidence, put together: the same said of several tables is said once.

Reads:  bounds as the verifier writes them, such as "3 players" or "200 games, 1,509 steps, seed 0".   Writes: text.
After:  no number of players and no number of games is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_PLAYERS = re.compile(r"(\d+) players?")
_GAMES = re.compile(r"([\d,]+) games?, .*")
#: How bounds begin that the real game may exceed, so that whatever rests on such a proof holds within them only.
LIMITS = ("only for ", "the first ", "the data of this edition only", "the rulings as they are chosen only")


def is_limit(bound: str) -> bool:
    """Return whether a bound makes a proof one within limits."""
    return bound.startswith(LIMITS)


def merged(bounds: Iterable[str]) -> tuple[str, ...]:
    """Return bounds, each once; the numbers of players together and first: "2–4 players"."""
    rest: dict[str, None] = {}
    players: set[int] = set()
    for bound in bounds:
        found = _PLAYERS.fullmatch(bound)
        if found is None:
            rest[bound] = None
        else:
            players.add(int(found.group(1)))
    return (*_players_text(sorted(players)), *rest)


def games_in(bounds: Iterable[str]) -> int:
    """Return how many games the largest of some bounds speaks of; 0 if none does."""
    found = (_GAMES.fullmatch(bound) for bound in bounds)
    return max((int(each.group(1).replace(",", "")) for each in found if each is not None), default=0)


def _players_text(numbers: list[int]) -> tuple[str, ...]:
    if not numbers:
        return ()
    first, last = numbers[0], numbers[-1]
    if len(numbers) > 1 and len(numbers) == last - first + 1:
        return (f"{first}–{last} players",)
    return (f"{', '.join(map(str, numbers))} player{'' if numbers == [1] else 's'}",)
