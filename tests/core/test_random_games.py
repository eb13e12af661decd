"""The random games of the tests use everything that there is in the core, so that comparing back ends on them means something."""

from __future__ import annotations

from itertools import chain
from typing import get_args

import pytest

from pilgrim_rules.core import ir
from pilgrim_rules.core.rule_walk import action_expressions
from pilgrim_rules.core.walk import subexpressions
from tests.support.random_games import random_game
from tests.support.vocabularies import LARGE, SMALL

#: What only games with networks have.
NOT_HERE = {ir.AskNetwork}


def statements(block):
    """Yield the statements of a block, and those inside them."""
    for statement in block:
        yield statement
        if isinstance(statement, ir.Branch):
            yield from statements((*statement.then, *statement.other))
        elif isinstance(statement, ir.Loop):
            yield from statements(statement.body)


def nodes(game):
    """Return all expressions and statements of a game."""
    roots = [*chain(*map(action_expressions, game.actions)), *(claim.formula for claim in game.claims)]
    blocks = chain(*(statements(action.body) for action in game.actions))
    return [*chain(*map(subexpressions, roots)), *blocks]


@pytest.mark.parametrize("words", [LARGE, SMALL], ids=["large", "small"])
def test_every_construct_of_the_core_occurs(words):
    found = [node for seed in range(60) for node in nodes(random_game(seed, words))]
    kinds = {type(node) for node in found}

    assert set() == {*get_args(ir.Expr), *get_args(ir.Stmt)} - kinds - NOT_HERE
    assert ir.OPERATORS == {node.op for node in found if isinstance(node, ir.Apply)}
    binders = [node.binder for node in found if isinstance(node, (ir.Loop, ir.Pick))]
    assert {True} == {
        any(each.start for each in binders),
        any(each.among for each in binders),
        any(each.descending for each in binders),
    }
    assert {True, False} == {node.simultaneous for node in found if isinstance(node, ir.Loop)}


def test_a_seed_always_gives_the_same_game():
    assert random_game(7) == random_game(7)
    assert random_game(7) != random_game(8)
