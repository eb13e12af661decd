"""Loading: from the name of a game to its checked core.

Reads:  the name of a game and what is chosen.   Writes: `Loaded`, or raises `RulesError`.
After:  the core knows its origin, so that its rules can be read again with other choices.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pilgrim_rules.core import ir
from pilgrim_rules.core.origin import Origin
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag, RulesError
from pilgrim_rules.language import find_game, instances
from pilgrim_rules.language.instances import Loaded

__all__ = ["Loaded", "check", "load_rules", "read_game", "read_games"]


def read_game(
    name: str | Path,
    *,
    players: int | None = None,
    rulings: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    preset: str | None = None,
    edition: str | Path | None = None,
    map: str | Path | None = None,  # noqa: A002  (the word users know)
) -> ir.Game:
    """Return the checked core of a game; `RulesError` if it has mistakes."""
    return load_rules(
        name, players=players, rulings=rulings, options=options, preset=preset, edition=edition, map=map
    ).game


def read_games(name: str | Path, *, players: int | None = None, **choices: Any) -> tuple[ir.Game, ...]:
    """Return the game for the number of players asked for; if none is, for each that is allowed, the fewest first."""
    game = read_game(name, players=players, **choices)
    return instances.for_each_player_count(game) if players is None else (game,)


def load_rules(
    name: str | Path,
    *,
    players: int | None = None,
    rulings: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    preset: str | None = None,
    edition: str | Path | None = None,
    map: str | Path | None = None,  # noqa: A002  (the word users know)
) -> Loaded:
    """Return the checked core of a game with its inventory and sources; `RulesError` if it has mistakes."""
    chosen = tuple(sorted({**(rulings or {}), **(options or {})}.items()))
    files = _files(name)
    board = None if map is None else find_game.named_map(files, map)
    loaded = instances.read(Origin(files, players, chosen, preset, _text(edition), board))
    _check_kinds(loaded, rulings or {}, options or {})
    return loaded


def _check_kinds(loaded: Loaded, rulings: Mapping[str, str], options: Mapping[str, str]) -> None:
    """Refuse a ruling that was given as an option of the set-up, and the other way round."""
    bag = Bag()
    for asked, others, is_, said in (
        (rulings, loaded.game.options, "an option of the set-up", "option"),
        (options, loaded.game.rulings, "a ruling", "ruling"),
    ):
        cited = {name for each in others for name in (each.name, *each.note.clauses)}
        for name in asked.keys() & cited:
            bag.add(codes.PR505, f"`{name}` is {is_}", None, help=f"choose it with `{said}s`, or `--{said}`")
    bag.stop_if_errors()


def check(name: str | Path) -> Bag:
    """Check a game for every number of players it allows; return all mistakes and warnings."""
    try:
        return instances.check(Origin(_files(name)), keep_games=True)
    except RulesError as refusal:
        bag = Bag()
        for found in refusal.diagnostics:
            bag.put(found)
        return bag


def _files(name: str | Path) -> tuple[str, ...]:
    return tuple(map(str, find_game.find(name)))


def _text(given: str | Path | None) -> str | None:
    return None if given is None else str(given)
