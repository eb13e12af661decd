"""Compile: a core game as functions on states.

Reads:  a core game.   Writes: `Compiled`, whose functions come from Python source made once and kept in the cache.
After:  each function agrees with the reference on every well-typed state, reachable or not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache as once
from hashlib import sha256
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import Any, NoReturn

from pilgrim_rules import cache
from pilgrim_rules.core.fingerprint import game_fingerprint
from pilgrim_rules.core.ir import Assign, Game, Stage
from pilgrim_rules.engine.codegen.sites import Sites
from pilgrim_rules.engine.drawn import Drawn
from pilgrim_rules.engine.effects import left_range, written_twice
from pilgrim_rules.engine.errors import Contradiction
from pilgrim_rules.engine.evaluate import outside
from pilgrim_rules.engine.ghosts import without_ghosts
from pilgrim_rules.engine.layout import Field, Layout, layout
from pilgrim_rules.engine.reference import Args, Reference


class Compiled:
    """A game as functions on states; a state is a `bytes` object.

    game        the core game these functions play: the one given, or the same without ghosts
    layout      where each cell lies; encodes and decodes states
    reference   the same game, played by the evaluator
    source      the Python text of the functions
    start       the state at the start; chance and autos are still to come
    fingerprint of the meaning of the rules, ghosts included
    stage_code  from a state to the code of its stage

    For callers in a hurry, functions by number, in the order of the game's declarations: `legal_of` (state to arguments that
    pass the guard; may raise IndexError or ZeroDivisionError, and `candidates` does not), `allowed_of` and `apply_of`
    (state and arguments), `weight_of` (the same; None: always 1), `by_of` (of stages; None: no player decides).
    """

    __slots__ = (
        "_claims", "_defs", "_numbers", "_rank", "_rankings", "_score", "_stages", "allowed_of", "apply_of", "by_of", "fingerprint", "game",
        "layout", "legal_of", "reference", "source", "stage_code", "start", "weight_of",
    )  # fmt: skip

    def __init__(self, game: Game, text: str, fingerprint: str = "") -> None:
        self.game = game
        self.fingerprint = fingerprint
        self.layout: Layout = layout(game)
        self.reference = Reference.of(game)
        self.source = text
        self.start = self.layout.encode(self.reference.start())
        self.stage_code = _cell_reader(self.layout.by_name["stage"])
        module = _load(text, self.reference, self.layout)
        self.legal_of: tuple[Callable[[bytes], list[Args]], ...] = module["LEGAL"]
        self.allowed_of: tuple[Callable[..., bool], ...] = module["ALLOWED"]
        self.apply_of: tuple[Callable[..., bytes], ...] = module["APPLY"]
        self.weight_of: tuple[Callable[..., int] | None, ...] = module["WEIGHT"]
        self.by_of: tuple[Callable[[bytes], int] | None, ...] = module["BY"]
        self._score: Callable[[bytes, int], tuple[int, ...]] | None = module.get("score")
        self._rank: Callable[[bytes, int], tuple[int, ...]] | None = module.get("rank")
        self._numbers = {action.name: at for at, action in enumerate(game.actions)}
        self._stages = {stage.code: (at, stage) for at, stage in enumerate(game.stages)}
        self._claims = dict(zip((each.name for each in game.claims), module["CLAIMS"], strict=True))
        self._defs = dict(zip((each.name for each in game.defs), module["DEFS"], strict=True))
        self._rankings = dict(zip((each.name for each in game.rankings), module["RANKINGS"], strict=True))

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
        try:
            return self.legal_of[number](state)
        except (IndexError, ZeroDivisionError):  # NOTE(definedness) in codegen/plan.py
            domains = (range(param.type.lo, param.type.hi + 1) for param in self.game.actions[number].params)
            return [args for args in product(*domains) if self.allowed_of[number](state, *args)]

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

        KeyError if there is no such claim, or if it speaks of ghosts and the game was compiled without them.
        """
        return bool(self._claims[claim](state, after))

    def value(self, definition: str, state: bytes, *args: int) -> int:
        """Return the value of a definition that looks at the present state only."""
        return int(self._defs[definition](state, *args))

    def ranking(self, name: str, state: bytes) -> tuple[int, ...]:
        """Return the tuple that a `terminates` claim says gets smaller in every step."""
        return tuple(map(int, self._rankings[name](state)))

    def score(self, state: bytes, player: int) -> tuple[int, ...]:
        """Return the value of each score line of a player, in the sheet's units; empty if no score is kept."""
        return () if self._score is None else tuple(map(int, self._score(state, player)))

    def rank(self, state: bytes, player: int) -> tuple[int, ...]:
        """Return a player's ranking key; the smallest is first."""
        return () if self._rank is None else tuple(map(int, self._rank(state, player)))

    def _in_stage(self, state: bytes, number: int) -> bool:
        return self.stage_code(state) in self.game.actions[number].stages


def compiled(game: Game, *, ghosts: bool = False) -> Compiled:
    """Return the functions of a game, with its ghosts or without them."""
    played = game if ghosts else without_ghosts(game)
    fingerprint = game_fingerprint(game)
    key = _key(fingerprint, played)
    text = cache.read(key)
    if text is None:
        from pilgrim_rules.engine.codegen.module import source  # noqa: PLC0415  (most loads find the text in the cache)

        text = source(played)
        cache.write(key, text)
    return Compiled(played, text, fingerprint)


def _cell_reader(field: Field) -> Callable[[bytes], int]:
    """Return the function from a state to the code in the only cell of a field; stages begin at code 0."""
    if field.width == 1:
        return itemgetter(field.offset)
    return lambda state: int.from_bytes(state[field.offset : field.end], "little")


def _load(text: str, reference: Reference, places: Layout) -> dict[str, Any]:
    """Run the module's text. Its names are ours and its data are numbers, so nothing of a spec is ever executed."""
    world = reference.world
    sites = once(lambda: Sites(world.game))  # numbered only if something goes wrong

    def cell(site: int, at: int) -> tuple[Assign, int]:
        stmt = sites().assigns[site]
        field = places.by_name[stmt.variable]
        return stmt, (at - field.offset) // field.width

    def fail(site: int, at: int, value: int) -> NoReturn:
        raise Contradiction(left_range(world, *cell(site, at), int(value)))

    def twice(site: int, at: int) -> NoReturn:
        raise Contradiction(written_twice(world, *cell(site, at)))

    def bad(site: int, value: int) -> NoReturn:
        raise Contradiction(outside(sites().checks[site], int(value)))

    drawn = Drawn(world.game, places)
    namespace: dict[str, Any] = {
        "__name__": "pilgrim_rules_compiled", "fail": fail, "twice": twice, "bad": bad, "ask": drawn.ask,
    }  # fmt: skip
    exec(compile(text, f"<compiled {world.game.name}>", "exec"), namespace)  # noqa: S102  (our own text)
    drawn.use(namespace["NETWORKS"])
    return namespace


def _key(fingerprint: str, game: Game) -> str:
    """Return the key under which a game's module is kept: its meaning, the order of its declarations, this compiler."""
    parts = (
        game.variables, game.constants, game.defs, game.actions, game.effects, game.claims, game.rankings, game.stages,
    )  # fmt: skip
    order = [[each.name for each in part] for part in parts]
    return sha256(f"{fingerprint} {order} {_compiler()}".encode()).hexdigest()


@once
def _compiler() -> str:
    """Return the hash of the engine's own text, so that a module made by another version is never used."""
    own = Path(__file__).parent
    files = sorted((*own.glob("*.py"), *(own / "codegen").glob("*.py")))
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
