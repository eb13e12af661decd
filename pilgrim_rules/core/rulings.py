"""Rulings: how the questions that a rulebook leaves open, and those that it leaves to the players, are decided in a game.

Reads:  a core game.   Writes: the option of each ruling.
After:  nothing is changed: the game under other options is read again (`language.instances`).
"""

from __future__ import annotations

from collections.abc import Iterable

from pilgrim_rules.core.ir import Arrange, Example, Expect, Game, Make, Options, Refuse
from pilgrim_rules.util.identity_cache import cache_by_identity


def choices_of(game: Game) -> dict[str, int]:
    """Return how the rulings of a game are decided: the number of the option of each."""
    constants = {constant.name: constant for constant in game.constants}
    held = {ruling.name: constants[ruling.name] for ruling in game.decisions if ruling.name in constants}
    return {name: constant.values[0] - constant.type.lo for name, constant in held.items() if len(constant.values) == 1}


def chosen(game: Game) -> tuple[tuple[str, str], ...]:
    """Return each ruling and each option of the set-up with what the game is played under."""
    choices = choices_of(game)
    return tuple((ruling.name, ruling.options[choices[ruling.name]][0]) for ruling in game.decisions)


def chosen_rulings(game: Game) -> tuple[tuple[str, str], ...]:
    """Return each ruling of a game with what it is played under."""
    return tuple(each for each in chosen(game) if each[0] in {ruling.name for ruling in game.rulings})


def chosen_options(game: Game) -> tuple[tuple[str, str], ...]:
    """Return each option of the set-up with what the players have chosen."""
    return tuple(each for each in chosen(game) if each[0] in {option.name for option in game.options})


def readings_of(game: Game, example: Example) -> tuple[Options, ...]:
    """Return the readings that an example is about, the options that are defaults left out."""
    named = [reading_of_line(game, example, line) for line in example.steps if not isinstance(line, Arrange)]
    plain = _unusual(game, example.under)
    found = dict.fromkeys([*named, *(reading for _, reading in example.elsewhere)]) or {plain: None}
    return tuple(sorted(found, key=lambda reading: reading != plain))


def reading_of_line(game: Game, example: Example, line: Make | Refuse | Expect) -> Options:
    """Return the reading that a line is about."""
    return _unusual(game, (*example.under, *line.under))


def _unusual(game: Game, options: Iterable[tuple[str, str]]) -> Options:
    given = dict(options)
    return tuple(sorted(set(given.items()) - _defaults(game))) if given else ()


@cache_by_identity(64)
def _defaults(game: Game) -> frozenset[tuple[str, str]]:
    return frozenset((ruling.name, ruling.default) for ruling in game.decisions)
