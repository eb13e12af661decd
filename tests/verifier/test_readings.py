"""Readings: where the options of a ruling make a difference in random play."""

from functools import partial

import pytest

import pilgrim_rules as pr
from pilgrim_rules.cli.exits import Exit
from pilgrim_rules.cli.main import run
from verifier.readings import bites, random_games

TEXT = """\
game heap
    players 2..2 named ann, ben

stages
    playing by turn
    over nobody

ruling greed
    option three_at_most default
    option two_at_most

ruling colour
    ## Changes nothing.
    option red default
    option blue

ruling handful
    option plain default
    option all_at_once

state
    turn : Player
    heap : 0..9 = 9

action take(n: 1..3)
    during playing
    require n <= heap
    require n <= 2 or greed == three_at_most
    do
        heap -= n
        turn = next(turn)
        if heap == 0: stage = over

action take_all
    only when handful == all_at_once
    during playing
    do
        heap = 0
        stage = over

score of p
    line "Last" 1 if turn == p else 0
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "heap.rules"
    path.write_text(TEXT)
    return path


@pytest.fixture
def found(path):
    base = pr.load(path)
    games = random_games(base, 5, seed=3)
    return {(each.ruling, each.option): each for each in bites(base, partial(pr.load, path, None), games)}


def test_an_option_that_forbids_a_move_makes_a_difference_at_once(found):
    greed = found["greed", "two_at_most"]

    assert (5, 5, 0, 0, "start") == (greed.games, greed.bites, greed.game, greed.moves, greed.what)


def test_an_option_that_adds_an_action_makes_a_difference(found):
    assert 5 == found["handful", "all_at_once"].bites


def test_a_ruling_that_nothing_reads_makes_none(found):
    assert (0, None) == (found["colour", "blue"].bites, found["colour", "blue"].game)


def test_the_same_seed_plays_the_same_games(path):
    base = pr.load(path)

    assert random_games(base, 2, seed=5) == random_games(base, 2, seed=5)
    assert random_games(base, 2, seed=5) != random_games(base, 2, seed=6)


def test_the_command_lists_what_bites_most_first(path, capsys):
    assert Exit.OK == run(["readings", str(path), "--games", "2", "--only", "greed"])
    assert "    2/2  greed = two_at_most   first in game 0, after 0 moves (start)\n" == capsys.readouterr().out


def test_a_ruling_that_is_not_there_is_refused(path, capsys):
    assert Exit.BAD_INPUT == run(["readings", str(path), "--only", "gread"])
    assert "no ruling `gread`" in capsys.readouterr().err
