"""Learned weights: how heavy each action is to be, so that play by weights is good at something.

Reads:  a compiled game, a machine.   Writes: a weight for each action, kept in the cache.
After:  the same rules give the same weights on every machine: numbers are integers, and games are counted by decisions, not seconds.

The cross-entropy method (Rubinstein 1999): draw some vectors of weights, play games with each, keep the best quarter, draw around their mean,
and so on. Nothing is known of a game but what its games come to.

points   what all players have in the end, together.
variety  actions that are made in most games; a rare one that becomes half as rare counts as much as any other.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from math import log2
from typing import Literal, TypeAlias, assert_never

from pilgrim_rules.engine.bulk_play import BulkPlayer, BulkPolicy, BulkResults
from pilgrim_rules.engine.machines.machine import Machine
from pilgrim_rules.engine.python.compile import Compiled, module_key
from pilgrim_rules.semantics.chance import draw, seeded
from pilgrim_rules.semantics.errors import Contradiction, EngineLimit
from pilgrim_rules.util import text_cache

Goal: TypeAlias = Literal["points", "variety"]
Weights: TypeAlias = tuple[int, ...]

#: Vectors of a generation, how many of them are kept, games that each is judged by, and generations.
VECTORS, KEPT, GAMES, GENERATIONS = 32, 8, 16, 30
MOST_DECISIONS = 8_000_000  #: of all games; the generation in which they are reached is the last
LONGEST = 2_000  #: decisions of a game
HEAVIEST = 1 << 16
#: Parts of a doubling, in which logarithms of weights are counted; how far the first vectors reach, and how near later ones come.
PART, WIDE, NARROW = 16, 28, 4
#: A draw is the sum of this many bytes, less its mean, over its deviation: nearly a normal one.
_BYTES, _MEAN, _DEVIATION = 4, 510, 148
#: What an action adds that was made this many times in 64 games, once a game being enough.
_OFTEN = 64
_GAIN = tuple(round(PART * log2(times + 1)) for times in range(_OFTEN + 1))
_POWERS = tuple(round(HEAVIEST * 2 ** (-part / PART)) for part in range(PART))
_SUFFIX = ".weights"


def learned_weights(code: Compiled, make: Callable[[], Machine], goal: Goal) -> Weights:
    """Return weights of all actions, by number; all alike if there is nothing to learn, or the rules contradict themselves."""
    sizes = f"{VECTORS} {KEPT} {GAMES} {GENERATIONS} {MOST_DECISIONS} {LONGEST} {_GAIN}"
    key = sha256(f"{goal} {sizes} {module_key(code.fingerprint, code.played)}".encode()).hexdigest()
    kept = text_cache.read(key, _SUFFIX)
    if kept is not None:
        return tuple(map(int, kept.split()))
    try:
        found = _Learning(code, make(), goal).run()
    except (Contradiction, EngineLimit):  # to be found by play, not here
        found = (1,) * len(code.game.actions)
    text_cache.write(key, " ".join(map(str, found)), _SUFFIX)
    return found


class _Learning:
    """What is known so far: for each action that players choose, where weights are drawn, and how far around."""

    def __init__(self, code: Compiled, machine: Machine, goal: Goal) -> None:
        self._goal = goal
        self._scores = code.game.score is not None
        self._actions = len(code.game.actions)
        self._chosen = [at for at, action in enumerate(code.game.actions) if action.kind == "action"]
        self._middle = [0] * len(self._chosen)
        self._reach = [WIDE] * len(self._chosen)
        self._player = BulkPlayer(code, machine, code.start, BulkPolicy("weighted", (1,) * self._actions), LONGEST)
        self._row = struct.Struct(f"<IIII{code.game.player.size}q")
        self._generator = seeded(0)
        self._decisions = 0

    def run(self) -> Weights:
        """Return the weights in the middle of the last generation."""
        if (self._goal == "points" and not self._scores) or self._is_enough():
            return (1,) * self._actions
        for number in range(GENERATIONS):
            vectors = [list(self._drawn()) for _ in range(VECTORS)]
            worth = [self._worth(each, number) for each in vectors]
            best = sorted(range(VECTORS), key=lambda at: -worth[at])[:KEPT]
            self._follow([vectors[at] for at in best])
            if self._decisions >= MOST_DECISIONS:
                break
        return self._weights(self._middle)

    def _is_enough(self) -> bool:
        """Return whether there is no choice between actions, or play at random is as various as can be."""
        alone = self._chosen[1:] == []
        return alone or (self._goal == "variety" and self._worth(self._middle, 0) == len(self._chosen) * _GAIN[-1])

    def _drawn(self) -> Iterator[int]:
        """Yield logarithms of weights, around the middle."""
        for middle, reach in zip(self._middle, self._reach, strict=True):
            number, self._generator = draw(self._generator)
            away = sum(number.to_bytes(8, "little")[:_BYTES]) - _MEAN
            yield middle + reach * away // _DEVIATION

    def _worth(self, vector: Sequence[int], generation: int) -> int:
        """Return what games by a vector come to; all vectors of a generation play with the same seeds."""
        self._player.weigh(self._weights(vector))
        before = self._player.used()
        results = self._player.run(generation * GAMES, GAMES)
        rows = list(self._row.iter_unpack(results.rows))
        self._decisions += sum(row[0] for row in rows)
        match self._goal:
            case "points":
                return sum(sum(row[4:]) for row in rows)
            case "variety":
                return sum(_GAIN[min(times * _OFTEN // GAMES, _OFTEN)] for times in self._made(results, before))
            case _:
                assert_never(self._goal)

    def _made(self, results: BulkResults, before: Sequence[int]) -> Iterator[int]:
        return (results.used[at] - before[at] for at in self._chosen)

    def _follow(self, best: Sequence[Sequence[int]]) -> None:
        """Move most of the way to the mean of the best, and draw as far around it as they lie."""
        for at, each in enumerate(zip(*best, strict=True)):
            mean = sum(each) // len(each)
            away = sum(abs(one - mean) for one in each) * 5 // (4 * len(each))  # a normal deviation, nearly
            self._middle[at] = (3 * self._middle[at] + 7 * mean) // 10
            self._reach[at] = (3 * self._reach[at] + 7 * (away + NARROW)) // 10

    def _weights(self, vector: Sequence[int]) -> Weights:
        """Return the weights of all actions; those that no player chooses are never weighed."""
        found, top = [1] * self._actions, max(vector)
        for at, each in zip(self._chosen, vector, strict=True):
            doublings, part = divmod(top - each, PART)
            found[at] = max(1, _POWERS[part] >> doublings)
        return tuple(found)
