"""Native play beside other quick engines, where they are installed: OpenSpiel (`open_spiel`) and pgx (`pgx`), on the boards that people play on."""

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from pilgrim_rules.api.game import Game, load
from tests.bench import boards
from tests.bench.measure import Figure, rate
from tests.bench.native import playouts

#: Our games, and what others call them.
OPENSPIEL: dict[str, tuple[Callable[[], Game], str]] = {
    "noughts_and_crosses": (lambda: load("noughts_and_crosses"), "tic_tac_toe"),
    "connect four 7 × 6": (boards.connect_four, "connect_four"),
    "kalah 6 × 4": (boards.kalah, "mancala"),
    "hex 5 × 5": (lambda: boards.hex_of(5), "hex(board_size=5)"),
    "hex 11 × 11": (lambda: boards.hex_of(11), "hex(board_size=11)"),
}
PGX: dict[str, tuple[Callable[[], Game], str]] = {
    "noughts_and_crosses": (lambda: load("noughts_and_crosses"), "tic_tac_toe"),
    "connect four 7 × 6": (boards.connect_four, "connect_four"),
}
SIDE_BY_SIDE, STEPS = 1024, 64  #: games of pgx that are stepped together, and steps of one call


def native_peers() -> Iterator[Figure]:
    """Measure random playouts of ours against theirs; nothing, if nothing is installed."""
    if find_spec("pyspiel") is not None:
        pyspiel = import_module("pyspiel")
        for name, (ours, theirs) in OPENSPIEL.items():
            peer = rate(_openspiel(pyspiel.load_game(theirs)))
            yield Figure(
                f"{name}, playouts", playouts(ours()), "decisions/s", peer, "OpenSpiel in C++, driven from Python"
            )
    if find_spec("pgx") is not None and find_spec("jax") is not None:
        for name, (ours, theirs) in PGX.items():
            peer = rate(_pgx(theirs))
            yield Figure(
                f"{name}, playouts", playouts(ours()), "decisions/s", peer, f"pgx, {SIDE_BY_SIDE:,} games at once"
            )


def _openspiel(game: Any) -> Callable[[], int]:
    generator = random.Random(7)

    def play() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            state.apply_action(generator.choice(state.legal_actions()))
            decisions += 1
        return decisions

    return play


def _pgx(name: str) -> Callable[[], int]:
    """Return what steps many games by random legal moves, each begun again when it is over."""
    jax, pgx = import_module("jax"), import_module("pgx")
    auto_reset = import_module("pgx.experimental.wrappers").auto_reset
    environment = pgx.make(name)
    step = jax.vmap(auto_reset(environment.step, environment.init))

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, choice, chance = jax.random.split(key, 3)
        legal = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        action = jax.random.categorical(choice, legal, axis=1)
        return (step(state, action, jax.random.split(chance, SIDE_BY_SIDE)), key), None

    many = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=STEPS)[0])
    first, key = jax.random.split(jax.random.PRNGKey(7))
    carry = jax.jit(jax.vmap(environment.init))(jax.random.split(first, SIDE_BY_SIDE)), key

    def play() -> int:
        nonlocal carry
        carry = jax.block_until_ready(many(carry))
        return SIDE_BY_SIDE * STEPS

    return play
