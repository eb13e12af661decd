"""Options: how a query is encoded.

Reads:  a core game.   Writes: `Options`, one for each way to ask the same thing.
After:  nothing rests on the choice but time, except what is left open: a proof holds for all values of that.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from pilgrim_rules.core.ir import Game


@dataclass(frozen=True, slots=True)
class Options:
    """How to encode.

    symbolic     constants that are left open.             eager  assert long tables at once.
    written_out  universals up to this size are.           fixed  values of unknowns, by their keys.
    part         only this one of the goals into which the obligation can be split.
    lean         begin with the requirements that look at small tables only, and without helpers.
    wide         begin with all requirements that look at what the goal looks at.
    deep         begin with instances where other instances look, too.
    partition    say of each counted number that it has exactly one of its values.
    """

    symbolic: frozenset[str] = frozenset()
    eager: bool = False
    written_out: int = 4
    fixed: tuple[tuple[Hashable, int], ...] = ()
    part: int | None = None
    lean: bool = False
    wide: bool = False
    deep: bool = False
    partition: bool = False


def symbolic_constants(game: Game, *, all_rulings: bool) -> frozenset[str]:
    """Return the constants that a proof leaves open: assumed data, and on request the rulings; nothing that is pinned."""
    left_open = {"ruling": all_rulings, "option": False}
    varied = (each.name for each in game.constants if left_open.get(each.source, each.assumed))
    return frozenset(varied) - frozenset(each.name for each in game.pinned)


def uncertain_constants(game: Game) -> frozenset[str]:
    """Return everything that another instance may decide otherwise: what matters for some value of it is not idle."""
    return frozenset(each.name for each in game.constants if each.assumed or each.source in ("ruling", "option"))
