"""The generator: the published numbers, even chances, no remainder bias."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pilgrim_rules.semantics import chance


def test_the_generator_is_splitmix64():
    """The first numbers from seed 1234567, as published with the algorithm's reference code."""
    generator, found = chance.seeded(1234567), []
    for _ in range(5):
        number, generator = chance.draw(generator)
        found.append(number)

    assert [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ] == found


def test_weights_are_kept_in_the_long_run():
    generator, found = chance.seeded(0), Counter()
    for _ in range(8000):
        at, generator = chance.choose(generator, [1, 0, 2, 1])
        found[at] += 1

    assert {0, 2, 3} == set(found)
    assert abs(found[2] - 4000) < 200
    assert abs(found[0] - 2000) < 200


@given(seed=st.integers(), limit=st.integers(1, 2**64))
def test_a_number_is_below_its_limit(seed, limit):
    number, generator = chance.below(chance.seeded(seed), limit)

    assert 0 <= number < limit
    assert 0 <= generator < 2**64
