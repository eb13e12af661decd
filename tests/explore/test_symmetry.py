"""A search that keeps one of all states that are the same: what they stand for is what a search of all states visits."""

from __future__ import annotations

import pytest

from pilgrim_rules import load
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.language.load import read_game
from verifier.explore.images import Images
from verifier.explore.native_search import SearchLimits, native_search
from verifier.explore.search import explore

LIMITS = SearchLimits(2_000_000, 1 << 28)
#: States up to symmetry, and in all. 765 positions of noughts and crosses are common knowledge; five counters of 16 values that cannot be told apart are
#: the 15,504 ways to choose 5 of 20.
COUNTS = {"noughts_and_crosses": (765, 5_478), "connect_four": (80_541, 161_029), "counters": (15_504, 1_048_576)}


def symmetries(core):
    return [each.name for each in core.symmetries]


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("name", COUNTS)
def test_what_is_kept_stands_for_all_states(name, parts):
    core = read_game(name)

    found = explore(core, symmetries=symmetries(core), parts=parts)

    assert COUNTS[name] == (found.states, found.stand_for)
    assert found.closed
    assert () == found.unreached


def test_the_python_machine_keeps_the_same():
    core = read_game("noughts_and_crosses")

    found = native_search(core, LIMITS, wasm=False, parts=1, symmetries=symmetries(core))

    assert (765, 5_478) == (found.states, found.stand_for)


def test_a_play_that_is_shown_is_a_play_of_the_game():
    core = read_game("noughts_and_crosses")
    found = explore(core, symmetries=symmetries(core))
    [draw] = found.witnesses

    state = load("noughts_and_crosses").start()
    for step in draw.play:
        state = state.play(step.text)

    assert state.over
    assert 9 == len(draw.play)


def test_some_symmetries_leave_more_states_than_all():
    core = read_game("noughts_and_crosses")
    states = [explore(core, symmetries=names).states for names in ((), ["mirror"], ["quarter_turn"], symmetries(core))]

    assert sorted(states, reverse=True) == states
    assert [5_478, 765] == [states[0], states[-1]]


def test_every_image_has_the_same_least_image():
    core = read_game("noughts_and_crosses")
    code = compiled(core, ghosts=True)
    images = Images.of(code, symmetries(core))
    corners = [code.apply_of[0](code.start, square) for square in (0, 2, 6, 8)]

    assert 4 == len(set(corners))
    assert 1 == len({images.least(state) for state in corners})
