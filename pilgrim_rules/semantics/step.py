"""Step: one thing that happened in a play.

Reads:  nothing.   Writes: `Step`, and the fingerprint of a state.
After:  a step says who decided it and which state it led to, in a form that other programs can check.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

CHANCE, AUTO = "chance", "auto"  #: who decides where no player does


@dataclass(frozen=True, slots=True)
class Step:
    """A move that was made, by a player, by chance or by itself.

    move         the `Move`, or its text if the step was read from a file
    by           the player's name, `chance` or `auto`
    fingerprint  of the state after the step; empty if the step could not be made
    """

    move: str
    by: str
    fingerprint: str = ""

    def __str__(self) -> str:
        return self.move if self.by == AUTO else f"{self.by}: {self.move}"


def fingerprint(state: bytes) -> str:
    """Return the fingerprint of a state without ghosts: the first 16 hexadecimal digits of its SHA-256."""
    return sha256(state).hexdigest()[:16]
