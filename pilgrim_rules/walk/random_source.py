"""The generator of everything that is drawn at random outside a game's own chance.

Reads:  a seed, a number or a text.   Writes: numbers and choices.
After:  the same seed gives the same choices on every machine and Python version; nothing global is read or changed. It is the
        generator that resolves chance (`semantics.chance`), as an object.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

from pilgrim_rules.semantics import chance

T = TypeVar("T")


class RandomSource:
    """Draws numbers and choices from a seed."""

    __slots__ = ("_state",)

    def __init__(self, seed: int | str) -> None:
        if isinstance(seed, str):
            seed = int.from_bytes(sha256(seed.encode()).digest()[:8])
        self._state = chance.seeded(seed)

    def below(self, limit: int) -> int:
        """Return a number below the limit, each equally likely."""
        number, self._state = chance.below(self._state, limit)
        return number

    def between(self, lo: int, hi: int) -> int:
        """Return a number from `lo` to `hi`, both included."""
        return lo + self.below(hi - lo + 1)

    def percent(self, share: int) -> bool:
        """Return True in this many cases of a hundred."""
        return self.below(100) < share

    def pick(self, things: Sequence[T]) -> T:
        """Return one of the things, each equally likely."""
        return things[self.below(len(things))]

    def weighted(self, things: Sequence[T], weights: Sequence[int]) -> T:
        """Return one of the things, each as likely as it is heavy."""
        at, self._state = chance.choose(self._state, weights)
        return things[at]

    def sample(self, things: Sequence[T], count: int) -> list[T]:
        """Return different ones of the things, or all of them if there are no more, in the order drawn."""
        left = list(things)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]
