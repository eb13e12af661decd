"""Policies: which of the moves to make next in a random walk.

Reads:  the moves that can be made, each with its weight (1 where chance does not decide).   Writes: one of them.
After:  every move can be chosen, whatever the policy; a policy only changes how likely it is. A move is a pair of its action
        (a number or a name) and its arguments.

Walks that favour different actions reach different corners, which even-handed play never does (swarm testing).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeAlias, TypeVar

from pilgrim_rules.walk.random_source import RandomSource

A = TypeVar("A", bound="int | str")  #: how a move names its action
Move: TypeAlias = tuple[A, tuple[int, ...]]
Option: TypeAlias = tuple[Move[A], int]

#: How much an action may be favoured in a game of swarm testing, the usual being 20.
SWARM = (1, 6, 20, 20, 60, 400)
FAVOURED = max(SWARM)


class Policy(Protocol[A]):
    """Chooses among moves."""

    def choose(self, options: Sequence[Option[A]], generator: RandomSource) -> Move[A]:
        """Return one of the moves."""
        ...


@dataclass(frozen=True)
class Uniform(Generic[A]):
    """Every move is as likely as any other; an outcome of chance as likely as it is heavy."""

    def choose(self, options: Sequence[Option[A]], generator: RandomSource) -> Move[A]:
        """Return one of the moves."""
        return generator.weighted([move for move, _ in options], [weight for _, weight in options])


@dataclass(frozen=True)
class ByAction(Generic[A]):
    """An action first, then its arguments, each alike: an action with few moves is as likely as one with many.

    prefer  which of the actions to choose among; all if left out.     chance   weigh what chance decides.
    """

    prefer: Callable[[list[A]], list[A]] = field(default=list)
    chance: bool = False

    def choose(self, options: Sequence[Option[A]], generator: RandomSource) -> Move[A]:
        """Return one of the moves."""
        if self.chance and any(weight != 1 for _, weight in options):
            return Uniform[A]().choose(options, generator)
        action = generator.pick(self.prefer(list(dict.fromkeys(move[0] for move, _ in options))))
        return generator.pick([move for move, _ in options if move[0] == action])


@dataclass(frozen=True)
class Weighted(Generic[A]):
    """Each action has a weight of its own; its moves are alike, its outcomes of chance as heavy as they are."""

    weights: Mapping[A, int]
    prefer: Callable[[list[A]], list[A]] = field(default=list)

    @classmethod
    def swarm(cls, actions: Iterable[A], generator: RandomSource, favour: frozenset[A] = frozenset()) -> Weighted[A]:
        """Return random weights; some actions may be favoured in every game."""
        return cls({each: FAVOURED if each in favour else generator.pick(SWARM) for each in actions})

    def choose(self, options: Sequence[Option[A]], generator: RandomSource) -> Move[A]:
        """Return one of the moves."""
        actions = self.prefer(list(dict.fromkeys(move[0] for move, _ in options)))
        action = generator.weighted(actions, [self.weights[each] for each in actions])
        return Uniform[A]().choose([option for option in options if option[0][0] == action], generator)


@dataclass(frozen=True)
class Guided(Generic[A]):
    """Sometimes what has been tried least, otherwise as another policy says.

    rarity   how often a move, or what it is like, has been tried: what is small is worth trying.
    percent  how often it is looked for.
    """

    otherwise: Policy[A]
    rarity: Callable[[Move[A]], tuple[int, ...]]
    percent: int

    def choose(self, options: Sequence[Option[A]], generator: RandomSource) -> Move[A]:
        """Return one of the moves."""
        if not generator.percent(self.percent):
            return self.otherwise.choose(options, generator)
        tried = [self.rarity(move) for move, _ in options]
        least = min(tried)
        return generator.pick([move for (move, _), times in zip(options, tried, strict=True) if times == least])
