"""Script: games that follow a list of moves as far as the rules allow.

Reads:  a game, its script.   Writes: how far the script has been read.
After:  the same script and seed give the same game.
"""

from __future__ import annotations

from pilgrim_rules.engine.kernels.chance import is_among
from pilgrim_rules.engine.kernels.play import begin
from pilgrim_rules.engine.kernels.policies import quick_choice
from pilgrim_rules.engine.kernels.primitives import (
    DEAD_END,
    NOBODY,
    i32,
    i64,
    kind,
    load32,
    load64,
    moves,
    stop,
    store32,
)
from pilgrim_rules.engine.kernels.steps import make, settle

# A script is a record in memory:
#
#    0  address of the next outcome of chance     4  address behind the last     8  address of the next decision    12  address behind the last
#   16  how many bytes of decisions that are not legal here are passed over at most
#
# A decision below 0 is left to the policy of the game.


def decision_here(game: i32, out: i32, end: i32) -> i64:
    """Return the next decision in the script of a game that is legal here; if none of the next ones is, what the policy chooses."""
    script = load32(game + 76)
    at = load32(script + 8)
    last = at + load32(script + 16)
    while at < load32(script + 12) and at < last:
        move = load64(at)
        at = at + 8
        if move < 0:
            store32(script + 8, at)
            return quick_choice(game, load32(game + 56), out, end)
        if is_among(move, out, end):
            store32(script + 8, at)
            return move
    return quick_choice(game, load32(game + 56), out, end)


def follow(game: i32, start: i32, seed: i64, longest: i32, noted: i32) -> i32:
    """Play a game along its script until a number at an address is not 0; return whether it is, after at most this many decisions."""
    begin(game, start, seed)
    out = load32(game + 52)
    settle(game)
    while load32(noted) == 0:
        state = load32(game + 16)
        if kind(state) == NOBODY or load32(game + 24) == longest:
            return 0
        end = moves(state, out)
        if end == out:
            stop(DEAD_END, 0, 0, 0)
        store32(game + 24, load32(game + 24) + 1)
        make(game, decision_here(game, out, end))
        if load32(noted) == 0:
            settle(game)
    return 1
