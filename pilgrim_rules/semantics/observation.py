"""Observation: what a player knows of a position and of a move, by the evaluator alone.

Reads:  positions and moves of a core game.   Writes: values that are equal exactly if the player cannot tell them apart.
After:  an observation has every cell that the player sees, every value of a public definition, and who decides. This is
        the meaning of secrecy that views, adapters and proofs are tested against.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.footprint import values_of
from pilgrim_rules.core.ir import Action, Audience, Game, Variable
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.reference import Args, Reference
from pilgrim_rules.semantics.state_layout import Position

#: What somebody sees: cells by variable (None for an unseen one), public values by definition, who decides.
Observation: TypeAlias = tuple[tuple[str, tuple[int | None, ...]], ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """A move made in a position."""

    position: Position
    action: Action
    args: Args


def has_secrets(game: Game) -> bool:
    """Tell whether there is anything in a game that not everybody sees."""
    return any(variable.seen is not None for variable in game.variables) or any(
        param.seen is not None for action in game.actions for param in action.params
    )


def belongs(audience: Audience | None, player: int, env: Environment) -> bool:
    """Tell whether a player belongs to an audience; to none, everybody does."""
    return audience is None or bool(evaluate(audience.test, env.bind(audience.viewer, player)))


def sees(declared: Declarations, position: Position, variable: Variable, index: tuple[int, ...], player: int) -> bool:
    """Tell whether a player sees a cell."""
    names = dict(zip(variable.over, index, strict=True))
    return belongs(variable.seen, player, Environment(declared, position, names))


def observation(declared: Declarations, position: Position, player: int) -> Observation:
    """Return what a player sees of a position; ghosts are no part of it."""
    return (
        *_cells(declared, position, player),
        *public_values(declared, position),
        ("by", (Reference(declared).by(position),)),
    )


def _cells(declared: Declarations, position: Position, player: int) -> Iterator[tuple[str, tuple[int | None, ...]]]:
    for variable in declared.game.variables:
        if not variable.ghost:
            cells = zip(values_of(variable.index), position[variable.name], strict=True)
            seen = tuple(code if sees(declared, position, variable, index, player) else None for index, code in cells)
            yield variable.name, seen


def public_values(declared: Declarations, position: Position) -> Iterator[tuple[str, tuple[int | None, ...]]]:
    """Yield what everybody may know of a position, whatever it was computed from."""
    for definition in declared.game.defs:
        if definition.public:
            names = [param.name for param in definition.params]
            values = product(*(range(param.type.lo, param.type.hi + 1) for param in definition.params))
            env = Environment(declared, position, {})
            told = (Environment(declared, env.now, dict(zip(names, each, strict=True))) for each in values)
            yield definition.name, tuple(evaluate(definition.body, each) for each in told)


def arguments_seen(declared: Declarations, move: Moved, player: int) -> tuple[int | None, ...]:
    """Return the arguments of a move as a player sees them."""
    arguments = list(zip(move.action.params, move.args, strict=True))
    env = Environment(declared, move.position, {param.name: arg for param, arg in arguments})
    return tuple(arg if belongs(param.seen, player, env) else None for param, arg in arguments)


def told(declared: Declarations, move: Moved, player: int) -> tuple[int | None, ...]:
    """Return what a legal move reveals to a player, line by line; None for what the player does not hear."""
    if not move.action.reveals:
        return ()
    env = Reference(declared).guard(move.position, move.action, move.args)
    assert env is not None, "only a legal move reveals anything"
    return tuple(
        evaluate(reveal.value, env) if belongs(reveal.to, player, env) else None for reveal in move.action.reveals
    )
