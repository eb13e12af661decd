"""Positions: the states that worked examples arrange, to play on from.

Reads:  a loaded game, and its core with ghosts.   Writes: states.
After:  a position is what the `given` lines say; whatever then happens by itself has not happened yet.
"""

from __future__ import annotations

from collections.abc import Iterator

from pilgrim_rules.api.game import Game, State
from pilgrim_rules.core import ir
from pilgrim_rules.semantics.reference import Reference
from pilgrim_rules.semantics.state_layout import layout


def positions(game: Game, core: ir.Game) -> Iterator[tuple[str, State]]:
    """Yield the position of each example that is about the reading of the game, by the name of the example."""
    reference, whole = Reference.from_game(core), layout(core)
    for example in core.examples:
        if not example.under:
            data = whole.encode(reference.arranged(example))
            yield example.name, State(game, data[: game.layout.size])  # ghosts lie behind all others


def position(game: Game, core: ir.Game, name: str) -> State | None:
    """Return the position of one example; None if there is no such example for this number of players."""
    example = next((each for each in core.examples if each.name == name), None)
    if example is None:
        return None
    return State(game, layout(core).encode(Reference.from_game(core).arranged(example))[: game.layout.size])
