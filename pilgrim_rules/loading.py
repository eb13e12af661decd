"""Loading: from the name of a game to its checked core.

Reads:  the files of the game, or what an earlier run has kept of them.   Writes: `Loaded`, or raises `RulesError`.
After:  the answer is the one `passes` gives, however it was come by.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pilgrim_rules import memory, specs
from pilgrim_rules.clauses.inventory import Inventory, load_inventory
from pilgrim_rules.core import ir
from pilgrim_rules.core.codec import without_collection
from pilgrim_rules.diagnostics.bag import Bag, RulesError
from pilgrim_rules.memory import Asked


@dataclass(frozen=True, slots=True)
class Loaded:
    """A game, what its rulebook says, and the bag with its sources and warnings."""

    game: ir.Game
    inventory: Inventory | None
    bag: Bag


def read_game(
    name: str | Path,
    *,
    players: int | None = None,
    rulings: Mapping[str, str] | None = None,
    preset: str | None = None,
    edition: str | Path | None = None,
    map: str | Path | None = None,  # noqa: A002  (the word users know)
) -> ir.Game:
    """Return the checked core of a game; `RulesError` if it has mistakes."""
    return load_rules(name, players=players, rulings=rulings, preset=preset, edition=edition, map=map).game


def load_rules(
    name: str | Path,
    *,
    players: int | None = None,
    rulings: Mapping[str, str] | None = None,
    preset: str | None = None,
    edition: str | Path | None = None,
    map: str | Path | None = None,  # noqa: A002  (the word users know)
) -> Loaded:
    """Return the checked core of a game with its inventory and sources; `RulesError` if it has mistakes."""
    chosen = tuple(sorted((rulings or {}).items()))
    asked = Asked(specs.find(name), players, chosen, _path(edition), _path(map), preset)
    key = asked.key("load")
    kept = memory.recall(key)
    if kept is not None and (game := kept.game) is not None:
        inventory = load_inventory([Path(each) for each in kept.inventory], None, Bag()) if kept.inventory else None
        return Loaded(game, inventory, kept.bag)
    with without_collection():
        from pilgrim_rules import passes  # noqa: PLC0415  (what is recalled needs no parser)

        made = passes.run(asked)
    memory.keep(key, made.bag, tuple(str(path) for path in made.clauses), made.core)
    return Loaded(made.core, made.inventory, made.bag)


def check(name: str | Path) -> Bag:
    """Check a game for every number of players it allows; return all mistakes and warnings."""
    try:
        asked = Asked(specs.find(name))
    except RulesError as refusal:
        bag = Bag()
        for found in refusal.diagnostics:
            bag.put(found)
        return bag
    key = asked.key("check")
    kept = memory.recall(key)
    if kept is not None:
        return kept.bag
    with without_collection():
        from pilgrim_rules import passes  # noqa: PLC0415  (what is recalled needs no parser)

        bag = passes.check(asked)
    memory.keep(key, bag)
    return bag


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)
