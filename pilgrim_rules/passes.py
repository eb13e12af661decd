"""Passes: the files of a game -> its checked core. The order of the calls in `_instance` is the architecture.

Reads:  rules files, clause inventory, edition, maps.   Writes: the core, and every mistake into a bag.
After:  if the bag holds no error, the core is valid and belongs to one instance: a number of players, a map, an edition,
        a choice of rulings.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pilgrim_rules.clauses.inventory import Inventory, load_inventory
from pilgrim_rules.clauses.trace import check_waivers
from pilgrim_rules.core import ir
from pilgrim_rules.core.codec import without_collection
from pilgrim_rules.core.validate import validate
from pilgrim_rules.data.edition import Edition, load_edition
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag, RulesError
from pilgrim_rules.lowering.game import lower
from pilgrim_rules.memory import Asked
from pilgrim_rules.names.choices import choices
from pilgrim_rules.names.symbols import Symbols, collect
from pilgrim_rules.reading import Reading, read_files
from pilgrim_rules.syntax import ast
from pilgrim_rules.syntax.cited import Cited
from pilgrim_rules.types.declare import Declare
from pilgrim_rules.types.expressions import Expressions
from pilgrim_rules.types.program import Program
from pilgrim_rules.types.tables import Tables

MOST_PLAYERS = 12


@dataclass(frozen=True, slots=True)
class Made:
    """What the passes have made of a game; the core is to be used only if the bag holds no error."""

    core: ir.Game
    inventory: Inventory | None
    clauses: tuple[Path, ...]  #: the files of the inventory
    bag: Bag


@dataclass(frozen=True, slots=True)
class _Parts:
    """What all instances of a game share."""

    asked: Asked
    folder: Path
    symbols: Symbols
    edition: Edition | None
    inventory: Inventory | None


def run(asked: Asked) -> Made:
    """Run all passes for one instance; `RulesError` after a mistake."""
    bag = Bag()
    with without_collection(), _not_too_deep(bag):
        reading = read_files(asked.files, bag)
        clauses, inventory = _inventory(reading, bag)
        _stop(bag, inventory)
        parts = _parts(asked, reading, inventory, bag)
        core = _instance(parts, _seats(parts.symbols, asked.players, bag), bag)
        _stop(bag, inventory)
    return Made(core, inventory, clauses, bag)


def check(asked: Asked) -> Bag:
    """Run all passes for every number of players that the game allows; return all mistakes and warnings."""
    bag = Bag()
    inventory = None
    with without_collection(), suppress(RulesError), _not_too_deep(bag):
        reading = read_files(asked.files, bag)
        _, inventory = _inventory(reading, bag)
        if not bag.errors:
            parts = _parts(asked, reading, inventory, bag)
            low, high = _range(parts.symbols, bag)
            for count in range(low, high + 1):
                _instance(parts, count, bag)
                if bag.errors:
                    break  # the same mistakes would be found again
    _cite(bag, inventory)
    return bag


@contextmanager
def _not_too_deep(bag: Bag) -> Iterator[None]:
    """Turn a nesting that is deeper than what the parser and the checker foresee into a mistake like any other."""
    try:
        yield
    except RecursionError:
        bag.add(codes.PR106, "the rules are nested too deeply", None, help="name parts of what is nested with `def`")
        bag.stop_if_errors()


def _parts(asked: Asked, reading: Reading, inventory: Inventory | None, bag: Bag) -> _Parts:
    symbols = collect(reading.files, bag)
    game = _game(reading)
    named = None if game is None else game.edition
    edition = None
    if named is not None:
        edition = load_edition(asked.edition or reading.folder / named.text, named.span, bag)
    return _Parts(asked, reading.folder, symbols, edition, inventory)


def _instance(parts: _Parts, players: int, bag: Bag) -> ir.Game:
    """Run the passes for one instance. They go on after a mistake, each with what the one before could make of it."""
    program = Program(parts.symbols, bag, parts.edition, parts.inventory)
    declare = Declare(program, players, parts.folder, parts.asked.map)
    declare.run()
    tables = Tables(program, Expressions(program, declare), _chosen(parts, bag))
    tables.run()
    core = lower(tables)
    _whole(parts.symbols, bag)
    if bag.errors:
        return core
    if parts.inventory is not None:
        check_waivers(core, parts.inventory, bag)
    return validate(core)


def _chosen(parts: _Parts, bag: Bag) -> dict[str, str]:
    return choices(parts.symbols, parts.asked.preset, parts.asked.rulings, bag)


def _game(reading: Reading) -> ast.Game | None:
    nodes = (node for file in reading.files for node in file.declarations if isinstance(node, ast.Game))
    return next(nodes, None)


def _inventory(reading: Reading, bag: Bag) -> tuple[tuple[Path, ...], Inventory | None]:
    """Return the files of the inventory that the game names, and what they hold together."""
    game = _game(reading)
    named = () if game is None else game.clauses
    paths = tuple(reading.folder / text.text for text in named)
    return paths, load_inventory(paths, named[0].span, bag) if named else None


def _cite(bag: Bag, inventory: Inventory | None) -> None:
    """Add to every mistake the clause that its line cites."""
    if inventory is not None and len(bag):
        bag.cite(Cited(bag.sources), inventory.describe)


def _stop(bag: Bag, inventory: Inventory | None) -> None:
    _cite(bag, inventory)
    bag.stop_if_errors()


def _range(symbols: Symbols, bag: Bag) -> tuple[int, int]:
    game = symbols.game
    if game is None or game.players is None:
        return 1, 1
    low, high = game.players
    if not 1 <= low <= high <= MOST_PLAYERS:
        what = f"no game is for {low} to {high} players"
        bag.add(codes.PR804, what, game.span, help=f"a game has 1 to {MOST_PLAYERS} players, the smaller number first")
        symbols.game = replace(game, players=None)  # so that nobody counts on them
        return 1, 1
    if game.seats and len(game.seats) != high:
        bag.add(codes.PR804, f"{len(game.seats)} seats are named for up to {high} players", game.seats[0].span)
    return low, high


def _seats(symbols: Symbols, players: int | None, bag: Bag) -> int:
    low, high = _range(symbols, bag)
    if players is None:
        return low
    if not low <= players <= high:
        said = f"{low}" if low == high else f"{low} to {high}"
        span = symbols.game.span if symbols.game else None
        bag.add(codes.PR804, f"this game is for {said} players, not {players}", span)
        bag.stop_if_errors()
    return players


def _whole(symbols: Symbols, bag: Bag) -> None:
    """Check what only the game as a whole can lack."""
    if symbols.game is None:
        bag.add(
            codes.PR803, "no `game` declaration", None, help="a game begins with `game name` and its number of players"
        )
    if symbols.stages is None:
        bag.add(
            codes.PR803,
            "no `stages` declaration",
            symbols.game.span if symbols.game else None,
            help="say in which stages a play can be, and who decides in each",
        )
