"""Chance: the generator that resolves chance from a seed.

Reads:  the generator's state, an integer.   Writes: a choice and the next state.
After:  the same seed gives the same game on every machine and Python version; nothing global is read or changed.

The generator is SplitMix64 (Steele, Lea and Flood, 2014). Its state travels with a seeded `State`.
"""

from __future__ import annotations

from collections.abc import Sequence

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


def seeded(seed: int) -> int:
    """Return the generator's state for a seed; seeds that differ below 2**64 give different games."""
    return seed & _MASK


def draw(generator: int) -> tuple[int, int]:
    """Return a number below 2**64 and the generator's next state."""
    generator = (generator + _STEP) & _MASK
    mixed = ((generator ^ (generator >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    return mixed ^ (mixed >> 31), generator


def below(generator: int, limit: int) -> tuple[int, int]:
    """Return a number below the limit, each equally likely, and the generator's next state."""
    even = (1 << 64) - (1 << 64) % limit  # numbers from here on would favour the small remainders
    while True:
        number, generator = draw(generator)
        if number < even:
            return number % limit, generator


def choose(generator: int, weights: Sequence[int]) -> tuple[int, int]:
    """Return the place of one of the weights, each as likely as it is heavy, and the generator's next state."""
    number, generator = below(generator, sum(weights))
    for at, weight in enumerate(weights):
        if number < weight:
            return at, generator
        number -= weight
    raise AssertionError("the number is below the sum of the weights")
