"""Rules: a game that is loaded and compiled; what all its states share.

Reads:  a core game.   Writes: `Rules`.
After:  rules are immutable; two are equal if they mean the same and keep the same variables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from pilgrim_rules.core import ir
from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.engine.autoplay import Runner
from pilgrim_rules.engine.python.compile import Compiled, compiled
from pilgrim_rules.language.load_arguments import LoadArguments
from pilgrim_rules.semantics import python_values
from pilgrim_rules.semantics.moves import Move
from pilgrim_rules.semantics.python_values import Value
from pilgrim_rules.semantics.state_layout import StateLayout


class Rules:
    """The rules of a game, loaded for a number of players.

    core         the rules in the core language
    code         the rules as functions
    ghosts       whether the variables that only claims read are kept
    instance     what `load` was asked for; a trace carries it
    fingerprint  of the meaning of the rules
    pages        the page of each clause of the rulebook, if there is an inventory
    players      the players' names, in seating order
    """

    def __init__(
        self,
        core: ir.Game,
        *,
        ghosts: bool = False,
        instance: LoadArguments | None = None,
        pages: Mapping[str, str] | None = None,
    ) -> None:
        self.code: Compiled = compiled(core, ghosts=ghosts)
        self.core = self.code.game
        self.ghosts = ghosts
        self.instance = instance or LoadArguments(
            name=core.name, players=core.players, rulings=None, options=None, edition=None, map=None
        )
        self.fingerprint: str = self.code.fingerprint
        self.pages: Mapping[str, str] = pages or {}
        self.runner = Runner(self.code)
        self.players = self.runner.players
        self._key = (self.fingerprint, ghosts)

    @property
    def people(self) -> tuple[str, ...]:
        """The players who decide for themselves: all but the automata."""
        return self.players[: self.core.players]

    @property
    def automata(self) -> tuple[str, ...]:
        """The players for whom a policy of the rules acts; they come last."""
        return self.players[self.core.players :]

    @property
    def name(self) -> str:
        """The name of the game, as in `load`."""
        return self.core.name

    @property
    def title(self) -> str:
        """The name of the game as people write it."""
        return self.core.title

    @property
    def layout(self) -> StateLayout:
        """Where each cell lies in the bytes of a state."""
        return self.code.layout

    @property
    def declared(self) -> Declarations:
        """The declarations of the rules by name."""
        return self.code.reference.declared

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions."""
        return tuple(action.name for action in self.core.actions)

    def move(self, action: str, *arguments: object, **named: object) -> Move:
        """Return a move: `game.move("drop(e)")`, `game.move("drop", "e")` or `game.move("drop", to="e")`."""
        book = self.runner.book
        if arguments or named:
            return book.move(book.coded(action, arguments, named))
        return book.move(book.codes(action))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Rules) and self._key == other._key)

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"<Game {self.name}, {len(self.players)} players>"


class StateLike(Protocol):
    """A state, as far as pictures and views need it: its rules and its bytes."""

    @property
    def game(self) -> Rules:
        """The rules that the state belongs to."""

    @property
    def data(self) -> bytes:
        """The state as bytes; `game.layout` says what lies where."""


def ask(code: Compiled, state: bytes, name: str, arguments: tuple[object, ...]) -> Value:
    """Return the value of a definition of the rules; KeyError if there is no such definition, or not with these arguments."""
    definition = code.reference.declared.defs.get(name)
    if definition is None:
        near = did_you_mean(name, code.reference.declared.defs)
        raise KeyError(f"the rules have no definition `{name}`" + (f"; {near}" if near else ""))
    if len(arguments) != len(definition.params):
        raise KeyError(f"`{name}` takes {len(definition.params)} arguments, not {len(arguments)}")
    try:
        codes = [python_values.code(param.type, each) for param, each in zip(definition.params, arguments, strict=True)]
    except ValueError as problem:
        raise KeyError(f"`{name}`: {problem}") from None
    return python_values.value(definition.body.type, code.value(name, state, *codes))
