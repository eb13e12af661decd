"""Players who need no thought: one that chooses evenly, and one that prefers roads, shrines and buildings.

The same seed plays the same game. Both choose an action first and then its arguments, so that rare actions are seen.
"""

from pilgrim_rules.engine.chance import below, choose, seeded

PREFERRED = {
    "build_shrine": 80, "extend_road": 60, "raise_building": 60, "hew": 14, "donate": 12, "buy": 6, "collect": 6,
    "start_road": 6, "assign": 4, "devote": 4, "put_aside": 4, "put_aside_for_piety": 4, "smith": 4, "take_income": 4,
    "tax": 4, "end_turn": 2, "finish": 2, "tithe": 2, "demolish": 1, "reassign": 1, "recall": 1, "sell": 1,
}  # fmt: skip


def steps(game, seed, weights, otherwise):
    """Yield each step of a game: the state before, the state after, and the move."""
    state, generator = game.start(seed=seed), seeded(seed + 1_000_000)
    while not state.over:
        moves = {}
        for move in state.moves():
            moves.setdefault(move.action, []).append(move)
        at, generator = choose(generator, [weights.get(name, otherwise) for name in moves])
        fitting = list(moves.values())[at]
        at, generator = below(generator, len(fitting))
        before, state = state, state.play(fitting[at])
        yield before, state, fitting[at]


def play(game, seed):
    """Return the states of a random game."""
    return [game.start(seed=seed), *(after for _, after, _ in steps(game, seed, {}, 1))]


def directed(game, seed):
    """Yield the steps of a game whose players prefer roads, shrines and buildings."""
    yield from steps(game, seed, PREFERRED, 3)
