"""Games loaded once for all tests of this folder."""

from functools import cache

import pilgrim_rules as pr


@cache
def game(name, players=None):
    return pr.load(name, players)
