"""Thinking: a game in which every player chooses by tree search.

Reads:  a game under test, how many games a player tries in thought before each move, a seed.   Writes: every step of the game.
After:  the same seed gives the same game. A player knows only what that player may see; where too much is hidden to think, any
        move is chosen. Nothing is checked here: the steps are a script for `FuzzPlayer`.
"""

from __future__ import annotations

from pilgrim_rules.api.advice import Adviser
from pilgrim_rules.api.beliefs import CannotSample
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.walk.random_source import RandomSource
from verifier.fuzz.game_under_test import GameUnderTest, Play


def thinking_game(subject: GameUnderTest, iterations: int, seed: int, longest: int) -> Play:
    """Play a game to its end, or to a number of steps; a move that contradicts the rules is the last."""
    adviser, random = Adviser(subject.game, iterations), RandomSource(seed)
    trace, stopped = Trace.start(subject.game, seed), list[str]()
    while trace.state.to_move is not None and len(trace) < longest and not stopped:
        try:
            move = adviser.advise(trace.state, random.below(2**30)).move
        except CannotSample:
            move = random.pick(trace.state.moves())
        try:
            trace.play(str(move))
        except Contradiction:
            stopped.append(str(move))
    return tuple(map(subject.runner.book.codes, (*(str(step.move) for step in trace.steps), *stopped)))
