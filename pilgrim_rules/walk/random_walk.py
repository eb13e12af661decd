"""The random walk: moves made one after the other, until nothing can happen or somebody has seen enough.

Reads:  a start, what can happen in a state, what a move leads to, a policy and a generator.   Writes: steps.
After:  every step was one of the moves that could be made. Who walks decides what is looked at on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from pilgrim_rules.core.ir import Type
from pilgrim_rules.engine.autoplay import Runner
from pilgrim_rules.semantics.state_layout import StateLayout
from pilgrim_rules.walk.policies import A, Move, Option, Policy
from pilgrim_rules.walk.random_source import RandomSource

S = TypeVar("S")  #: a state, as bytes or otherwise


class WalkStep(NamedTuple, Generic[S, A]):
    """A step: the state before it, everything that could be done there, what was done, and the state after it."""

    before: S
    options: Sequence[Option[A]]
    move: Move[A]
    after: S


def walk(
    start: S,
    options: Callable[[S], Sequence[Option[A]]],
    step: Callable[[S, Move[A]], S | None],
    policy: Policy[A],
    generator: RandomSource,
    longest: int,
) -> Iterator[WalkStep[S, A]]:
    """Yield the steps of one game, at most `longest`; it ends where there is no option, or `step` leads nowhere."""
    state = start
    for _ in range(longest):
        found = options(state)
        if not found:
            return
        move = found[0][0] if len(found) == 1 else policy.choose(found, generator)
        after = step(state, move)
        if after is None:
            return
        yield WalkStep(state, found, move, after)
        state = after


def options_of(runner: Runner, state: bytes) -> list[Option[int]]:
    """Return everything that can happen in a state, whoever decides it, with its weight; nothing when the game is over."""
    match runner.row(state).kind:
        case "nobody":
            return []
        case "chance":
            return list(runner.chance_outcomes(state))
        case "player" | "auto":
            return [(coded, 1) for coded in runner.candidates(state)]


def random_state(layout: StateLayout, generator: RandomSource) -> bytes:
    """Return a well-typed state, reachable or not."""
    return layout.encode_flat(
        [generator.pick(each.variable.type.drawn) for each in layout.fields for _ in range(each.count)]
    )


def random_arguments(types: Sequence[Type], generator: RandomSource) -> tuple[int, ...]:
    """Return a value of each type."""
    return tuple(generator.pick(type_.drawn) for type_ in types)
