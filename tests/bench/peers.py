"""Other libraries, measured beside ours where they are installed: `pip install chess` for python-chess."""

import random
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from pilgrim_rules.engine.game import load
from tests.bench.engine import LONGEST, random_play
from tests.bench.measure import Figure, best, rate


def peers() -> Iterator[Figure]:
    """Measure what is installed; nothing, if nothing is."""
    if find_spec("chess") is not None:
        yield from _chess(import_module("chess"))


def _chess(chess: Any) -> Iterator[Figure]:
    generator = random.Random(7)

    def play() -> int:
        board = chess.Board()
        for decisions in range(LONGEST):
            moves = list(board.legal_moves)
            if not moves:
                return decisions
            board.push(generator.choice(moves))
        return LONGEST

    theirs = rate(play)
    game = load("noughts_and_crosses")
    ours = rate(lambda: random_play(game, 7))
    yield Figure("noughts_and_crosses", ours, "decisions/s", theirs, "python-chess, decisions of chess")
    board, times = chess.Board(), 10_000
    copy = best(lambda: [board.copy(stack=False) for _ in range(times)]) / times * 1e6
    state = game.start()
    play_one = best(lambda: [state.play("place((1, 1))") for _ in range(times)]) / times * 1e6
    yield Figure("play a move, copying the state", play_one, "µs", copy, "python-chess, copy of a board")
