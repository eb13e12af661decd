"""Variants: the same game under other readings of the rulebook and with other data, as far as its laws allow.

Reads:  a core game.   Writes: core games that differ in rulings and in data that are only assumed.
After:  every variant obeys every law of the game; its label says how it differs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from pilgrim_rules import passes, specs
from pilgrim_rules.core.ir import Constant, Game
from pilgrim_rules.core.values import show
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.engine.reference import Reference
from pilgrim_rules.engine.stateform import Instance
from pilgrim_rules.memory import Asked

#: Changes of data tried for one variant; those that break a law are taken back.
CHANGES = 12
#: Choices of rulings tried for one variant.
DRAWS = 8


@dataclass(frozen=True, slots=True)
class Variant:
    """A game, with how it differs from the one it was made from."""

    game: Game
    rulings: tuple[tuple[str, str], ...]
    data: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """How it differs, in a few words."""
        return ", ".join([*(f"{name} = {option}" for name, option in self.rulings), *self.data]) or "as written"


@dataclass(frozen=True, slots=True)
class Variants:
    """The variants of a game by their numbers: the first is the game itself, the others are drawn at random.

    If the `instance` says which rules the game is of, they are read anew for each choice of rulings: tables and whole
    actions may depend on it. A game of which nobody has the text keeps its actions and tables.
    """

    game: Game
    seed: int
    rulings: bool
    data: bool
    instance: Instance | None = None

    def numbered(self, number: int) -> Variant:
        """Return one of them; the game itself if its laws refuse everything that was drawn."""
        usual = Variant(self.game, ())
        if number == 0:
            return usual
        random = Random(f"{self.seed}/{number}")  # noqa: S311  (not for secrets)
        drawn = (_ruled(self.game, random, self.instance) for _ in range(DRAWS))
        found = next((each for each in drawn if each is not None), usual) if self.rulings else usual
        return _changed(found, random) if self.data else found


def chosen_rulings(game: Game) -> list[tuple[str, str]]:
    """Return each ruling of a game with the option it is played under."""
    codes = {each.name: each.values[0] - each.type.lo for each in game.constants if each.source == "ruling"}
    return [(ruling.name, ruling.options[codes[ruling.name]][0]) for ruling in game.rulings]


def _ruled(game: Game, random: Random, instance: Instance | None) -> Variant | None:
    """Return the game under other rulings; None if its laws do not allow them together."""
    chosen = {ruling.name: random.randrange(len(ruling.options)) for ruling in game.rulings}
    if instance is None:
        constants = tuple(
            replace(each, values=(each.type.lo + chosen[each.name],)) if each.name in chosen else each
            for each in game.constants
        )
        ruled = replace(game, constants=constants)
    else:
        options = tuple((ruling.name, ruling.options[chosen[ruling.name]][0]) for ruling in game.rulings)
        try:
            ruled = _read(instance, game.players, options)
        except RulesError:
            return None
    usual = {ruling.name: ruling.default for ruling in game.rulings}
    return Variant(ruled, tuple((name, option) for name, option in chosen_rulings(ruled) if option != usual[name]))


def _read(instance: Instance, players: int, options: tuple[tuple[str, str], ...]) -> Game:
    """Read the rules under some options; nothing is kept of it, for nobody will ask for the same again."""
    edition, map_ = (None if each is None else Path(each) for each in (instance["edition"], instance["map"]))
    return passes.run(Asked(specs.find(instance["name"]), players, tuple(sorted(options)), edition, map_)).core


def _changed(variant: Variant, random: Random) -> Variant:
    """Change entries of assumed data, one at a time, as long as the laws hold and the game can begin."""
    game, labels = variant.game, list[str]()
    tables = [each for each in game.constants if each.source == "param" and each.assumed and each.type.size > 1]
    for _ in range(CHANGES if tables else 0):
        name = random.choice(tables).name
        table = next(each for each in game.constants if each.name == name)
        at = random.randrange(len(table.values))
        value = random.randint(table.type.lo, table.type.hi)
        values = (*table.values[:at], value, *table.values[at + 1 :])
        changed = _with(game, replace(table, values=values))
        if value != table.values[at] and _lawful(changed):
            game = changed
            labels.append(f"{name}[{at}] = {show(table.type, value)}")
    return replace(variant, game=game, data=tuple(labels))


def _with(game: Game, table: Constant) -> Game:
    return replace(game, constants=tuple(table if each.name == table.name else each for each in game.constants))


def _lawful(game: Game) -> bool:
    reference = Reference.of(game)
    start = reference.start()
    inside = all(
        variable.type.lo <= code <= variable.type.hi for variable in game.variables for code in start[variable.name]
    )
    return inside and all(reference.holds(claim, start) for claim in game.claims if claim.kind == "law")
