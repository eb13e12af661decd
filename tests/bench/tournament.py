"""Tournament: policies against each other, half of the games from each seat, with confidence intervals of 95 %."""

from collections.abc import Iterator
from math import sqrt

import numpy as np

from pilgrim_rules.api.game import Game, load
from tests.bench.measure import Figure

#: Games, how many are played for each pair, and the pairs.
MATCHES = {
    "pilgrim": (
        20,
        [
            ("greedy", "random"),
            ("learned", "greedy"),
            ("mcts:50", "random"),
            ("mcts:50", "greedy"),
            ("mcts:50", "learned"),
            ("learned+mcts:50", "mcts:50"),
            ("learned+mcts:50", "learned"),
            ("mcts:200", "mcts:50"),
        ],
    ),
    "world_without_end": (40, [("greedy", "random"), ("learned", "greedy"), ("mcts:50", "learned")]),
    "my_village": (40, [("greedy", "random"), ("learned", "greedy"), ("learned+mcts:50", "learned")]),
    "column_of_fire": (40, [("greedy", "random"), ("learned", "greedy")]),
    "connect_four": (100, [("greedy", "random"), ("mcts:200", "greedy"), ("mcts:800", "mcts:200")]),
    "hex": (40, [("mcts:100", "random"), ("mcts:400", "mcts:100")]),
    "kalah": (200, [("greedy", "random"), ("mcts:200", "greedy"), ("mcts:800", "mcts:200")]),
    "love_letter": (40, [("greedy", "random"), ("mcts:100", "random")]),
    "pig": (200, [("greedy", "random"), ("mcts:200", "random"), ("mcts:800", "mcts:200")]),
}
SURE = 1.96  #: standard deviations of 95 %
LONGEST = 2_000


def tournament() -> Iterator[Figure]:
    """Measure how much of the victories the first of two policies wins."""
    for name, (games, pairs) in MATCHES.items():
        game = load(name, 2)
        for first, second in pairs:
            share, wide = match(game, first, second, games)
            yield Figure(
                f"{name}, {first} against {second}", 100 * share, f"% ± {100 * wide:.0f} of victories", 50, "even"
            )


def match(game: Game, first: str, second: str, games: int) -> tuple[float, float]:
    """Return the share of the victories that the first policy wins, and half of its confidence interval; a shared one counts in parts."""
    won = np.concatenate([_won(game, first, second, seat, games // 2) for seat in range(2)])
    deviation = max(float(won.std(ddof=1)), 1 / len(won))  # a row of victories does not make it certain
    return float(won.mean()), SURE * deviation / sqrt(len(won))


def _won(game: Game, first: str, second: str, seat: int, games: int) -> np.ndarray:
    """Return which part of each victory the first policy has, from one seat."""
    seats = {player: first if at == seat else second for at, player in enumerate(game.players)}
    found = game.playouts(games, seed=seat * games, seats=seats, longest=LONGEST)
    return found.winners[:, seat] / np.maximum(found.winners.sum(axis=1), 1)
