"""Game: a set of rules, loaded for a number of players, ready to be played.

Reads:  rules, through `pilgrim_rules.loading`.   Writes: `Game`, which makes states.
After:  a game is immutable; two games are equal if their rules mean the same and they keep the same variables.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pilgrim_rules.core import ir
from pilgrim_rules.engine import stateform
from pilgrim_rules.engine.chance import seeded
from pilgrim_rules.engine.compile import Compiled, compiled
from pilgrim_rules.engine.errors import BadState
from pilgrim_rules.engine.layout import Layout
from pilgrim_rules.engine.moves import Move
from pilgrim_rules.engine.run import Runner
from pilgrim_rules.engine.scene import World
from pilgrim_rules.engine.state import State
from pilgrim_rules.engine.stateform import Instance


class Game:
    """A game, loaded for a number of players.

    core         its rules in the core language
    code         its rules as functions
    ghosts       whether the variables that only claims read are kept
    instance     what `load` was asked for; a trace carries it
    fingerprint  of the meaning of its rules
    pages        the page of each clause of the rulebook, if there is an inventory
    players      the players' names, in seating order
    """

    def __init__(
        self,
        core: ir.Game,
        *,
        ghosts: bool = False,
        instance: Instance | None = None,
        pages: Mapping[str, str] | None = None,
    ) -> None:
        self.code: Compiled = compiled(core, ghosts=ghosts)
        self.core = self.code.game
        self.ghosts = ghosts
        self.instance = instance or Instance(name=core.name, players=core.players, rulings=None, edition=None, map=None)
        self.fingerprint: str = self.code.fingerprint
        self.pages: Mapping[str, str] = pages or {}
        self.runner = Runner(self.code)
        self.players = self.runner.players
        self._key = (self.fingerprint, ghosts)

    @property
    def name(self) -> str:
        """The name of the game, as in `load`."""
        return self.core.name

    @property
    def title(self) -> str:
        """The name of the game as people write it."""
        return self.core.title

    @property
    def layout(self) -> Layout:
        """Where each cell lies in the bytes of a state."""
        return self.code.layout

    @property
    def world(self) -> World:
        """The declarations of the rules by name."""
        return self.code.reference.world

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions."""
        return tuple(action.name for action in self.core.actions)

    def start(self, seed: int | None = None) -> State:
        """Return the first state in which somebody has to decide.

        With a seed, chance is resolved by a generator that gives the same game everywhere, now and after each move.
        Without one, chance is left to the caller: `state.to_move` is `chance`, and `state.outcomes()` are the moves.
        """
        data, rng = self.runner.settle(self.code.start, None if seed is None else seeded(seed), [])
        return State(self, data, rng)

    def move(self, action: str, *arguments: object, **named: object) -> Move:
        """Return a move: `game.move("drop(e)")`, `game.move("drop", "e")` or `game.move("drop", to="e")`."""
        book = self.runner.book
        if arguments or named:
            return book.move(book.coded(action, arguments, named))
        return book.move(book.codes(action))

    def state_from_json(self, data: str | dict[str, Any], *, stale_ok: bool = False) -> State:
        """Return the state that JSON describes; `BadState` if it describes none of this game.

        A state of other rules is refused unless `stale_ok`, and then read as far as its variables fit.
        """
        found = stateform.loads(data) if isinstance(data, str) else data
        return State(self, *stateform.read(self, found, stale_ok=stale_ok))

    def state_from_bytes(self, data: bytes, rng: int | None = None) -> State:
        """Return the state with these bytes; `BadState` if they are none of this game."""
        try:
            self.layout.decode(data)
        except ValueError as problem:
            raise BadState(str(problem)) from None
        return State(self, bytes(data), rng)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Game) and self._key == other._key)

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[object, ...]:
        return load_instance, (self.instance, self.ghosts)

    def __repr__(self) -> str:
        return f"<Game {self.name}, {len(self.players)} players>"


def load(
    name: str | Path,
    players: int | None = None,
    rulings: Mapping[str, str] | None = None,
    edition: str | None = None,
    map: str | None = None,  # noqa: A002  (the word the rules use)
    *,
    preset: str | None = None,
    ghosts: bool = False,
) -> Game:
    """Load a game by its name, its folder or its file.

    players   how many play; the fewest the rules allow if left out
    rulings   decisions where the rulebook is silent, by name; the preset's or the rules' own where left out
    preset    a named choice of rulings, such as an edition of the rulebook
    edition   another edition's data;  map  another map
    ghosts    keep the variables that only claims read, for verification

    `RulesError` if the rules cannot be used.
    """
    from pilgrim_rules.loading import load_rules  # noqa: PLC0415  (the parser takes time to import)

    loaded = load_rules(name, players=players, rulings=rulings, preset=preset, edition=edition, map=map)
    choices = next((dict(each.choices) for each in loaded.game.presets if each.name == preset), {})
    chosen = {**choices, **(rulings or {})} or None  # spelled out, so that a trace does not depend on the preset
    asked = Instance(name=os.fspath(name), players=loaded.game.players, rulings=chosen, edition=edition, map=map)
    clauses = () if loaded.inventory is None else loaded.inventory.clauses
    pages = {clause.id: clause.page for clause in clauses if clause.page}
    return Game(loaded.game, ghosts=ghosts, instance=asked, pages=pages)


def load_instance(instance: Instance, ghosts: bool = False) -> Game:  # noqa: FBT001, FBT002  (called by pickle)
    """Load the game that an instance describes."""
    return load(**instance, ghosts=ghosts)
