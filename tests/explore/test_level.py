"""A level of a search that other processes step gives what one process finds."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from pilgrim_rules.language.load import read_game
from verifier.explore import level, search
from verifier.explore.search import explore


@pytest.fixture
def everything_is_sent(monkeypatch):
    monkeypatch.setattr(search, "FEW", 0)
    monkeypatch.setattr(level, "FEW", 7)


def both(game, **words):
    alone = explore(game, native=False, **words)
    with ThreadPoolExecutor(1) as helper:  # one thread: the program that a process keeps is not shared between threads
        there = explore(game, executor=helper, parts=3, **words)
    return alone, there


@pytest.mark.parametrize("name", ["nim", "noughts_and_crosses", "kuhn_poker", "pong_hau_ki"])
def test_the_same_states_steps_and_witnesses_are_found(name, everything_is_sent):
    alone, there = both(read_game(name))

    kept = {"seconds": 0.0, "bytes": 0, "witnesses": ()}
    assert replace(alone, **kept) == replace(there, **kept)
    assert [(each.name, len(each.play)) for each in alone.witnesses] == [
        (each.name, len(each.play)) for each in there.witnesses
    ]
    for each in there.witnesses:
        assert each.name in {claim.name for claim in read_game(name).claims}


def test_what_is_wrong_is_found_as_often_and_after_as_many_moves(tmp_path, everything_is_sent):
    rules = tmp_path / "wrong.rules"
    rules.write_text(
        'game wrong "Wrong"\n    players 2..2\n\nstages\n    counting by turn\n    over nobody\n\n'
        "state\n    count : 0..40 = 0\n    turn : Player\n\n"
        "action say(n: 1..3)\n    during counting\n    do\n        count += n\n        turn = next(turn)\n\n"
        "invariant low: count <= 30\n"
    )
    alone, there = both(read_game(str(rules)))

    def shown(found):
        return {(each.kind, each.name, each.times, len(each.play)) for each in found.findings}

    assert shown(alone) == shown(there)
    assert {"invariant", "contradiction"} == {each.kind for each in there.findings}


def test_a_budget_ends_a_shared_search_too(everything_is_sent):
    _, there = both(read_game("noughts_and_crosses"), max_states=1000)

    assert not there.closed
    assert "the budget of 1,000 states is used up" == there.reason
