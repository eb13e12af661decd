"""A checker with a mistake in it, as there once was: it takes every node for a neighbour of every other node.

So the sum over `around(…)` has a range that is too high, an index is thought to lie in its table, a divisor to be positive.
Nothing behind the checker may believe it.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

import pytest

from pilgrim_rules.core import bounds, validate_expr
from pilgrim_rules.core.ir import Game
from pilgrim_rules.core.origin import Origin
from pilgrim_rules.language import passes
from pilgrim_rules.language.check import folds

HEAD = """
game wrong "What the checker takes for granted is not so"
    players 2..2 named ann, ben
graph G
    n -> m
    m -> k
stages
    playing by turn
state
    turn : Player = ann
    at : G = n
    s : 0..9 = 0
"""
STEP = """
action step(to: G)
    require leads(G, at, to)
    do at = to
"""
AROUND = "(sum of 1 for x in around(at))"

FALSE_PROOF = f"""{HEAD}
    open : bool = false
param prize[3..5] : 0..9 = [5, 6, 7]
{STEP}
action unlock
    require not open
    do open = true
action take
    require open
    do s = prize[{AROUND}]
invariant nothing_won: s <= 4
"""
DIVIDED = f"{HEAD}{STEP}action share\n    do s = 6 div ({AROUND} - 2)\n"
IN_A_GUARD = f"""{HEAD}param open_at[3..3] : bool = [true]
{STEP}action enter
    require open_at[{AROUND}]
    do s = 1
"""
IN_A_DEFINITION = f"""{HEAD}param open_at[3..3] : bool = [true]
def is_open() = open_at[{AROUND}]
{STEP}action enter
    require s == 0
    require is_open()
    do s = 1
"""
IN_A_CLAIM = f"""{HEAD}param height[3..3] : 0..9 = [4]
{STEP}invariant high: height[{AROUND}] == 4
"""
IN_A_RANKING = f"""{HEAD}param height[3..3] : 0..9 = [4]
action stop
    require s < 9
    do s += 1
terminates by height[{AROUND}] - s
"""


def read_by_a_wrong_checker(text: str) -> Game:
    """Return the core that the wrong checker makes of a text."""

    def as_if_all_counted(op, body, counted, default):
        return bounds.folded(op, body, (counted[1], counted[1]), default)

    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for module in (folds, validate_expr):
            patch.setattr(module, "folded", as_if_all_counted)
        path = Path(folder) / "wrong.rules"
        path.write_text(dedent(text), "utf-8")
        return passes.run(Origin((str(path),), None)).core
