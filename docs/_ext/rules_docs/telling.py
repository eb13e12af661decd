"""Tellings: worked examples run by the engine while the pages are built, with the position at each step.

Reads:  a playable game and one of its examples.   Writes: `Moment`s.
After:  an example that the rules of today do not bear out says where it stops; nothing of it is made up.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from pilgrim_rules.core import ir
from pilgrim_rules.engine.effects import perform
from pilgrim_rules.engine.errors import Contradiction
from pilgrim_rules.engine.evaluate import evaluate
from pilgrim_rules.engine.game import Game
from pilgrim_rules.engine.moves import Move
from pilgrim_rules.engine.scene import Scene
from pilgrim_rules.engine.state import State

__all__ = ["SIGNS", "Moment", "arranged", "tell", "value"]

SIGNS = {True: "✓", False: "✗", None: "–"}  #: whether a step came out as written; None if other rulings are meant


@dataclass(frozen=True, slots=True)
class Moment:
    """One step of an example: the position before it and after it, and whether it came out as written.

    move   the move that is made or refused.
    holds  whether the move was legal, the refusal happened, the expectation held; None if other rulings are meant.
    """

    step: ir.ExampleStep
    before: State
    after: State
    move: Move | None = None
    holds: bool | None = True


def tell(game: Game, example: ir.Example) -> tuple[Moment, ...]:
    """Run an example; it stops at a move that is not legal."""
    state = State(game, game.code.start)
    told: list[Moment] = []
    for step in example.steps:
        moment = _moment(game, state, step)
        told.append(moment)
        if not moment.holds and isinstance(step, ir.Make):
            break
        state = moment.after
    return tuple(told)


def arranged(game: Game, example: ir.Example) -> State:
    """Return the position that an example begins with, after what it arranges and what happens by itself."""
    state = State(game, game.code.start)
    for step in takewhile(lambda each: isinstance(each, ir.Arrange), example.steps):
        state = _moment(game, state, step).after
    return _settled(state)


def _moment(game: Game, state: State, step: ir.ExampleStep) -> Moment:
    match step:
        case ir.Arrange(body=body):
            position = perform(body, game.world, game.layout.decode(state.data), {})
            return Moment(step, state, State(game, game.layout.encode(position)))
        case ir.Make(action=name, args=args, by=by):
            state, move = _settled(state), _move(game, name, args)
            if state.why_not(move) or by not in (None, game.code.by(state.data)):
                return Moment(step, state, state, move, holds=False)
            return Moment(step, state, state.play(move), move)
        case ir.Refuse(action=name, args=args, clauses=clauses):
            state, move = _settled(state), _move(game, name, args)
            reasons = state.why_not(move)
            cited = {clause for reason in reasons for clause in reason.clauses}
            return Moment(step, state, state, move, holds=bool(reasons) and cited.issuperset(clauses))
        case ir.Expect(formula=formula, under=under):
            ruled = all(_ruled(game, name) == option for name, option in under)
            return Moment(step, state, state, holds=bool(value(state, formula)) if ruled else None)


def value(state: State, expr: ir.Expr) -> int:
    """Return the value of an expression without free names in a position."""
    return evaluate(expr, Scene(state.game.world, state.game.layout.decode(state.data), {}))


def _settled(state: State) -> State:
    """Return the position after what happens by itself."""
    try:
        data, _ = state.game.runner.settle(state.data, None, [])
    except Contradiction:
        return state
    return State(state.game, data)


def _move(game: Game, name: str, args: tuple[int, ...]) -> Move:
    return game.runner.book.move((game.actions.index(name), args))


def _ruled(game: Game, name: str) -> str:
    """Return how a ruling is decided in this game."""
    ruling = next(each for each in game.core.rulings if each.name == name)
    constant = game.world.constants[name]
    return ruling.options[constant.values[0] - constant.type.lo][0]
