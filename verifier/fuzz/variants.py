"""Variants: the same game under other readings of the rulebook and with other data, as far as its laws allow.

Reads:  a core game.   Writes: core games that differ in rulings and in data that are only assumed.
After:  every variant obeys every law of the game; its label says how it differs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from pilgrim_rules.core.ir import Constant, Game
from pilgrim_rules.core.values import show
from pilgrim_rules.engine.reference import Reference

#: Changes of data tried for one variant; those that break a law are taken back.
CHANGES = 12


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


def variants(game: Game, seed: int, *, rulings: bool, data: bool) -> Iterator[Variant]:
    """Yield the game itself, then without end random variants of its rulings, of its assumed data, or of both."""
    yield Variant(game, ())
    random = Random(seed)  # noqa: S311  (not for secrets)
    while True:
        found = _ruled(game, random) if rulings else Variant(game, ())
        yield _changed(found, random) if data else found


def chosen_rulings(game: Game) -> list[tuple[str, str]]:
    """Return each ruling of a game with the option it is played under."""
    codes = {each.name: each.values[0] - each.type.lo for each in game.constants if each.source == "ruling"}
    return [(ruling.name, ruling.options[codes[ruling.name]][0]) for ruling in game.rulings]


def _ruled(game: Game, random: Random) -> Variant:
    chosen = {ruling.name: random.randrange(len(ruling.options)) for ruling in game.rulings}
    constants = tuple(
        replace(each, values=(each.type.lo + chosen[each.name],)) if each.name in chosen else each
        for each in game.constants
    )
    ruled = replace(game, constants=constants)
    usual = {ruling.name: ruling.default for ruling in game.rulings}
    return Variant(ruled, tuple((name, option) for name, option in chosen_rulings(ruled) if option != usual[name]))


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
