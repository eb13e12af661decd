"""No verdict of the prover is false: random games are compared with brute force over readings, data and players."""

from collections import Counter

import pytest

from tests.soundness.comparing import compare, compare_rules
from tests.support.random_wide_rules import random_wide_rules

#: Games in one test, tests in the suite, and tests in `make soak`.
GAMES, SUITE, SOAK = 10, 20, 200


def compared(tmp_path, number, **legs):
    """Compare some games; return what was wrong and what was counted."""
    wrong, counts = [], Counter()
    for seed in range(number * GAMES, (number + 1) * GAMES):
        folder = tmp_path / str(seed)
        folder.mkdir()
        result = compare(seed, folder, **legs)
        wrong += result.wrong
        counts += result.counts
    return wrong, counts


@pytest.mark.parametrize("number", range(SUITE))
def test_no_verdict_is_false(tmp_path, number):
    wrong, counts = compared(tmp_path, number)

    assert [] == wrong
    assert GAMES == counts["games"]
    assert counts["proved"] > 0  # the comparison has met something


@pytest.mark.slow
@pytest.mark.parametrize("number", range(SUITE, SUITE + SOAK))
def test_no_verdict_is_false_in_the_long_run(tmp_path, number):
    wrong, counts = compared(tmp_path, number)

    assert [] == wrong
    assert counts["proved"] > 0


#: Tests in the suite, and in `make soak`, about all rulings, about all values of the data, and about both.
LEGS = [{"every_reading": True}, {"every_value": True}, {"every_reading": True, "every_value": True}]


@pytest.mark.parametrize("number", [*range(2), *(pytest.param(at, marks=pytest.mark.slow) for at in range(2, 40))])
@pytest.mark.parametrize("leg", LEGS, ids="+".join)
def test_no_verdict_about_all_readings_or_values_is_false(tmp_path, number, leg):
    wrong, counts = compared(tmp_path, number, **leg)

    assert [] == wrong
    assert counts["proved"] > 0


def test_that_something_is_out_of_reach_names_the_value_it_was_found_with(tmp_path):
    """The invariants exclude `data0 < 2` where a type was read with 2, and only there."""
    result = compare(818, tmp_path, every_reading=True, every_value=True)

    assert [] == result.wrong
    assert result.counts["reachable"] > 0


def compared_wide(tmp_path, seeds, **legs):
    """Compare games with zones, sub-turns, polls, contracts, scores and open counters."""
    wrong, counts = [], Counter()
    for seed in seeds:
        folder = tmp_path / str(seed)
        folder.mkdir()
        result = compare_rules(random_wide_rules(seed, folder), folder, seed, **legs)
        wrong += result.wrong
        counts += result.counts
    return wrong, counts


@pytest.mark.parametrize("number", [*range(3), *(pytest.param(at, marks=pytest.mark.slow) for at in range(3, 60))])
@pytest.mark.parametrize("leg", [{}, LEGS[2]], ids=["one", "every"])
def test_no_verdict_about_a_wide_game_is_false(tmp_path, number, leg):
    wrong, counts = compared_wide(tmp_path, range(number * GAMES, (number + 1) * GAMES), **leg)

    assert [] == wrong
    assert counts["proved"] > 0


def test_a_start_that_depends_on_open_rulings_can_be_completed(tmp_path):
    """A claim that goes through a domain in a domain asks a model for the start."""
    wrong, _ = compared_wide(tmp_path, [536], every_reading=True, every_value=True)

    assert [] == wrong
