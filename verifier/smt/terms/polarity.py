"""Polarity: on which side of a negation a formula stands; and what to say when it cannot be encoded.

Reads:  nothing.   Writes: nothing; this file only names the polarities.
After:  1 is a hypothesis, -1 a goal (its negation is asserted), 0 stands in both.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

Polarity: TypeAlias = Literal[1, -1, 0]


class Unsupported(Exception):
    """The expression has no local encoding; the obligation stays unsettled, and this says why."""


def flip(polarity: Polarity) -> Polarity:
    """Return the polarity below a negation."""
    match polarity:
        case 1:
            return -1
        case -1:
            return 1
        case 0:
            return 0
