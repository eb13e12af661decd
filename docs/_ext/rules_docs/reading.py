"""Readings: a game played with some rulings decided otherwise, so that examples of another reading can be told.

Reads:  a playable game and options of its rulings.   Writes: positions, as states of the game itself.
After:  with no option changed it is the compiled game that plays, else the reference: nothing is compiled for one example.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from pilgrim_rules.core import ir
from pilgrim_rules.engine.effects import Cells, perform
from pilgrim_rules.engine.errors import Contradiction
from pilgrim_rules.engine.evaluate import evaluate
from pilgrim_rules.engine.game import Game
from pilgrim_rules.engine.reference import Args, Reference
from pilgrim_rules.engine.refusal import Refusal, refusals
from pilgrim_rules.engine.scene import Scene
from pilgrim_rules.engine.state import State
from pilgrim_rules.prose.decided import choices_of, option_number

__all__ = ["Reading", "Under", "changed"]

Under: TypeAlias = tuple[tuple[str, str], ...]


class Reading:
    """A game under some options of its rulings; `under` are those that differ from how the game is loaded."""

    def __init__(self, game: Game, under: Under) -> None:
        self._game = game
        self.under = changed(game.core, under)
        self._reference = Reference.of(_ruled(game.core, self.under)) if self.under else game.code.reference

    def start(self) -> State:
        """Return the position at the start."""
        return self._state(self._reference.start()) if self.under else State(self._game, self._game.code.start)

    def arranged(self, state: State, steps: Iterable[ir.Arrange]) -> State:
        """Return the position after some arrangements."""
        cells: Cells = self._cells(state)
        for step in steps:
            cells = perform(step.body, self._reference.world, cells, {})
        return self._state(cells)

    def settled(self, state: State) -> State:
        """Return the position after what happens by itself; the same if the rules contradict themselves there."""
        try:
            if self.under:
                return self._state(self._settled(self._cells(state)))
            data, _ = self._game.runner.settle(state.data, None, [])
        except Contradiction:
            return state
        return State(self._game, data)

    def by(self, state: State) -> int | None:
        """Return who is to decide."""
        return self._reference.by(self._cells(state))

    def why_not(self, state: State, action: str, args: Args) -> list[Refusal]:
        """Return every reason why a move is not allowed."""
        return refusals(
            self._reference.world, self._cells(state), self._reference.world.actions[action], args, self._game.pages
        )

    def play(self, state: State, action: str, args: Args) -> State:
        """Return the position after a legal move and what follows by itself."""
        if not self.under:
            return state.play(self._game.runner.book.move((self._game.actions.index(action), args)))
        cells = self._reference.apply(self._cells(state), self._reference.world.actions[action], args)
        return self._state(self._settled(cells))

    def value(self, state: State, expr: ir.Expr) -> int:
        """Return the value of an expression without free names in a position."""
        return evaluate(expr, Scene(self._reference.world, self._cells(state), {}))

    def _settled(self, cells: Cells) -> Cells:
        rules = [action for action in self._reference.game.actions if action.kind == "auto"]
        while self._reference.stage(cells).kind == "auto":
            found = ((action, args) for action in rules for args in self._legal(cells, action))
            ready = next(found, None)
            if ready is None:
                return cells
            cells = self._reference.apply(cells, *ready)
        return cells

    def _legal(self, cells: Cells, action: ir.Action) -> Iterable[Args]:
        return self._reference.legal(cells, action) if cells["stage"][0] in action.stages else ()

    def _cells(self, state: State) -> Cells:
        return self._game.layout.decode(state.data)

    def _state(self, cells: Cells) -> State:
        return State(self._game, self._game.layout.encode(cells))


def changed(game: ir.Game, under: Under) -> Under:
    """Return the options that differ from how a game is loaded."""
    choices = choices_of(game)
    rulings = {ruling.name: ruling for ruling in game.rulings}
    return tuple((name, option) for name, option in under if choices[name] != option_number(rulings[name], option))


def _ruled(game: ir.Game, under: Under) -> ir.Game:
    """Return a game with some rulings decided otherwise."""
    rulings = {ruling.name: ruling for ruling in game.rulings}
    codes = {name: option_number(rulings[name], option) for name, option in under}
    constants = tuple(
        replace(each, values=(each.type.lo + codes[each.name],)) if each.name in codes else each
        for each in game.constants
    )
    return replace(game, constants=constants)
