"""Beliefs: which states a player must reckon with, after everything that the player has seen of a play.

Reads:  a play, and who looks at it.   Writes: `Belief`: states with their probabilities; one of them drawn, with a past that leads to it.
After:  every state of a belief is reached by a play that looks to the player, step by step, like the one that was played.

Chance counts with its odds. What other players chose tells only that they could: if they had several choices that look the same, each counts
alike. A belief that grows beyond a bound is thinned at random, and says that it is not exact; if nothing is left, `CannotSample` is raised.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from pilgrim_rules.api.looks import Looks
from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.semantics import chance
from pilgrim_rules.semantics.errors import Contradiction, RulesGameError
from pilgrim_rules.semantics.moves import Coded

MOST_STATES = 5_000  #: of one belief
Played: TypeAlias = tuple[Coded, bytes]  #: a step: the move and the state after it
Came: TypeAlias = dict[tuple[bytes, Coded], float]  #: from where, by which move, with which weight
Key = TypeVar("Key")


class CannotSample(RulesGameError):
    """No state was found that fits what a player sees."""


@dataclass(slots=True)
class Layer:
    """The states that are possible after a step, each with the ways to it."""

    weights: dict[bytes, float]
    came: dict[bytes, Came]


class Belief:
    """What a player must reckon with after a play.

    states  each possible state with its probability.     exact  whether none was left out.
    """

    def __init__(self, rules: Rules, first: bytes, player: int, *, most: int = MOST_STATES) -> None:
        """Begin with a state that the player knows."""
        self._rules, self._player, self._most = rules, player, most
        self._looks = Looks(rules)
        self._layers = [Layer({first: 1.0}, {first: {}})]
        self._now = first
        self.exact = True

    @property
    def states(self) -> Mapping[bytes, float]:
        """The possible states, with their probabilities."""
        return self._layers[-1].weights

    def see(self, played: Sequence[Played]) -> Belief:
        """Go on with steps that were really made, as the player sees them; return the belief itself."""
        for coded, after in played:
            self._see(coded, after)
        return self

    def copy(self) -> Belief:
        """Return a belief that can go on by itself."""
        made = Belief(self._rules, self._now, self._player, most=self._most)
        made._layers, made.exact = list(self._layers), self.exact
        return made

    def sample(self, seed: int) -> list[Played]:
        """Return a past that looks like the one played, drawn at random; the last state of it is drawn from the belief."""
        generator = chance.seeded(seed)
        drawn, generator = _choose(generator, self.states)
        path: list[Played] = []
        for layer in reversed(self._layers[1:]):
            (before, coded), generator = _choose(generator, layer.came[drawn])
            path.append((coded, drawn))
            drawn = before
        return path[::-1]

    def _see(self, coded: Coded, after: bytes) -> None:
        looks, player = self._looks, self._player
        move, wanted = looks.move(self._now, coded, player), looks.key(after, player)
        came: dict[bytes, Came] = {}
        for data, weight in self._layers[-1].weights.items():
            for option, reached, share in self._options(data, coded[0], move, wanted):
                ways = came.setdefault(reached, {})
                ways[data, option] = ways.get((data, option), 0.0) + weight * share
        if not came:
            raise CannotSample(
                "no play that was kept fits what is seen: too many were possible, and all but a sample were left out"
            )
        weights = {data: sum(ways.values()) for data, ways in came.items()}
        weights = self._thinned(weights) if len(weights) > self._most else weights
        total = sum(weights.values())
        self._layers.append(Layer({data: weight / total for data, weight in weights.items()}, came))
        self._now = after

    def _options(
        self, data: bytes, number: int, move: tuple[Hashable, ...], wanted: Hashable
    ) -> Iterator[tuple[Coded, bytes, float]]:
        """Yield each move from a state that looks like the one made and leads to what is seen, with how much of the chances it has."""
        runner, looks = self._rules.runner, self._looks
        by_chance = runner.row(data).kind == "chance"
        weighed = runner.chance_outcomes(data) if by_chance else [(each, 1) for each in runner.candidates(data)]
        total = sum(weight for _, weight in weighed)
        found: list[tuple[Coded, bytes, int]] = []
        for option, weight in weighed:
            if option[0] != number or looks.move(data, option, self._player) != move:
                continue
            try:
                after = self._rules.code.apply(data, self._rules.core.actions[number].name, option[1])
            except Contradiction:
                continue
            if looks.key(after, self._player) == wanted:
                found.append((option, after, weight))
        shared = total if by_chance else len(found)
        yield from ((option, after, weight / shared) for option, after, weight in found)

    def _thinned(self, weights: dict[bytes, float]) -> dict[bytes, float]:
        """Return as many states as may be kept, drawn by their weights."""
        self.exact = False
        generator = chance.seeded(len(self._layers))
        kept: dict[bytes, float] = {}
        for _ in range(self._most):
            data, generator = _choose(generator, weights)
            kept[data] = kept.get(data, 0.0) + 1.0
        return kept


def _choose(generator: int, weights: Mapping[Key, float]) -> tuple[Key, int]:
    """Return one of the keys, drawn by weight, and the generator after it."""
    drawn, generator = chance.draw(generator)
    at = drawn / 2**64 * sum(weights.values())
    for key, weight in weights.items():
        at -= weight
        if at < 0:
            return key, generator
    return key, generator
