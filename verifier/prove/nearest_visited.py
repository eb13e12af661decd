"""Nearest visited: whether play has seen anything like a state that a solver made up.

Reads:  the states that play has visited, and a state.   Writes: a sentence for people.
After:  only what the argument looks at is compared: variables that neither the claim nor the action reads do not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verifier.claims.obligations import Obligation
from verifier.claims.verdict_dependencies import footprint_of
from verifier.play.visits import Visits

#: Variables that are named.
NAMED = 3


def nearest_visited(visits: Visits, obligation: Obligation, state: Mapping[str, Sequence[int]]) -> str:
    """Return what play has seen that is most like a state."""
    footprints, layout = visits.footprints, visits.compiled.layout
    looked_at = sorted(footprint_of(footprints, obligation).variables | {"stage"})
    nearest: tuple[str, ...] | None = None
    for each in visits.came:
        seen = layout.decode(each)
        differs = tuple(name for name in looked_at if list(seen[name]) != list(state[name]))
        if nearest is None or len(differs) < len(nearest):
            nearest = differs
    count = f"{len(visits.came):,} state{'s' * (len(visits.came) != 1)} of random play and search"
    if not nearest:
        return f"among {count} there is one that agrees with it in everything that is looked at"
    names = " and ".join(f"`{name}`" for name in nearest[:NAMED])
    more = f" and {len(nearest) - NAMED} more" if len(nearest) > NAMED else ""
    return f"of {count} the one most like it differs in {names}{more}"
