"""Loading: from the name of a game to its checked core. The order of the calls in `_compile` is the architecture.

Reads:  rules files, clause inventory, edition, maps.   Writes: `Loaded`, or raises `RulesError` with every mistake.
After:  the core is valid and belongs to one instance: a number of players, a map, an edition, a choice of rulings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pilgrim_rules import specs
from pilgrim_rules.clauses.inventory import Inventory, load_inventory
from pilgrim_rules.core import ir
from pilgrim_rules.core.validate import validate
from pilgrim_rules.data.edition import load_edition
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag, RulesError
from pilgrim_rules.diagnostics.suggest import closest
from pilgrim_rules.lowering.game import lower
from pilgrim_rules.names.symbols import Symbols, collect
from pilgrim_rules.reading import Reading, read_files
from pilgrim_rules.syntax import ast
from pilgrim_rules.types.declare import Declare
from pilgrim_rules.types.expressions import Expressions
from pilgrim_rules.types.program import Program
from pilgrim_rules.types.tables import Tables

MOST_PLAYERS = 12


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
    edition: str | Path | None = None,
    map: str | Path | None = None,  # noqa: A002  (the word users know)
) -> ir.Game:
    """Return the checked core of a game; `RulesError` if it has mistakes."""
    return load_rules(name, players=players, rulings=rulings, edition=edition, map=map).game


def load_rules(
    name: str | Path,
    *,
    players: int | None = None,
    rulings: Mapping[str, str] | None = None,
    edition: str | Path | None = None,
    map: str | Path | None = None,  # noqa: A002  (the word users know)
) -> Loaded:
    """Return the checked core of a game with its inventory and sources; `RulesError` if it has mistakes."""
    bag = Bag()
    reading = read_files(specs.find(name), bag)
    bag.stop_if_errors()
    symbols = collect(reading.files, bag)
    count = _seats(symbols, players, bag)
    options = Options(dict(rulings or {}), _path(edition), _path(map))
    loaded = _compile(reading, symbols, count, options, bag)
    bag.stop_if_errors()
    return loaded


def check(name: str | Path) -> Bag:
    """Check a game for every number of players it allows; return all mistakes and warnings."""
    bag = Bag()
    try:
        reading = read_files(specs.find(name), bag)
    except RulesError as refusal:
        for found in refusal.diagnostics:
            bag.add(found.code, found.message, found.span, help=found.help)
        return bag
    if bag.errors:
        return bag
    symbols = collect(reading.files, bag)
    low, high = _range(symbols, bag)
    for count in range(low, high + 1):
        _compile(reading, symbols, count, Options({}, None, None), bag)
        if bag.errors:
            break  # the same mistakes would be found again
    return bag


@dataclass(frozen=True, slots=True)
class Options:
    """What whoever loads a game may choose."""

    rulings: dict[str, str]
    edition: Path | None
    map: Path | None


def _compile(reading: Reading, symbols: Symbols, players: int, options: Options, bag: Bag) -> Loaded:
    """Run the passes for one instance. They go on after a mistake, each with what the one before could make of it."""
    game = symbols.game
    program = Program(symbols, bag)
    if game is not None and game.clauses is not None:
        program.inventory = load_inventory([reading.folder / game.clauses.text], game.clauses.span, bag)
    if game is not None and game.edition is not None:
        path = options.edition or reading.folder / game.edition.text
        program.edition = load_edition(path, game.edition.span, bag)
    declare = Declare(program, players, reading.folder, options.map)
    declare.run()
    tables = Tables(program, Expressions(program, declare), _rulings(symbols, options.rulings, bag))
    tables.run()
    core = lower(tables)
    _whole(symbols, bag)
    if not bag.errors:
        validate(core)
    return Loaded(core, program.inventory, bag)


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)


def _range(symbols: Symbols, bag: Bag) -> tuple[int, int]:
    game = symbols.game
    if game is None or game.players is None:
        return 1, 1
    low, high = game.players
    if not 1 <= low <= high <= MOST_PLAYERS:
        what = f"{low} to {high} players"
        bag.add(codes.PR804, what, game.span, help=f"a game has 1 to {MOST_PLAYERS} players, the smaller number first")
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


def _rulings(symbols: Symbols, chosen: dict[str, str], bag: Bag) -> dict[str, str]:
    """Return the chosen options by the name of their ruling; a ruling may also be given by a gap it cites."""
    known = {name: node for name, node in symbols.values.items() if isinstance(node, ast.Ruling)}
    by_gap = {word.text: name for name, node in known.items() for word in node.cites}
    made: dict[str, str] = {}
    for given, option in chosen.items():
        name = given if given in known else by_gap.get(given)
        if name is None:
            near = closest(given, (*known, *by_gap))
            bag.add(codes.PR505, f"no ruling `{given}`", None, help=f"did you mean `{near}`?" if near else None)
            continue
        options = [each.name.text for each in known[name].options]
        if option not in options:
            bag.add(
                codes.PR505,
                f"ruling `{name}` has no option `{option}`",
                None,
                help=f"choose one of {', '.join(options)}",
            )
            continue
        made[name] = option
    return made


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
