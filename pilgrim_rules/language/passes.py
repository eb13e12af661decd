"""Passes: the files of a game -> its checked core. The order of the calls in `_instance` is the architecture.

Reads:  rules files, clause inventory, edition, maps.   Writes: the core, and every mistake into a bag.
After:  if the bag holds no error, the core is valid and belongs to one instance: a number of players, a map, an edition,
        a choice of rulings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pilgrim_rules.core import ir
from pilgrim_rules.core.mark_partial import mark_partial
from pilgrim_rules.core.origin import Origin
from pilgrim_rules.core.validate import validate
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag, RulesError
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.inputs.clauses.citations import check_waivers
from pilgrim_rules.inputs.clauses.inventory import Inventory, load_inventory
from pilgrim_rules.inputs.data.edition import Edition, load_edition
from pilgrim_rules.language import find_game
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.declare import Declare
from pilgrim_rules.language.check.expressions import Expressions
from pilgrim_rules.language.check.game import lower
from pilgrim_rules.language.check.program_info import ProgramInfo
from pilgrim_rules.language.names.draws import declare_draws
from pilgrim_rules.language.names.modules import use_modules
from pilgrim_rules.language.names.reading_packs import AskedReading, joined, packed
from pilgrim_rules.language.names.readings import Readings
from pilgrim_rules.language.names.rolls import declare_rolls
from pilgrim_rules.language.names.ruling_options import choices
from pilgrim_rules.language.names.symbols import Symbols, collect
from pilgrim_rules.language.names.texts import declare_texts
from pilgrim_rules.language.read_files import GameFiles, read_files
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.language.syntax.cited_clause import ClauseFinder
from pilgrim_rules.util.collection import without_collection

MOST_PLAYERS = 12
#: What is said about the rules and is no part of them.
_ABOUT_RULES = (ast.Claim, ast.Contract, ast.Conserved, ast.Terminates, ast.Symmetry, ast.Example)


@dataclass(frozen=True, slots=True)
class PassesResult:
    """What the passes have made of a game; the core is to be used only if the bag holds no error."""

    core: ir.Game
    inventory: Inventory | None
    clauses: tuple[Path, ...]  #: the files of the inventory
    bag: Bag
    edition: str | None  #: the file of data that was chosen; None for that of the game


@dataclass(frozen=True, slots=True)
class _Parts:
    """What all instances of a game share."""

    origin: Origin
    folder: Path
    symbols: Symbols
    edition: Edition | None
    chosen_data: str | None  #: the file of the edition, where it is not that of the game
    inventory: Inventory | None


def run(origin: Origin) -> PassesResult:
    """Run all passes for one instance; `RulesError` after a mistake."""
    bag = Bag(known=origin.texts.get)
    with without_collection(), _not_too_deep(bag):
        reading = read_files(origin.files, bag, players=origin.players, whole=False)
        clauses, inventory = inventory_of(reading, bag)
        _stop(bag, inventory)
        parts = _parts(origin, reading, inventory, bag)
        core = _instance(parts, _seats(parts.symbols, origin.players, bag), bag)
        _stop(bag, inventory)
        core = mark_partial(validate(core))
    return PassesResult(core, inventory, clauses, bag, parts.chosen_data)


def rules_alone(origin: Origin) -> PassesResult:
    """Run the passes for the rules of one instance, without the claims and examples about them; `RulesError` after a mistake.

    The core is for whoever tells what the rules say; it is not validated, and nothing is warned of.
    """
    bag = Bag(known=origin.texts.get)
    with without_collection(), _not_too_deep(bag):
        parts = _parts(origin, _without_claims(read_files(origin.files, bag)), None, bag)
        bag.stop_if_errors()
        core = _instance(parts, _seats(parts.symbols, origin.players, bag), bag, rules_alone=True)
        bag.stop_if_errors()
        core = mark_partial(core)
    return PassesResult(core, None, (), bag, parts.chosen_data)


def packs_of_rules(origin: Origin, asked: Iterable[ir.Options]) -> tuple[ir.Options, ...]:
    """Return readings that join the readings asked for, where no part of the rules depends on two of them."""
    bag = Bag(known=origin.texts.get)
    symbols = _parts(origin, _without_claims(read_files(origin.files, bag)), None, bag).symbols
    bag.stop_if_errors()
    return tuple(joined(pack)[0] for pack in packed([(options, origin.players or 0) for options in asked], symbols))


def _without_claims(reading: GameFiles) -> GameFiles:
    reading.files = [
        replace(file, declarations=tuple(each for each in file.declarations if not isinstance(each, _ABOUT_RULES)))
        for file in reading.files
    ]
    return reading


def check(origin: Origin, made: Callable[[Origin, PassesResult], None] | None = None) -> Bag:
    """Run all passes for every number of players that the game allows, and for the readings that have rules of their own.

    Return all mistakes and warnings.

    made  is called with the game for each number of players, and where nobody names one, until there is a mistake.
    """
    bag = Bag(known=origin.texts.get)
    inventory = None
    with without_collection(), suppress(RulesError), _not_too_deep(bag):
        reading = read_files(origin.files, bag)
        clauses, inventory = inventory_of(reading, bag)
        if not bag.errors:
            parts = _parts(origin, reading, inventory, bag)
            low, high = _range(parts.symbols, bag)
            usual, shared = _usual(parts.symbols, low), bag.copy()
            for count in range(low, high + 1):
                own = shared.copy()
                try:
                    core = _instance(parts, count, own)
                finally:
                    bag.merge(own)
                if bag.errors:
                    break  # the same mistakes would be found again
                validate(core)
                if made is not None:
                    _cite(own, inventory)
                    result = PassesResult(mark_partial(core), inventory, clauses, own, parts.chosen_data)
                    made(replace(origin, players=count), result)
                    if count == usual:
                        made(origin, result)
            asked = Readings.from_symbols(parts.symbols).conditional(parts.symbols)
            every = [(options, players or usual) for options, players in asked]
            _readings(parts, [each for each in every if low <= each[1] <= high and not bag.errors], bag)
            for name, each in parts.symbols.presets.items():
                if each.edition and not bag.errors:
                    other = replace(origin, edition=name)
                    _instance(_parts(other, reading, inventory, bag), usual, bag)
    _cite(bag, inventory)
    return bag


def _readings(parts: _Parts, asked: list[AskedReading], bag: Bag) -> None:
    """Check readings, together where nothing depends on two of them; each alone where there is something to say."""
    for pack in packed(asked, parts.symbols):
        trial = Bag(bag.sources, bag.known, bag.absent)
        with suppress(RulesError):
            _reading(parts, joined(pack), trial)
        for reading in pack if set(trial) - set(bag) else ():
            if not bag.errors:
                _reading(parts, reading, bag)


def _reading(parts: _Parts, asked: AskedReading, bag: Bag) -> None:
    options, players = asked
    _instance(replace(parts, origin=replace(parts.origin, rulings=options)), players, bag)


@contextmanager
def _not_too_deep(bag: Bag) -> Iterator[None]:
    """Turn a nesting that is deeper than what the parser and the checker foresee into a mistake like any other."""
    try:
        yield
    except RecursionError:
        bag.add(codes.PR106, "the rules are nested too deeply", None, help="name parts of what is nested with `def`")
        bag.stop_if_errors()


def _parts(origin: Origin, reading: GameFiles, inventory: Inventory | None, bag: Bag) -> _Parts:
    files = use_modules(reading.files, reading.modules, find_game.module_names(reading.folder), bag)
    bag.stop_if_errors()  # names of a module that cannot be used are unknown everywhere else
    symbols = collect(files, bag)
    declare_texts(symbols, bag)
    declare_draws(symbols)
    declare_rolls(symbols)
    game = _game(reading)
    named = None if game is None else game.edition
    chosen = _named_edition(origin, symbols)
    if chosen is None and origin.edition is not None and "." not in origin.edition:  # the name of no file
        known = [name for name, each in symbols.presets.items() if each.edition]
        help_ = did_you_mean(origin.edition, known) or f"the game has {', '.join(known) or 'one only'}"
        bag.add(codes.PR505, f"no edition `{origin.edition}`", None, help=help_)
        bag.stop_if_errors()
    _refuse_unused_files(origin, symbols, named, bag)
    own = origin.edition if chosen is None else None if chosen.data is None else str(reading.folder / chosen.data.text)
    edition = None
    if named is not None:
        span = named.span if chosen is None or chosen.data is None else chosen.data.span
        edition = load_edition(Path(own or reading.folder / named.text), span, bag)
    return _Parts(origin, reading.folder, symbols, edition, own, inventory)


def _refuse_unused_files(origin: Origin, symbols: Symbols, edition: ast.Text | None, bag: Bag) -> None:
    """Refuse a map or an edition that was asked for and that no rule would read."""
    if origin.map is not None and all(graph.file is None for graph in symbols.graphs.values()):
        bag.add(codes.PR505, "the game has no map", None, help="leave `map` out; only a `graph … from` file has one")
    has_data = edition is not None or any(each.data for each in symbols.presets.values())
    if origin.edition is not None and not has_data and _named_edition(origin, symbols) is None:
        bag.add(codes.PR505, "the game has no edition", None, help="leave `edition` out")


def _named_edition(origin: Origin, symbols: Symbols) -> ast.Preset | None:
    """Return the edition that was asked for by its name; None if a file was, or nothing."""
    found = symbols.presets.get(origin.edition or origin.preset or "")
    return found if found is not None and found.edition else None


def _instance(parts: _Parts, players: int, bag: Bag, *, rules_alone: bool = False) -> ir.Game:
    """Run the passes for one instance. They go on after a mistake, each with what the one before could make of it."""
    program = ProgramInfo(parts.symbols, bag, parts.edition, parts.inventory, _data(parts.origin))
    map_ = None if parts.origin.map is None else Path(parts.origin.map)
    chosen = _chosen(parts, bag)
    declare = Declare(program, players, parts.folder, map_, {**Readings.from_symbols(parts.symbols).defaults, **chosen})
    declare.run()
    tables = DataAndState(program, Expressions(program, declare), chosen)
    tables.run()
    core = lower(tables, rules_alone=rules_alone)
    _check_whole_game(parts.symbols, bag)
    if bag.errors:
        return core
    if parts.inventory is not None:
        check_waivers(core, parts.inventory, bag)
    return core


def _data(origin: Origin) -> dict[str, dict[int, int]]:
    found: dict[str, dict[int, int]] = {}
    for name, cell, code in origin.data:
        found.setdefault(name, {})[cell] = code
    return found


def _chosen(parts: _Parts, bag: Bag) -> dict[str, str]:
    edition = _named_edition(parts.origin, parts.symbols)
    presets = (None if edition is None else edition.name.text, parts.origin.preset)
    return choices(parts.symbols, tuple(name for name in presets if name is not None), parts.origin.rulings, bag)


def _game(reading: GameFiles) -> ast.Game | None:
    nodes = (node for file in reading.files for node in file.declarations if isinstance(node, ast.Game))
    return next(nodes, None)


def inventory_of(reading: GameFiles, bag: Bag) -> tuple[tuple[Path, ...], Inventory | None]:
    """Return the files of the inventory that the game names, and what they hold together."""
    game = _game(reading)
    editions = (each for file in reading.files for each in file.declarations if isinstance(each, ast.Preset))
    named = (*(() if game is None else game.clauses), *(text for each in editions for text in each.clauses))
    paths = tuple(dict.fromkeys(reading.folder / text.text for text in named))
    return paths, load_inventory(paths, named[0].span, bag) if named else None


def _cite(bag: Bag, inventory: Inventory | None) -> None:
    """Add to every mistake the clause that its line cites."""
    if inventory is not None and len(bag):
        bag.cite(ClauseFinder(bag.sources), inventory.describe)


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
    if game.usual is not None and not low <= game.usual <= high:
        what = f"the default is {game.usual} players, but the game is for {low} to {high}"
        bag.add(codes.PR804, what, game.span, help="name one of these numbers")
        symbols.game = replace(game, usual=None)
    if game.seats and len(game.seats) != high:
        bag.add(codes.PR804, f"{len(game.seats)} seats are named for up to {high} players", game.seats[0].span)
    return low, high


def _usual(symbols: Symbols, fewest: int) -> int:
    """Return for how many players a game is loaded if nobody says a number."""
    return fewest if symbols.game is None or symbols.game.usual is None else symbols.game.usual


def _seats(symbols: Symbols, players: int | None, bag: Bag) -> int:
    low, high = _range(symbols, bag)
    if players is None:
        return _usual(symbols, low)
    if not low <= players <= high:
        said = f"{low}" if low == high else f"{low} to {high}"
        span = symbols.game.span if symbols.game else None
        bag.add(codes.PR804, f"this game is for {said} players, not {players}", span)
        bag.stop_if_errors()
    return players


def _check_whole_game(symbols: Symbols, bag: Bag) -> None:
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
