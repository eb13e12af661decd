"""Play: whole games, one after the other.

Reads:  states and generators in memory.   Writes: states, generators, results.
After:  the same seed gives the same game as the library does, move for move.
"""

from __future__ import annotations

from pilgrim_rules.engine.kernels.chance import below, draw
from pilgrim_rules.engine.kernels.policies import quick_choice
from pilgrim_rules.engine.kernels.primitives import (
    ACTIONS,
    DEAD_END,
    NOBODY,
    PLAYERS,
    SEARCHING,
    SEATED,
    STATE_SIZE,
    add64,
    by,
    copy,
    i32,
    i64,
    kind,
    load32,
    moves,
    narrow,
    stop,
    store32,
    store64,
)
from pilgrim_rules.engine.kernels.steps import make, settle, total, winners
from pilgrim_rules.engine.kernels.tree import best_legal, grow, plant, thought


def policy_here(game: i32) -> i32:
    """Return the policy of the game, or of the seat that decides."""
    policy = load32(game + 56)
    if policy == SEATED:
        return load32(load32(game + 72) + by(load32(game + 16)) * 8)
    return policy


def tree_here(game: i32) -> i32:
    """Return the search tree of the game, or of the seat that decides."""
    if load32(game + 56) == SEATED:
        return load32(load32(game + 72) + by(load32(game + 16)) * 8 + 4)
    return load32(game + 68)


def choose(game: i32, out: i32, end: i32) -> i64:
    """Return the move that the policy of the game, or of the seat, chooses."""
    policy = policy_here(game)
    if policy == SEARCHING and end > out + 8:
        return thought(tree_here(game), game)
    return quick_choice(game, policy, out, end)


def play(game: i32, longest: i32) -> i32:
    """Play a game until it ends or this many decisions are made; return the number of the claim that broke, 0 if none."""
    out = load32(game + 52)
    broken = settle(game)
    while broken == 0:
        state = load32(game + 16)
        if kind(state) == NOBODY or load32(game + 24) == longest:
            return 0
        end = moves(state, out)
        if end == out:
            stop(DEAD_END, 0, 0, 0)
        store32(game + 24, load32(game + 24) + 1)
        broken = make(game, choose(game, out, end))
        if broken == 0:
            broken = settle(game)
    return broken


def play_to_search(game: i32, longest: i32) -> i32:
    """Play until a player who searches has a choice, and return that player's tree; 0 if the game ends before, or after this many decisions."""
    out = load32(game + 52)
    while True:
        state = load32(game + 16)
        if kind(state) == NOBODY or load32(game + 24) == longest:
            return 0
        end = moves(state, out)
        if end == out:
            stop(DEAD_END, 0, 0, 0)
        policy = policy_here(game)
        if policy == SEARCHING and end > out + 8:
            return tree_here(game)
        store32(game + 24, load32(game + 24) + 1)
        make(game, quick_choice(game, policy, out, end))
        settle(game)


def search_among(game: i32, tree: i32, states: i32, many: i32) -> None:
    """Make the move that a search likes best which begins in many states, since the player cannot tell them from the one of the game."""
    plant(tree, states, many, draw(game + 8), draw(game + 8))
    grow(tree, load32(tree + 28))
    out = load32(game + 52)
    end = moves(load32(game + 16), out)
    store32(game + 24, load32(game + 24) + 1)
    make(game, best_legal(tree, out, end))
    settle(game)


def begin(game: i32, start: i32, seed: i64) -> None:
    """Begin a game in a state, with the generators of a seed."""
    store64(game, seed)
    store64(game + 8, seed ^ 0xFFFFFFFFFFFFFFFF)
    copy(load32(game + 16), start, STATE_SIZE)
    store32(game + 24, 0)
    store32(game + 28, 0)
    store32(game + 36, load32(game + 32))


def draw_weights(game: i32, palette: i32, size: i32, boosts: i32) -> None:
    """Give each action one of the weights of a palette (swarm testing), times its boost."""
    weights = load32(game + 44)
    for action in range(ACTIONS):
        drawn = load32(palette + narrow(below(game + 8, size)) * 4)
        store32(weights + action * 4, drawn * load32(boosts + action * 4))


def playouts(
    game: i32, start: i32, seed: i64, games: i32, longest: i32, palette: i32, size: i32, boosts: i32, results: i32
) -> i32:
    """Play games with the seeds from `seed` on; return how many were played before a claim broke.

    Weights are drawn for each game from a palette, unless its size is 0. For each game 16 bytes and 8 for each player: decisions, steps, whether it is over, winners; the scores.
    """
    row = 16 + PLAYERS * 8
    for number in range(games):
        store32(game + 60, number)
        begin(game, start, add64(seed, number))
        if size != 0:
            draw_weights(game, palette, size, boosts)
        broken = play(game, longest)
        store32(game + 64, broken)
        if broken != 0:
            return number
        write_result(game, results + number * row)
    return games


def write_result(game: i32, at: i32) -> None:
    """Write what became of a game."""
    state = load32(game + 16)
    over = kind(state) == NOBODY
    store32(at, load32(game + 24))
    store32(at + 4, load32(game + 28))
    store32(at + 8, over)
    store32(at + 12, winners(state) if over else 0)
    for player in range(PLAYERS):
        store64(at + 16 + player * 8, total(state, player))
