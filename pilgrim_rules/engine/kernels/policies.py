"""Policies: which move a player makes who does not look far ahead.

Reads:  a game, its legal moves.   Writes: the generator of choices; the list of moves may change its order.
After:  the same generator gives the same choice.
"""

from __future__ import annotations

from pilgrim_rules.engine.kernels.chance import action_of, below
from pilgrim_rules.engine.kernels.primitives import (
    GREEDY,
    WEIGHTED,
    apply,
    by,
    i32,
    i64,
    load32,
    load64,
    narrow,
    store64,
)
from pilgrim_rules.engine.kernels.steps import total


def weighted(game: i32, out: i32, end: i32, weights: i32) -> i64:
    """Return one of the moves between two addresses, each as likely as its action is heavy."""
    heavy: i64 = 0
    at = out
    while at < end:
        heavy = heavy + load32(weights + action_of(load64(at)) * 4)
        at = at + 8
    if heavy == 0:
        return load64(out + narrow(below(game + 8, (end - out) >> 3)) * 8)
    number = below(game + 8, heavy)
    at = out
    while True:
        own: i64 = load32(weights + action_of(load64(at)) * 4)
        if number < own:
            return load64(at)
        number = number - own
        at = at + 8


def greedy(game: i32, out: i32, end: i32) -> i64:
    """Return a move after which the player who decides has most points; among equals, any."""
    state = load32(game + 16)
    spare = load32(game + 20)
    player = by(state)
    best: i64 = 0
    kept = out
    at = out
    while at < end:
        move = load64(at)
        apply(state, spare, move)
        points = total(spare, player)
        if at == out or points > best:
            best = points
            kept = out
        if points == best:  # the moves that are as good as the best stand first
            store64(kept, move)
            kept = kept + 8
        at = at + 8
    return load64(out + narrow(below(game + 8, (kept - out) >> 3)) * 8)


def quick_choice(game: i32, policy: i32, out: i32, end: i32) -> i64:
    """Return the move that a policy chooses which does not look far ahead."""
    if policy == WEIGHTED:
        return weighted(game, out, end, load32(game + 44))
    if policy == GREEDY:
        return greedy(game, out, end)
    return load64(out + narrow(below(game + 8, (end - out) >> 3)) * 8)
