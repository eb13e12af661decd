"""Roll-out: how an iteration of a tree search goes on behind the tree.

Reads:  a tree, see `kernels/tree.py`.   Writes: the state of its game; what moves have been worth.
After:  the same generator gives the same moves on every machine: all numbers are integers.

A quick policy draws some moves, and of these the one is made that was worth most in the iterations before, wherever it was made (the
move-average sampling of Finnsson and Björnsson, 2008). Nothing is known of any game, and nothing is kept from one search to the next. Moves that are
drawn by learned weights are made as they come: those know more than a short search finds out.
"""

from __future__ import annotations

from pilgrim_rules.engine.kernels.policies import quick_choice
from pilgrim_rules.engine.kernels.primitives import (
    DEAD_END,
    KEYS,
    NOBODY,
    PLAYERS,
    SCRATCH,
    WEIGHTED,
    add64,
    by,
    fill,
    i32,
    i64,
    kind,
    load32,
    load64,
    moves,
    mul64,
    narrow,
    rank_to,
    rem64,
    stop,
    store32,
    store64,
)
from pilgrim_rules.engine.kernels.steps import make, settle

# What moves have been worth is a table of entries: how often one was made, four bytes, and what that was worth, summed, in eight. An entry is
# found by the move and who makes it; two that share one are not told apart. Behind the table is room for the entries of an iteration, each
# with the player, four bytes each.
HABITS = 8_191  #: entries
HABIT = 12  #: bytes of an entry
DRAWS = 3  #: moves that are drawn where one is made
LONGEST = 1_000  #: decisions of an iteration behind the tree
WORTH = 65_536  #: of a victory; 0 of a defeat


def forget(tree: i32) -> None:
    """Forget what moves have been worth."""
    fill(load32(tree + 68), 0, HABITS * HABIT)


def roll_out(tree: i32, enough: i32) -> i32:
    """Go on with the game until it ends, or somebody is ahead after enough decisions; return how many were made."""
    game = load32(tree)
    out = load32(game + 52)
    made = 0
    while made < LONGEST:
        state = load32(game + 16)
        if kind(state) == NOBODY or (made >= enough and not level(state)):
            break
        end = moves(state, out)
        if end == out:
            stop(DEAD_END, 0, 0, 0)
        make(game, usual_move(tree, out, end, made))
        made = made + 1
        settle(game)
    return made


def usual_move(tree: i32, out: i32, end: i32, made: i32) -> i64:
    """Return of some moves drawn by the quick policy that which was worth most so far, wherever it was made; note it as number `made`."""
    game = load32(tree)
    player = by(load32(game + 16))
    found = quick_choice(game, load32(game + 56), out, end)
    entry = habit(tree, found, player)
    if end > out + 8 and load32(game + 56) != WEIGHTED:
        for _number in range(DRAWS - 1):
            other = quick_choice(game, load32(game + 56), out, end)
            twin = habit(tree, other, player)
            if average(twin) > average(entry):
                found = other
                entry = twin
    place = load32(tree + 68) + HABITS * HABIT + made * 8
    store32(place, entry)
    store32(place + 4, player)
    return found


def habit(tree: i32, move: i64, player: i32) -> i32:
    """Return the address of what a move has been worth to a player."""
    mixed: i64 = mul64(add64(move, mul64(player + 1, 0x9E3779B97F4A7C15)), 0xBF58476D1CE4E5B9)
    return load32(tree + 68) + narrow(rem64(mixed ^ (mixed >> 29), HABITS)) * HABIT


def average(entry: i32) -> i64:
    """Return what a move has been worth on average; one that was never made might be worth anything."""
    return load64(entry + 4) // load32(entry) if load32(entry) != 0 else WORTH


def remember(tree: i32, made: i32) -> None:
    """Note what the moves of an iteration behind the tree were worth to those who made them."""
    place = load32(tree + 68) + HABITS * HABIT
    for _number in range(made):
        entry = load32(place)
        store32(entry, load32(entry) + 1)
        store64(entry + 4, load64(entry + 4) + load64(load32(tree + 32) + load32(place + 4) * 8))
        place = place + 8


def level(state: i32) -> i32:
    """Return whether all players are equal by the first number of the ranking, so that going on says more than stopping."""
    first: i64 = 0
    for player in range(PLAYERS):
        rank_to(state, player, SCRATCH)
        if KEYS > 0 and player > 0 and load64(SCRATCH) != first:
            return 0
        first = load64(SCRATCH)
    return KEYS > 0
