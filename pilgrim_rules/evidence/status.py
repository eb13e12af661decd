"""Status words: what may be said about a rule or a claim, and which word wins.

Reads:  records of evidence and the fingerprints of the current rules.   Writes: `Status` values.
After:  no page can print a word that its evidence does not carry; the weakest word decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class Status(IntEnum):
    """A word of the evidence vocabulary, weakest first (docs/explain/evidence.rst says what each claims)."""

    REFUTED = 0
    STALE = 1
    OPEN = 2
    NOT_INDUCTIVE = 3
    NOT_SETTLED = 4
    NOT_EXERCISED = 5
    VACUOUS = 6
    EXAMPLE = 7
    TESTED = 8
    PROVED_WITHIN_LIMITS = 9
    PROVED = 10

    @property
    def word(self) -> str:
        """The word as it is printed."""
        return self.name.replace("_", " ").lower()

    @property
    def icon(self) -> str:
        """The sign that stands beside the word, so that colour is never needed."""
        return _ICONS[self]

    @property
    def css(self) -> str:
        """The class of the badge."""
        return f"rules-is-{self.word.replace(' ', '-')}"


_ICONS = {
    Status.REFUTED: "✗",
    Status.STALE: "⟲",
    Status.OPEN: "○",
    Status.NOT_INDUCTIVE: "⤳",
    Status.NOT_SETTLED: "?",
    Status.NOT_EXERCISED: "◇",
    Status.VACUOUS: "∅",
    Status.EXAMPLE: "▣",
    Status.TESTED: "◆",
    Status.PROVED_WITHIN_LIMITS: "◐",
    Status.PROVED: "✓",
}


def weakest(found: Iterable[Status]) -> Status:
    """Return the weakest status; nothing at all is open."""
    return min(found, default=Status.OPEN)
