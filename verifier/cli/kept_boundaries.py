"""Kept boundaries: where the rules of a game have become stricter or laxer, or do something else, since they were kept.

Reads:  the boundaries in the folder of a game, and one instance of it.   Writes: how many there are, and what has shifted.
After:  they are asked only of the reading and the edition in which they were found, which are those by default.
"""

from __future__ import annotations

from dataclasses import dataclass

from pilgrim_rules.cli.options import InstanceOptions
from pilgrim_rules.cli.output import show_plain
from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.language import find_game
from pilgrim_rules.language.instances import non_default_options
from verifier.play.boundaries import read_boundaries, shifted

NAMED = 8  #: boundaries that are shown


@dataclass(frozen=True, slots=True)
class KeptBoundaries:
    """How many boundaries were asked, and what is said of those that are elsewhere now."""

    asked: int
    shifted: tuple[str, ...] = ()

    def show(self, name: str) -> None:
        """Print what has shifted, the first ones of many."""
        for says in self.shifted[:NAMED]:
            show_plain(f"✗ {says}")
        if len(self.shifted) > NAMED:
            show_plain(f"  and {len(self.shifted) - NAMED:,} more, which `pilgrim boundaries {name}` shows")

    def text(self, name: str) -> str:
        """Return one line about all of them."""
        if not self.asked:
            return f"none are kept; `pilgrim boundaries {name} --write` looks for them"
        return f"{self.asked - len(self.shifted):,} of {self.asked:,} where they were"


def asked_of(name: str, game: Game, instance: InstanceOptions) -> KeptBoundaries | None:
    """Ask the boundaries that are kept for a number of players; None where another reading or edition is looked at."""
    if non_default_options(game) or instance.edition is not None or instance.map is not None:
        return None
    files = find_game.find(name)
    kept = read_boundaries(files[0].parent, game.players) if files else ()
    return KeptBoundaries(len(kept), tuple(one.says for one in shifted(compiled(game, ghosts=True), kept)))
