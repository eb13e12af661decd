"""Editions: in what the editions of a rulebook differ.

Reads:  the name of a game.   Writes: the rulings, data and clauses that are not the same in all of its editions.
After:  what is listed differs between at least two editions; what is not listed is the same in all.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

from pilgrim_rules.core import ir
from pilgrim_rules.core.rulings import chosen
from pilgrim_rules.core.values import show
from pilgrim_rules.inputs.clauses.inventory import Inventory
from pilgrim_rules.language.instances import Loaded
from pilgrim_rules.language.load import load_rules, read_game


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which editions differ: what each says, in their order; "" where one says nothing."""

    what: str
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EditionComparison:
    """The editions of a game, and where they differ."""

    editions: tuple[ir.Preset, ...]
    rulings: tuple[Difference, ...]
    data: tuple[Difference, ...]
    clauses: tuple[Difference, ...]


def editions(game: ir.Game) -> tuple[ir.Preset, ...]:
    """Return the editions that a game declares."""
    return tuple(each for each in game.presets if each.edition)


def inventory_of(loaded: Loaded, edition: str) -> Inventory | None:
    """Return what one edition says: what all of them do, and what is its own."""
    whole, origin = loaded.inventory, loaded.game.origin
    if whole is None or origin is None:
        return whole
    folder = Path(origin.files[0]).parent
    others = [text for each in editions(loaded.game) if each.name != edition for text in each.clauses]
    own = [text for each in editions(loaded.game) if each.name == edition for text in each.clauses]
    gone = {str((folder / text).resolve()) for text in others if text not in own}
    files = {str(Path(place.document.source.name).resolve()) for place in whole.given.values()}
    return whole.only(files - gone)


def compare_editions(name: str | Path) -> EditionComparison:
    """Compare the editions of a game with each other, for the fewest players it allows."""
    loaded = load_rules(name)
    found = editions(loaded.game)
    games = [read_game(name, edition=each.name) for each in found]
    inventories = [inventory_of(loaded, each.name) for each in found]
    said = [{} if each is None else {clause.id: clause.text for clause in each.clauses} for each in inventories]
    return EditionComparison(
        found,
        _differences([dict(chosen(game)) for game in games]),
        _differences([_cells(game) for game in games]),
        _differences(said),
    )


def _differences(tables: list[dict[str, str]]) -> tuple[Difference, ...]:
    names = dict.fromkeys(name for table in tables for name in table)
    found = (Difference(name, tuple(table.get(name, "") for table in tables)) for name in names)
    return tuple(each for each in found if len(set(each.said)) > 1)


def _cells(game: ir.Game) -> dict[str, str]:
    """Return every value of the data of a game, by the name of its table and its place in it."""
    found: dict[str, str] = {}
    for constant in game.constants:
        if constant.source in ("column", "param"):
            places = product(*(range(each.lo, each.hi + 1) for each in constant.index))
            for place, code in zip(places, constant.values, strict=True):
                at = ", ".join(show(type_, each) for type_, each in zip(constant.index, place, strict=True))
                found[f"{constant.name}[{at}]" if at else constant.name] = show(constant.type, code)
    return found
