"""Every value that the evaluator computes lies in the type that its expression was given."""

from __future__ import annotations

import random
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pilgrim_rules.core.show_expr import show
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import read_game, read_games
from pilgrim_rules.semantics import effects, evaluate, reference
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.reference import Reference
from tests.support.random_games import games, positions
from tests.support.wrong_checker import IN_A_CLAIM, read_by_a_wrong_checker

pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")
LONGEST = 300  #: moves of a play


class OutsideItsType(AssertionError):
    """A value is not one of the type of its expression."""


@contextmanager
def every_value_is_compared():
    """Let the evaluator compare each value with the type of its expression; give the number of comparisons."""
    plain = evaluate.evaluate
    compared = [0]

    def comparing(expr, env):
        value = plain(expr, env)
        compared[0] += 1
        if not expr.type.lo <= value <= expr.type.hi:
            raise OutsideItsType(f"{value} is not a value of `{expr.type.name}`: {show(expr)}")
        return value

    with pytest.MonkeyPatch.context() as patch:
        for module in (evaluate, effects, reference):
            patch.setattr(module, "evaluate", comparing)
        yield compared


def everything_is_asked(asked: Reference, position, after, legal):
    """Ask everything that can be asked of a position."""
    asked.by(position)
    for claim in asked.game.claims:
        if claim.kind not in ("audit", "contract"):  # a contract is asked with the names of its move, by the step
            asked.holds(claim, position, after)
    for player in range(asked.game.players) if asked.game.score is not None else ():
        asked.score(position, player)
        asked.rank(position, player)
    for action, args in legal:
        asked.weight(position, action, args)


def visited(game, plays: int, sampled: int):
    """Yield some positions of random plays, each with a few moves, legal and not."""
    code, choose = compiled(game, ghosts=True), random.Random(game.players)
    for _ in range(plays):
        state, seen = code.start, []
        for _ in range(LONGEST):
            legal = [
                (action, args)
                for action in game.actions
                for args in code.legal(state, action.name)
                if code.weight(state, action.name, args) > 0
            ]
            if not legal:
                break
            seen.append((state, choose.sample(legal, min(len(legal), 4))))
            action, args = choose.choice(legal)
            state = code.apply(state, action.name, args)
        for state, legal in choose.sample(seen, min(len(seen), sampled)):
            tried = [
                (action, tuple(choose.randint(param.type.lo, param.type.hi) for param in action.params))
                for action in game.actions
            ]
            yield code.layout.decode(state), legal, tried


def values_lie_in_their_types(game, plays: int, sampled: int) -> int:
    asked, samples = Reference.from_game(game), list(visited(game, plays, sampled))
    with every_value_is_compared() as compared:
        for position, legal, tried in samples:
            for action, args in tried:
                asked.allowed(position, action, args)
            after = None
            for action, args in legal:
                after = asked.apply(position, action, args)
            everything_is_asked(asked, position, after, legal)
    return compared[0]


@pytest.mark.parametrize("name", find_game.names())
def test_every_value_in_a_play_lies_in_the_type_of_its_expression(name):
    assert values_lie_in_their_types(read_game(name), plays=1, sampled=3) > 100


@pytest.mark.slow
@pytest.mark.parametrize("name", find_game.names())
def test_every_value_in_many_plays_lies_in_the_type_of_its_expression_whoever_plays(name):
    for game in read_games(name):
        assert values_lie_in_their_types(game, plays=8, sampled=20) > 100


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(game=games(), places=st.lists(positions(), min_size=1, max_size=3))
def test_every_value_of_a_random_game_lies_in_the_type_of_its_expression(game, places):
    compare(game, places)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
@given(game=games(), places=st.lists(positions(), min_size=1, max_size=3))
def test_every_value_of_a_random_game_lies_in_the_type_of_its_expression_in_a_long_run(game, places):
    compare(game, places)


def compare(game, places):
    asked = Reference.from_game(game)
    with every_value_is_compared():
        for position in places:
            for action in game.actions:
                stage = {**position, "stage": [action.stages[0]]}
                legal = [(action, args) for args in asked.legal(stage, action)][:6]
                everything_is_asked(asked, stage, places[0], legal)
                for _, args in legal:
                    try:
                        asked.apply(stage, action, args)
                    except Contradiction:
                        continue


def test_a_value_outside_its_type_is_noticed():
    """The comparison can fail: a checker that thinks every node a neighbour of every other is caught by it."""
    asked = Reference.from_game(read_by_a_wrong_checker(IN_A_CLAIM))

    with every_value_is_compared(), pytest.raises(OutsideItsType, match=r"1 is not a value of `3..3`: sum of 1 for x"):
        everything_is_asked(asked, asked.start(), None, [])
