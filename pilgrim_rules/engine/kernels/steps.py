"""Steps: moves that are made, and what happens by itself after them; scores and winners.

Reads:  states and generators in memory.   Writes: states, generators, the log.
After:  somebody has to decide, or the game is over, as after a move made through the library.
"""

from __future__ import annotations

from pilgrim_rules.engine.kernels.chance import action_of, outcome_here
from pilgrim_rules.engine.kernels.primitives import (
    AUTO,
    DEAD_END,
    ENDLESS,
    KEYS,
    LINES,
    NOBODY,
    NOBODY_TO_MOVE,
    PLAYER,
    PLAYERS,
    SCRATCH,
    TWO_AUTOS,
    apply,
    by,
    check,
    copy,
    i32,
    i64,
    kind,
    load32,
    load64,
    moves,
    note,
    rank_to,
    score_to,
    stop,
    store32,
    store64,
)

LONGEST_CHAIN = 100_000  #: moves that happen by themselves, one after the other: more never end

# A game that is being played is a record in memory, and is given by its address:
#
#    0  generator of chance       8  generator of choices     16  address of the state      20  address of the spare state
#   24  decisions so far         28  steps so far             32  address of the log, or 0  36  address behind the log's last move
#   40  address of how often each action was used, or 0       44  address of the weights of the actions, or 0
#   48  see below                52  address for lists of moves                             56  policy
#   60  which of many games it is, from 0                                                   64  the claim that it broke, or 0
#   68  address of the search tree of the policy, or 0        72  address of eight bytes for each seat, if policies differ: policy, tree
#   76  address of the script, see `kernels/script.py`, or 0
#
# At 48 is 0: claims are not asked; 1: the game ends when one breaks; otherwise the address of eight bytes for each claim, where
# `note` writes.


def make(game: i32, move: i64) -> i32:
    """Make a legal move; return the number of the claim that it breaks, 0 if none."""
    state = load32(game + 16)
    after = load32(game + 20)
    log = load32(game + 32)
    if log != 0:
        end = load32(game + 36)
        store64(end, move)
        store32(game + 36, end + 8)
    apply(state, after, move)
    store32(game + 16, after)
    store32(game + 20, state)
    store32(game + 28, load32(game + 28) + 1)
    used = load32(game + 40)
    if used != 0:
        at = used + action_of(move) * 8
        store64(at, load64(at) + 1)
    watch = load32(game + 48)
    if watch == 1:
        return check(state, after, action_of(move))
    if watch > 1:
        note(state, after, action_of(move), watch, load32(game + 60) + 1, load32(game + 28))
    return 0


def settle(game: i32) -> i32:
    """Let happen what happens by itself; return the number of the first claim that it breaks, 0 if none."""
    out = load32(game + 52)
    autos = 0
    while True:
        state = load32(game + 16)
        what = kind(state)
        if what == PLAYER:
            if by(state) == PLAYERS:
                stop(NOBODY_TO_MOVE, 0, 0, 0)
            return 0
        if what == NOBODY:
            return 0
        end = moves(state, out)
        if end == out:
            stop(DEAD_END, 0, 0, 0)
        move: i64 = load64(out)
        if what == AUTO:
            if end != out + 8:
                stop(TWO_AUTOS, 0, 0, 0)
            autos = autos + 1
            if autos > LONGEST_CHAIN:
                stop(ENDLESS, 0, 0, 0)
        else:
            move = outcome_here(game, out, end)
            autos = 0
        broken = make(game, move)
        if broken != 0:
            return broken


def total(state: i32, player: i32) -> i64:
    """Return the score of a player."""
    score_to(state, player, SCRATCH)
    points: i64 = 0
    for line in range(LINES):
        points = points + load64(SCRATCH + line * 8)
    return points


def winners(state: i32) -> i32:
    """Return who ranks first, a bit for each player."""
    found = 0
    for player in range(PLAYERS):
        rank_to(state, player, SCRATCH + KEYS * 8)
        order = 0
        for key in range(KEYS):
            if found != 0 and order == 0:
                mine = load64(SCRATCH + (KEYS + key) * 8)
                best = load64(SCRATCH + key * 8)
                if mine < best:
                    order = -1
                if mine > best:
                    order = 1
        if found == 0 or order < 0:
            copy(SCRATCH, SCRATCH + KEYS * 8, KEYS * 8)
            found = 1 << player
        elif order == 0:
            found = found | (1 << player)
    return found
