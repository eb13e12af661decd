"""Which instances of the large games `make prove` looks at: it runs their examples in all readings, and no test does so again."""

import re
from pathlib import Path

_LARGE = re.compile(r"^LARGE\s*\?=\s*(.+)$", re.MULTILINE)


def proved_players(name):
    """Return for how many players the proofs of a large game are part of `make test`."""
    makefile = (Path(__file__).parents[2] / "Makefile").read_text("utf-8")
    found = dict(each.split("=") for each in _LARGE.search(makefile)[1].split())
    return int(found[name])


def other_players(name, seats):
    """Return the numbers of players whose examples are run by tests: those of which nothing is proved in `make test`."""
    proved = proved_players(name)
    assert proved in seats
    return [players for players in seats if players != proved]
