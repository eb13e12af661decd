"""Thinking: a game in which every player chooses by tree search.

Reads:  a game under test, how many games a player tries in thought before each move, a seed.   Writes: every step of the game.
After:  the same seed gives the same game. Who thinks sees everything, secrets too: this is about positions that good play comes to,
        not about fair play. Nothing is checked here: the steps are a script for `FuzzPlayer`.
"""

from __future__ import annotations

from pilgrim_rules.api.trace import Trace
from pilgrim_rules.engine.machines.choose import machines
from pilgrim_rules.engine.tree_search import MOST_NODES, Search, TreePlayer
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.walk.random_source import RandomSource
from verifier.fuzz.game_under_test import GameUnderTest, Play


def thinking_game(subject: GameUnderTest, iterations: int, seed: int, longest: int) -> Play:
    """Play a game to its end, or to a number of steps; a move that contradicts the rules is the last."""
    rules, random = subject.game, RandomSource(seed)
    thinker = TreePlayer(rules.code, machines(rules.code)(), Search(iterations), min(iterations + 1, MOST_NODES))
    trace, stopped = Trace.start(rules, seed), list[str]()
    while trace.state.to_move is not None and len(trace) < longest and not stopped:
        moves = trace.state.moves()
        if len(moves) == 1:
            move = str(moves[0])
        else:
            opinions = thinker.think([trace.state.data], random.below(2**30), None)
            move = subject.move(opinions[0].coded)
        try:
            trace.play(move)
        except Contradiction:
            stopped.append(move)
    return tuple(map(subject.runner.book.codes, (*(str(step.move) for step in trace.steps), *stopped)))
