"""Games loaded once for all tests of this folder."""

from functools import cache

import pytest

import pilgrim_rules as pr
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import read_game


@cache
def game(name, players=None):
    return pr.load(name, players)


def instance(name, players):
    """Return an instance as a parameter. In every run are those with the most players, and those in which an automaton has a seat."""
    core = read_game(name, players=players)
    marks = () if players == core.seats[-1] or core.automata else pytest.mark.slow
    return pytest.param(name, players, id=f"{name}-{players}", marks=marks)


#: Every shipped game with every number of players it allows.
every_instance = pytest.mark.parametrize(
    ("name", "players"), [instance(name, players) for name in find_game.names() for players in read_game(name).seats]
)
