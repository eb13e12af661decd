"""Directed play: what play is led to after a change.

Reads:  names of actions.   Writes: those that play is to prefer.
After:  if nearly everything has changed, nothing is preferred.
"""

from __future__ import annotations

from collections.abc import Collection

#: Actions that have changed and that play is led to, at most, and how much more often each is chosen.
DIRECTED, HEAVIER = 12, 100
#: Games of directed play for each of any play: without a thorough look they are quick.
LED = 4


def directed(changed: Collection[str]) -> frozenset[str]:
    """Return the actions that play is led to: those that have changed, unless nearly everything has."""
    return frozenset(changed) if len(changed) <= DIRECTED else frozenset()
