"""Compile: a core game as functions on states.

Reads:  a core game.   Writes: `Compiled`, whose functions come from Python source made once and kept in the cache.
After:  each function agrees with the reference on every well-typed state, reachable or not.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache as once
from hashlib import sha256
from operator import itemgetter
from types import CodeType
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, assert_never

from pilgrim_rules.core.contracts import with_promises
from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.fingerprint import game_fingerprint
from pilgrim_rules.core.ghosts import without_ghosts
from pilgrim_rules.core.ir import Assign, Game, Stage
from pilgrim_rules.engine.cells.error_sites import Sites
from pilgrim_rules.engine.python.network_cache import NetworkCache
from pilgrim_rules.semantics.effects import cell_name, left_range, written_twice
from pilgrim_rules.semantics.errors import Breach, Contradiction, EngineLimit
from pilgrim_rules.semantics.evaluate import outside
from pilgrim_rules.semantics.reference import Args, Reference
from pilgrim_rules.semantics.state_layout import MOST_STORED, Field, Position, StateLayout, layout, too_large_message
from pilgrim_rules.util import text_cache
from pilgrim_rules.util.code_hash import code_hash
from pilgrim_rules.util.collection import without_collection
from pilgrim_rules.util.identity_cache import cache_by_identity

if TYPE_CHECKING:
    from pilgrim_rules.engine.cells.cell_code import StopKind  # who only plays needs no cell code

#: Functions of claims by name, and of rankings.
_Asked: TypeAlias = tuple[dict[str, Callable[..., int]], dict[str, Callable[[bytes], tuple[int, ...]]]]
_SUFFIX = f".{sys.implementation.cache_tag}.code"  #: byte code belongs to a version of Python


class Compiled:
    """A game as functions on states; a state is a `bytes` object.

    game        the core game these functions play: the one given, or the same without ghosts
    played      the same, its contracts asked at the end of effects
    layout      where each cell lies; encodes and decodes states
    reference   the same game, played by the evaluator
    made_of     the same again, without the claims if nobody has to ask for them: what `source` is made of
    source      the Python text of the functions
    start       the state at the start; chance and autos are still to come
    fingerprint of the meaning of the rules, ghosts included
    stage_code  from a state to the code of its stage

    For callers in a hurry, functions by number, in the order of the game's declarations: `legal_of` (state to arguments that
    pass the guard), `allowed_of` and `apply_of`
    (state and arguments), `weight_of` (the same; None: always 1), `by_of` (of stages; None: no player decides).
    """

    __slots__ = (
        "_beside",
        "_claim_functions",
        "_defs",
        "_numbers",
        "_rank",
        "_score",
        "_stages",
        "_text",
        "allowed_of",
        "apply_of",
        "by_of",
        "fingerprint",
        "game",
        "layout",
        "legal_of",
        "made_of",
        "played",
        "reference",
        "stage_code",
        "start",
        "weight_of",
    )  # fmt: skip

    def __init__(
        self,
        game: Game,
        text: str | None,
        fingerprint: str = "",
        code: CodeType | None = None,
        made_of: Game | None = None,
    ) -> None:
        self.game = game
        self.played = with_promises(game)
        self.made_of = made_of or self.played
        self.fingerprint = fingerprint
        self.layout: StateLayout = layout(self.played)
        self.reference = Reference.from_game(self.played)
        self._text = text
        first = self.reference.start()
        self.start = self.layout.encode(first)
        known = {variable.name for variable in game.variables}
        self._beside = {name: cells for name, cells in first.items() if name not in known}
        self.stage_code = _cell_reader(self.layout.by_name["stage"])
        module = _load(code or _byte_code(game, self.source), self.made_of, self.layout)
        self.legal_of: tuple[Callable[[bytes], list[Args]], ...] = module["LEGAL"]
        self.allowed_of: tuple[Callable[..., bool], ...] = module["ALLOWED"]
        self.apply_of: tuple[Callable[..., bytes], ...] = module["APPLY"]
        self.weight_of: tuple[Callable[..., int] | None, ...] = module["WEIGHT"]
        self.by_of: tuple[Callable[[bytes], int] | None, ...] = module["BY"]
        self._score: Callable[[bytes, int], tuple[int, ...]] | None = module.get("score")
        self._rank: Callable[[bytes, int], tuple[int, ...]] | None = module.get("rank")
        self._numbers = {action.name: at for at, action in enumerate(game.actions)}
        self._stages = {stage.code: (at, stage) for at, stage in enumerate(game.stages)}
        self._defs = dict(zip((each.name for each in game.defs), module["DEFS"], strict=True))
        self._claim_functions = None if self.made_of is not self.played else _claims_of(self.played, module)

    @property
    def source(self) -> str:
        """The Python text of the functions."""
        if self._text is None:
            self._text = text_cache.read(module_key(self.fingerprint, self.made_of)) or source(self.made_of)
        return self._text

    def encoded(self, position: Position) -> bytes:
        """Return the state with these codes of the game's variables; what contracts keep beside them is as at the start."""
        return self.layout.encode({**self._beside, **position})

    def stage(self, state: bytes) -> Stage:
        """Return the stage of the game."""
        return self._stages[self.stage_code(state)][1]

    def by(self, state: bytes) -> int | None:
        """Return the code of the player who decides now; None if nobody does."""
        function = self.by_of[self._stages[self.stage_code(state)][0]]
        if function is None:
            return None
        player = function(state)
        return player if player <= self.game.player.hi else None

    def legal(self, state: bytes, action: str) -> list[Args]:
        """Return the arguments with which the action is allowed now, in ascending order."""
        number = self._numbers[action]
        return self.candidates(state, number) if self._in_stage(state, number) else []

    def candidates(self, state: bytes, number: int) -> list[Args]:
        """Return the arguments that pass the guard of an action given by its number; the stage is not asked."""
        return self.legal_of[number](state)

    def allowed(self, state: bytes, action: str, args: Args) -> bool:
        """Return whether the action is allowed with these arguments now."""
        number = self._numbers[action]
        return self._in_stage(state, number) and bool(self.allowed_of[number](state, *args))

    def apply(self, state: bytes, action: str, args: Args) -> bytes:
        """Return the state after a legal action; `Contradiction` if the rules contradict themselves."""
        return self.apply_of[self._numbers[action]](state, *args)

    def weight(self, state: bytes, action: str | int, args: Args) -> int:
        """Return the weight of a legal outcome of a chance action, given by name or number."""
        function = self.weight_of[self._numbers[action] if isinstance(action, str) else action]
        return 1 if function is None else int(function(state, *args))

    def holds(self, claim: str, state: bytes, after: bytes | None = None) -> bool:
        """Return whether a claim's formula is true here; a step claim needs the state after the step as well.

        KeyError if there is no such claim, if it is a contract, which speaks of a move as well, or if it speaks of ghosts and
        the game was compiled without them.
        """
        return bool(self._claims[0][claim](state, after))

    def value(self, definition: str, state: bytes, *args: int) -> int:
        """Return the value of a definition that looks at the present state only."""
        return int(self._defs[definition](state, *args))

    def ranking(self, name: str, state: bytes) -> tuple[int, ...]:
        """Return the tuple that a `terminates` claim says gets smaller in every step."""
        return tuple(map(int, self._claims[1][name](state)))

    def score(self, state: bytes, player: int) -> tuple[int, ...]:
        """Return the value of each score line of a player, in the sheet's units; empty if no score is kept."""
        return () if self._score is None else tuple(map(int, self._score(state, player)))

    def rank(self, state: bytes, player: int) -> tuple[int, ...]:
        """Return a player's ranking key; the smallest is first."""
        return () if self._rank is None else tuple(map(int, self._rank(state, player)))

    @property
    def _claims(self) -> _Asked:
        """The functions of claims and of rankings by name; play asks for none, so they may have to be made now."""
        if self._claim_functions is None:
            module = _load(_kept_or_made(self.fingerprint, self.played)[0], self.played, self.layout)
            self._claim_functions = _claims_of(self.played, module)
        return self._claim_functions

    def _in_stage(self, state: bytes, number: int) -> bool:
        return self.stage_code(state) in self.game.actions[number].stages


def compiled(game: Game, *, ghosts: bool = False) -> Compiled:
    """Return the functions of a game, with its ghosts or without them; those of claims are made with ghosts, or when one is asked."""
    asked = game if ghosts else without_ghosts(game)
    played = with_promises(asked)
    made_of = played if ghosts else without_claims(played)
    fingerprint = game_fingerprint(game)
    code, text = _kept_or_made(fingerprint, made_of)
    return Compiled(asked, text, fingerprint, code, made_of)


@cache_by_identity(8)
def without_claims(game: Game) -> Game:
    """Return a game as play needs it: nobody asks for its claims."""
    return replace(game, claims=(), rankings=()) if game.claims or game.rankings else game


def _kept_or_made(fingerprint: str, game: Game) -> tuple[CodeType, str | None]:
    """Return the byte code of a module, and its text if that was needed; what is made is kept."""
    key = module_key(fingerprint, game)
    code = _kept_code(key)
    if code is not None:
        return code, None
    text = text_cache.read(key)
    if text is None:
        text = source(game)
        text_cache.write(key, text)
    code = _byte_code(game, text)
    text_cache.write_bytes(key, marshal.dumps(code), _SUFFIX)
    return code, text


def _byte_code(game: Game, text: str) -> CodeType:
    return compile(text, f"<compiled {game.name}>", "exec")


def _kept_code(key: str) -> CodeType | None:
    """Return the byte code that was kept for this version of Python."""
    kept = text_cache.read_bytes(key, _SUFFIX)
    try:
        found = None if kept is None else marshal.loads(kept)  # noqa: S302  (whole, and from a folder that only we can write)
    except (EOFError, TypeError, ValueError):
        return None
    return found if isinstance(found, CodeType) else None


def source(game: Game) -> str:
    """Return the Python source of a game's module."""
    from pilgrim_rules.engine.lower.program import lowered  # noqa: PLC0415  (most loads find the text in the cache)
    from pilgrim_rules.engine.python.print_python import printed  # noqa: PLC0415

    with without_collection():
        return printed(lowered(game))


def _cell_reader(field: Field) -> Callable[[bytes], int]:
    """Return the function from a state to the code in the only cell of a field; stages begin at code 0."""
    if field.width == 1:
        return itemgetter(field.offset)
    return lambda state: int.from_bytes(state[field.offset : field.end], "little")


def _claims_of(game: Game, module: dict[str, Any]) -> _Asked:
    claims = zip((each.name for each in game.claims), module["CLAIMS"], strict=True)
    rankings = zip((each.name for each in game.rankings), module["RANKINGS"], strict=True)
    return {name: function for name, function in claims if function is not None}, dict(rankings)


def _load(code: CodeType, made_of: Game, places: StateLayout) -> dict[str, Any]:
    """Run the module of a game. Its names are ours and its data are numbers, so nothing of a spec is ever executed."""
    declared = Declarations(made_of)
    sites = once(lambda: Sites(made_of))  # numbered only if something goes wrong

    def cell(site: int, at: int) -> tuple[Assign, int]:
        stmt = sites().assigns[site]
        field = places.by_name[stmt.variable]
        return stmt, (at - field.offset) // field.width

    def stop(kind: StopKind, *args: int) -> NoReturn:
        match kind:
            case "range":
                stmt, number = cell(args[0], args[1])
                if declared.variables[stmt.variable].type.is_open and args[2] > MOST_STORED:
                    raise EngineLimit(too_large_message(cell_name(declared, stmt.variable, number), int(args[2])))
                raise Contradiction(left_range(declared, stmt, number, int(args[2])))
            case "twice":
                raise Contradiction(written_twice(declared, *cell(*args)))
            case "checked":
                raise Contradiction(outside(sites().checks[args[0]], int(args[1])))
            case "outside":
                raise Contradiction(Breach("a cell is asked for that does not exist"))
            case "divisor":
                raise Contradiction(Breach("a number is divided by one that is not positive"))
            case _:
                assert_never(kind)

    networks = NetworkCache(declared.game, places)
    namespace: dict[str, Any] = {"__name__": "pilgrim_rules_compiled", "stop": stop, "ask": networks.ask}
    exec(code, namespace)  # noqa: S102  (our own text)
    networks.use(namespace["NETWORKS"])
    return namespace


def module_key(fingerprint: str, game: Game) -> str:
    """Return the key under which a game's module is kept: its meaning, the order of its declarations, this compiler."""
    parts = (
        game.variables, game.constants, game.defs, game.actions, game.effects, game.claims, game.rankings, game.stages,
    )  # fmt: skip
    order = [[each.name for each in part] for part in parts]
    return sha256(f"{fingerprint} {order} {_compiler()}".encode()).hexdigest()


def _compiler() -> str:
    """Return the hash of the code that makes modules, so that a module made by another version is never used."""
    return code_hash("pilgrim_rules.core", "pilgrim_rules.semantics", "pilgrim_rules.engine")
