"""ProofSettings: what a run of proofs was asked for.

Reads:  nothing.   Writes: `ProofSettings`.
After:  whoever settles an obligation, here or on another machine, is told by these and the game alone what to do.
"""

from __future__ import annotations

from dataclasses import dataclass

from verifier.play.visits import MORE_STEPS


@dataclass(frozen=True, slots=True)
class ProofSettings:
    """What a run was asked for: solver resources for one query, the second solver, symbolic rulings, kept queries.

    longer_play  steps of random play in search of what must be able to happen and was not seen yet.
    plays        recorded games in which something may be seen that random play seldom shows: a name and the moves of each.
    """

    budget: int
    confirm: bool = True
    all_rulings: bool = False
    keep_queries: bool = False
    plays: tuple[tuple[str, tuple[str, ...]], ...] = ()
    longer_play: int = MORE_STEPS
