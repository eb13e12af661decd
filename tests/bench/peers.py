"""Other libraries, measured beside ours where they are installed: `pip install chess pettingzoo pygame open_spiel`."""

import random
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from pilgrim_rules.api.game import load
from tests.bench.engine import LONGEST, random_play
from tests.bench.measure import Figure, best, rate


def peers() -> Iterator[Figure]:
    """Measure what is installed; nothing, if nothing is."""
    if find_spec("chess") is not None:
        yield from _chess(import_module("chess"))
    if find_spec("pettingzoo") is not None and find_spec("pygame") is not None:
        yield from _pettingzoo(import_module("pettingzoo.classic").tictactoe_v3)
    if find_spec("pyspiel") is not None:
        yield from _openspiel(import_module("pyspiel"))


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


def _pettingzoo(tictactoe: Any) -> Iterator[Figure]:
    own, peer = import_module("pilgrim_rules.agents.pettingzoo").env("noughts_and_crosses"), tictactoe.env()
    theirs = rate(lambda: _zoo_play(peer))
    ours = rate(lambda: _zoo_play(own))
    yield Figure("noughts_and_crosses as environment", ours, "decisions/s", theirs, "PettingZoo, tictactoe_v3")


def _zoo_play(environment: Any) -> int:
    environment.reset(seed=7)
    decisions = 0
    for agent in environment.agent_iter():
        observation, _, terminated, truncated, info = environment.last()
        if terminated or truncated:
            environment.step(None)
            continue
        mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
        environment.step(environment.action_space(agent).sample(mask))
        decisions += 1
    return decisions


def _openspiel(pyspiel: Any) -> Iterator[Figure]:
    import_module("open_spiel.python.games.tic_tac_toe")  # which registers it
    generator = random.Random(7)

    def play(game: Any) -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            state.apply_action(generator.choice(state.legal_actions()))
            decisions += 1
        return decisions

    loaded = load("noughts_and_crosses")
    engine = rate(lambda: random_play(loaded, 7))
    adapted = import_module("pilgrim_rules.agents.openspiel").game("noughts_and_crosses")
    adapter = rate(lambda: play(adapted))
    for name, what in (("python_tic_tac_toe", "in Python"), ("tic_tac_toe", "in C++, driven from Python")):
        peer = pyspiel.load_game(name)
        theirs = rate(lambda peer=peer: play(peer))
        yield Figure("noughts_and_crosses", engine, "decisions/s", theirs, f"OpenSpiel, tic_tac_toe {what}")
        yield Figure("noughts_and_crosses as OpenSpiel game", adapter, "decisions/s", theirs, f"the same, {what}")
