"""Games that try to make the prover say something false, each about several things at once, compared with brute force.

Private cells, ghosts, open counters, scores and ranks in claims, polls, sub-turns, weights of chance, computed parameters and
types, zones of pieces and of kinds, contracts, automaton seats, division of negative numbers, lemmas for some readings, folds:
all crossed with rulings, assumed data and numbers of players.
"""

import re
from pathlib import Path

import pytest

from tests.soundness.brute_force import instances
from tests.soundness.comparing import compare_rules
from tests.support.random_rules import RandomRules

FILES = sorted((Path(__file__).parent / "attacks" / "nasty").glob("*.rules"))


def rules(path, folder):
    """Return a game with everything that an instance of it can choose; its files are in the folder afterwards."""
    text = path.read_text()
    low, high = map(int, re.search(r"players (\d)\.\.(\d)", text).groups())
    data = {name: range(int(a), int(b) + 1) for name, a, b in re.findall(r"param (\w+) : (\d)\.\.(\d) from", text)}
    parts = {part.split()[0]: re.findall(r"option (\w+)", part) for part in text.split("\nruling ")[1:]}
    made = RandomRules(text, data, {name: tuple(each) for name, each in parts.items()}, range(low, high + 1))
    made.write(folder)
    return made


def wrong(path, folder, number, **legs):
    return compare_rules(rules(path, folder), folder, number, **legs).wrong


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_verdict_about_one_instance_is_taken_for_more_than_it_is(path, tmp_path):
    assert [] == wrong(path, tmp_path, 0, every_value=True)
    assert [] == wrong(path, tmp_path, 0, every_value=True, every_reading=True)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_verdict_about_any_instance_is_false(path, tmp_path):
    made = rules(path, tmp_path)
    count = len(list(instances(made, tmp_path)))

    assert count > 1
    for number in range(count):
        for every_reading in (False, True):
            assert [] == wrong(path, tmp_path, number, every_value=True, every_reading=every_reading)
