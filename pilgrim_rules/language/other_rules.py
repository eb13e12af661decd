"""Other rules: what the rules of a game would be if one ruling were decided otherwise, for whoever tells the difference.

Reads:  a game that knows its origin.   Writes: cores with actions, definitions and tables, without claims and examples.
After:  whatever of a core depends on the ruling is what it is in that reading. For the rest nothing is promised: rulings on
        which no part of the rules depends together are read at once, since each reading takes a second for a large game.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from pilgrim_rules.core import ir
from pilgrim_rules.core.origin import Origin
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.language import checked_cache, passes
from pilgrim_rules.language.static_rulings import static_rulings

__all__ = ["rules_under"]

REMEMBERED = 64  #: cores that a process remembers


def rules_under(game: ir.Game, ruling: str, option: str) -> ir.Game:
    """Return the rules with one ruling decided as given; what depends on other rulings may be of any reading.

    The game is one that was read from rules with all rulings as usual; `RulesError` if there is no such reading.
    """
    assert game.origin is not None, "a game that was not read from rules has no other reading"
    origin = replace(game.origin, players=game.players)
    alone = ((ruling, option),)
    pack = _packs(origin, _readings(game, static_rulings(game.origin))).get((ruling, option), alone)
    try:
        return _rules(replace(origin, rulings=pack))
    except RulesError:  # what one of the others does to the rules, or what they do together
        return _rules(replace(origin, rulings=alone))


def _readings(game: ir.Game, rulings: frozenset[str]) -> tuple[ir.Options, ...]:
    """Return every reading in which one of the rulings is decided otherwise."""
    return tuple(
        ((each.name, option),)
        for each in game.decisions
        if each.name in rulings
        for option, _ in each.options
        if option != each.default
    )


@lru_cache(maxsize=8)
def _packs(origin: Origin, readings: tuple[ir.Options, ...]) -> dict[tuple[str, str], ir.Options]:
    """Return for each option of a ruling the reading that is made in its place."""
    return {choice: pack for pack in passes.packs_of_rules(origin, readings) for choice in pack}


@lru_cache(maxsize=REMEMBERED)
def _rules(origin: Origin) -> ir.Game:
    key = checked_cache.key_of(origin, "rules alone")
    kept = checked_cache.read_cached(key, origin.texts)
    if kept is not None and (game := kept.game) is not None:
        return game
    made = passes.rules_alone(origin)
    checked_cache.write_cached(key, made.bag, core=(made.core, ""))
    return made.core
