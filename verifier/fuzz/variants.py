"""Variants: the same game under other readings of the rulebook and with other data, as far as its laws allow.

Reads:  a core game that knows its origin.   Writes: core games that differ in rulings, in options and in assumed data.
After:  every variant is what the rules say with those choices, and obeys every law of the game; its label says how it
        differs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from pilgrim_rules.core.footprint import footprint
from pilgrim_rules.core.ir import Constant, Game, Options, Ruling
from pilgrim_rules.core.values import show
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language import instances
from pilgrim_rules.semantics.reference import Reference
from pilgrim_rules.walk.random_source import RandomSource

#: Changes of data tried for one variant; those that break a law are taken back.
CHANGES = 12
#: Choices of rulings tried for one variant.
DRAWS = 8

Cell: TypeAlias = tuple[str, int, int]  #: a table, the number of a cell, its code


@dataclass(frozen=True, slots=True)
class Variant:
    """A game, with how it differs from the one it was made from."""

    game: Game
    rulings: Options
    data: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """How it differs, in a few words."""
        return ", ".join([*(f"{name} = {option}" for name, option in self.rulings), *self.data]) or "as written"


@dataclass(frozen=True, slots=True)
class Variants:
    """The variants of a game by their numbers: the first is the game itself, the others are drawn at random."""

    game: Game
    seed: int
    rulings: bool
    data: bool
    options: bool = False

    def numbered(self, number: int) -> Variant:
        """Return one of them; the game itself if its laws refuse everything that was drawn."""
        usual = Variant(self.game, ())
        if number == 0:
            return usual
        random = RandomSource(f"{self.seed}/{number}")
        decided = (*(self.game.rulings if self.rulings else ()), *(self.game.options if self.options else ()))
        drawn = (_decided(self.game, decided, random) for _ in range(DRAWS))
        found = next((each for each in drawn if each is not None), usual) if decided else usual
        return _changed(found, random) if self.data else found


def _decided(game: Game, decisions: Iterable[Ruling], random: RandomSource) -> Variant | None:
    """Return the game with other decisions; None if its laws do not allow them together."""
    options = tuple((ruling.name, random.pick(ruling.options)[0]) for ruling in decisions)
    try:
        made = instances.with_rulings(game, options, keep=False)
    except RulesError:
        return None
    return Variant(made, instances.non_default_options(made))


def _changed(variant: Variant, random: RandomSource) -> Variant:
    """Change entries of assumed data, as long as the laws hold and the game can begin."""
    cells = _drawn(variant.game, random)
    try:
        made = instances.with_data(variant.game, cells, keep=False) if cells else variant.game
    except RulesError:  # a type or a computed table does not allow them
        return variant
    if not _laws_hold(made):
        return variant
    types = {each.name: each.type for each in made.constants}
    labels = tuple(f"{name}[{at}] = {show(types[name], code)}" for name, at, code in cells)
    return replace(variant, game=made, data=labels)


def _drawn(game: Game, random: RandomSource) -> tuple[Cell, ...]:
    """Return cells of assumed tables with other values, one after the other, each as far as the laws bear it."""
    tables = [
        each
        for each in game.constants
        if each.assumed and each.source not in ("ruling", "option") and each.type.size > 1
    ]
    found: dict[tuple[str, int], int] = {}
    for _ in range(CHANGES if tables else 0):
        name = random.pick(tables).name
        table = next(each for each in game.constants if each.name == name)
        at = random.below(len(table.values))
        code = random.between(table.type.lo, table.type.hi)
        if code == table.values[at]:
            continue
        tried = _with(game, replace(table, values=(*table.values[:at], code, *table.values[at + 1 :])))
        if _laws_hold(tried, changed=name):
            game = tried
            found[name, at] = code
    return tuple((name, at, code) for (name, at), code in found.items())


def _with(game: Game, table: Constant) -> Game:
    """Return the game with another table, to ask its laws about it; what is computed from the table is not."""
    constants = tuple(table if each.name == table.name else each for each in game.constants)
    return replace(game, constants=constants, origin=None)


def _laws_hold(game: Game, *, changed: str | None = None) -> bool:
    """Return whether the game can begin and its laws hold, or those that look at the only table which has changed."""
    reference = Reference.from_game(game)
    start = reference.start()
    inside = all(
        variable.type.lo <= code <= variable.type.hi for variable in game.variables for code in start[variable.name]
    )
    laws = [claim for claim in game.claims if claim.kind == "law"]
    if changed is not None:
        defs = reference.declared.defs
        laws = [law for law in laws if changed in footprint((law.formula,), defs).constants]
    return inside and all(reference.holds(law, start) for law in laws)
