"""Which instances of the large games `make prove` looks at: it runs their examples in all readings, and no test does so again."""

import re
from functools import cache
from pathlib import Path

import pytest

_LARGE = re.compile(r"^LARGE\s*\?=\s*(.+)$", re.MULTILINE)


@cache
def large_games():
    """Return the large games, each with the number of players for which its proofs are part of `make test`."""
    makefile = (Path(__file__).parents[2] / "Makefile").read_text("utf-8")
    named = (each.split("=") for each in _LARGE.search(makefile)[1].split())
    return {name: int(players) for name, players in named}


def large_slowly(names):
    """Return names of games as parameters; the large ones are tried in long runs only."""
    return [pytest.param(name, marks=pytest.mark.slow if name in large_games() else ()) for name in names]


def other_players(name, seats):
    """Return the numbers of players whose examples are run by tests: those of which nothing is proved in `make test`."""
    proved = large_games()[name]
    assert proved in seats
    return [players for players in seats if players != proved]
