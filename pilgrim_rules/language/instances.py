"""Instances: a game under other rulings, with other data, for other players. There is one way: the rules are read again.

Reads:  origins of games, or games that know theirs.   Writes: checked cores.
After:  a core is what the passes make of the texts and choices of its origin: types, tables and actions that depend on a
        ruling, on data or on the number of players are those of that choice, and not only the constant that names it.

What was read for one choice is read for no other again: texts belong to the origin, trees of files are remembered, and
so are the last cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pilgrim_rules.core import ir
from pilgrim_rules.core.derived import drop_unasked
from pilgrim_rules.core.fingerprint import game_fingerprint, remember_fingerprint
from pilgrim_rules.core.origin import FileTexts, Origin
from pilgrim_rules.core.rulings import chosen, readings_of
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.language import checked_cache
from pilgrim_rules.util.collection import without_collection

if TYPE_CHECKING:
    from pilgrim_rules.inputs.clauses.inventory import Inventory
    from pilgrim_rules.language.passes import PassesResult

#: Cores that a process remembers; they share with each other whatever is the same.
REMEMBERED = 256


@dataclass(frozen=True)
class Loaded:
    """A game, the page of each clause of its rulebook, and the bag with its sources and warnings."""

    game: ir.Game
    pages: Mapping[str, str]
    bag: Bag
    read_inventory: Callable[[], Inventory | None]

    @cached_property
    def inventory(self) -> Inventory | None:
        """What the rulebook says, read when it is first asked for; None if the game has no inventory."""
        return self.read_inventory()


class NoOrigin(Exception):
    """Another reading is asked for of a game that was not read from rules, or was changed since."""


# --------------------------------------------------------------------------------------------------------- from origins


def read(origin: Origin, *, keep: bool = True) -> Loaded:
    """Return the game of an origin, or what an earlier run has kept of it; `RulesError` if it has mistakes.

    keep  it for later runs; nobody will ask again for a reading that was drawn at random.
    """
    key = checked_cache.key_of(origin, "load") if keep else None
    kept = checked_cache.read_cached(key, origin.texts)
    if kept is not None and (game := kept.game) is not None:
        found = _with_origin(game, origin, kept.edition, kept.bag)
        if kept.fingerprint:
            remember_fingerprint(found, kept.fingerprint)
        return Loaded(found, kept.pages, kept.bag, partial(_inventory, kept.inventory, origin.texts))
    with without_collection():
        from pilgrim_rules.language import passes  # noqa: PLC0415  (what is recalled needs no parser)

        made = passes.run(origin)
    fingerprint = _keep(key, origin, made)
    found = _with_origin(made.core, origin, made.edition, made.bag)
    if fingerprint:
        remember_fingerprint(found, fingerprint)
    return Loaded(found, _pages(made), made.bag, lambda: made.inventory)


def _keep(key: str | None, origin: Origin, made: PassesResult) -> str:
    """Keep a game for later runs; return its fingerprint if it has been worked out: most readings are never compiled."""
    if key is None:
        return ""
    fingerprint = "" if origin.rulings or origin.data else game_fingerprint(made.core)
    clauses = tuple(str(path) for path in made.clauses)
    core = (made.core, fingerprint)
    checked_cache.write_cached(key, made.bag, clauses, _pages(made), core, edition=made.edition)
    return fingerprint


def _pages(made: PassesResult) -> dict[str, str]:
    """Return the page of each clause that has one."""
    clauses = () if made.inventory is None else made.inventory.clauses
    return {clause.id: clause.page for clause in clauses if clause.page}


def _inventory(files: tuple[str, ...], texts: FileTexts) -> Inventory | None:
    from pilgrim_rules.inputs.clauses.inventory import load_inventory  # noqa: PLC0415  (seldom asked for, and slow to import)

    return load_inventory([Path(each) for each in files], None, Bag(known=texts.get)) if files else None


def check(origin: Origin, *, keep_games: bool = False) -> Bag:
    """Check a game for every number of players it allows; return all mistakes and warnings.

    keep_games  for later runs: whoever checks a game mostly loads it soon.
    """
    key = checked_cache.key_of(origin, "check")
    kept = checked_cache.read_cached(key, origin.texts)
    if kept is not None:
        return kept.bag

    def keep(chosen: Origin, made: PassesResult) -> None:
        _keep(checked_cache.key_of(chosen, "load"), chosen, made)

    with without_collection():
        from pilgrim_rules.language import passes  # noqa: PLC0415  (what is recalled needs no parser)

        bag = passes.check(origin, keep if keep_games else None)
    checked_cache.write_cached(key, bag)
    return bag


def _with_origin(game: ir.Game, origin: Origin, edition: str | None, bag: Bag) -> ir.Game:
    """Return the game with what it was read from: paths that stay right, the texts, and every choice spelled out."""
    texts = FileTexts({str(Path(name).resolve()): source.text for name, source in bag.sources.items()})
    return replace(
        game,
        origin=replace(
            origin,
            files=tuple(str(Path(each).absolute()) for each in origin.files),
            edition=None if edition is None else str(Path(edition).absolute()),
            map=None if origin.map is None else str(Path(origin.map).absolute()),
            players=game.players,
            rulings=non_default_options(game),
            preset=None,
            texts=texts,
        ),
    )


# ----------------------------------------------------------------------------------------------------------- from games


def non_default_options(game: ir.Game) -> ir.Options:
    """Return what a game is played under that is not the default of its rulings and options, by name."""
    defaults = {ruling.name: ruling.default for ruling in game.decisions}
    return tuple(sorted((name, option) for name, option in chosen(game) if option != defaults[name]))


def with_rulings(game: ir.Game, options: Iterable[tuple[str, str]], *, keep: bool = True) -> ir.Game:
    """Return the game with some rulings decided as given and the others as they are; the very same if all are."""
    return _with_choices(game, rulings={**dict(chosen(game)), **dict(options)}, keep=keep)


def with_default_rulings(game: ir.Game, options: Iterable[tuple[str, str]] = ()) -> ir.Game:
    """Return the game with some rulings decided as given and the others by default."""
    return _with_choices(game, rulings=dict(options))


def with_players(game: ir.Game, players: int) -> ir.Game:
    """Return the game for another number of players."""
    return game if players == game.players else _with_choices(game, players=players)


def for_each_player_count(game: ir.Game) -> tuple[ir.Game, ...]:
    """Return the game for every number of players it allows, the fewest first."""
    return tuple(with_players(game, players) for players in game.seats)


def with_data(game: ir.Game, cells: Iterable[tuple[str, int, int]], *, keep: bool = True) -> ir.Game:
    """Return the game with other values of its edition: the name of a table, the number of a cell, the code."""
    known = {} if game.origin is None else {(name, cell): code for name, cell, code in game.origin.data}
    known |= {(name, cell): code for name, cell, code in cells}
    return _with_choices(game, data=tuple(sorted((*place, code) for place, code in known.items())), keep=keep)


def _with_choices(
    game: ir.Game,
    *,
    players: int | None = None,
    rulings: dict[str, str] | None = None,
    data: tuple[tuple[str, int, int], ...] | None = None,
    keep: bool = True,
) -> ir.Game:
    """Return what its rules say with other choices; the game itself if nothing differs."""
    before = non_default_options(game)
    defaults = {ruling.name: ruling.default for ruling in game.decisions}
    options = (
        before
        if rulings is None
        else tuple(sorted(each for each in rulings.items() if each[1] != defaults.get(each[0])))
    )
    if options == before and players in (None, game.players) and data is None:
        return game
    if game.origin is None:
        raise NoOrigin(f"`{game.name}` was not read from rules as it is, so there is no other reading of it")
    origin = game.origin
    wanted = replace(
        origin, players=players or game.players, rulings=options, data=origin.data if data is None else data
    )
    if not before and wanted.players == game.players and data is None:
        quickly = _with_values(game, wanted)
        if quickly is not None:
            return quickly
    return _remembered(wanted) if keep else _read_again(wanted, keep=False)


def _read_again(origin: Origin, *, keep: bool = True) -> ir.Game:
    """Return the game of an origin, sharing with the default reading for as many players what is the same."""
    if not origin.rulings and not origin.data:
        return read(origin, keep=keep).game
    usual = _remembered(replace(origin, rulings=(), data=()))
    if not origin.data and (quickly := _with_values(usual, origin)) is not None:
        return quickly
    game = read(origin, keep=keep).game
    shared = {part.name: _shared(getattr(game, part.name), getattr(usual, part.name)) for part in fields(game)}
    return replace(game, **shared)


def _with_values(usual: ir.Game, origin: Origin) -> ir.Game | None:
    """Return the game with other values of rulings that nothing looked at while the rules were read; None if something did.

    What is read again has only the examples that are about it, and so has this.
    """
    options = dict(origin.rulings)
    known = {each.name: [name for name, _ in each.options] for each in usual.decisions}
    unknown = any(option not in known.get(name, ()) for name, option in options.items())
    if unknown or not options.keys().isdisjoint(usual.looked_at):
        return None
    constants = tuple(
        replace(each, values=(known[each.name].index(options[each.name]),)) if each.name in options else each
        for each in usual.constants
    )
    examples = tuple(each for each in usual.examples if origin.rulings in readings_of(usual, each))
    made = None if usual.origin is None else replace(usual.origin, rulings=origin.rulings)
    return drop_unasked(replace(usual, constants=constants, examples=examples, origin=made))


def _shared(mine: Any, usual: Any) -> Any:
    """Return a part of a game made of the parts of another game, as far as they are equal."""
    if not isinstance(mine, tuple) or not mine or not hasattr(mine[0], "name"):
        return mine
    known = {each.name: each for each in usual}
    made = tuple(known[each.name] if known.get(each.name) == each else each for each in mine)
    return usual if made == usual else made


_remembered = lru_cache(maxsize=REMEMBERED)(_read_again)
