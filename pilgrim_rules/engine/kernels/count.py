"""Count: how many positions can be reached by this many decisions.

Reads:  a state in memory, with room behind it.   Writes: nothing but that room.
After:  the count is the same for every right implementation of the rules.
"""

from __future__ import annotations

from pilgrim_rules.engine.kernels.primitives import (
    AUTO,
    CHANCE,
    DEAD_END,
    ENDLESS,
    NOBODY,
    STATE_ROOM,
    STATE_SIZE,
    TWO_AUTOS,
    apply,
    copy,
    i32,
    i64,
    kind,
    load64,
    moves,
    stop,
    weight,
)

LONGEST_CHAIN_COUNTED = 100_000  #: moves that happen by themselves, one after the other: more never end


def perft(state: i32, out: i32, depth: i32) -> i64:
    """Return how many plays of this many decisions there are, of players and of chance; what happens by itself is none.

    Behind the state is room for one more than `depth`; the state itself moves on to where a decision is due.
    """
    child = state + STATE_ROOM
    autos = 0
    what = kind(state)
    while what == AUTO:
        end = moves(state, out)
        if end == out:
            stop(DEAD_END, 0, 0, 0)
        if end != out + 8:
            stop(TWO_AUTOS, 0, 0, 0)
        autos = autos + 1
        if autos > LONGEST_CHAIN_COUNTED:
            stop(ENDLESS, 0, 0, 0)
        apply(state, child, load64(out))
        copy(state, child, STATE_SIZE)
        what = kind(state)
    if depth == 0:
        return 1
    if what == NOBODY:
        return 0
    end = moves(state, out)
    if end == out:
        stop(DEAD_END, 0, 0, 0)
    found: i64 = 0
    at = out
    while at < end:
        move = load64(at)
        if what != CHANCE or weight(state, move) > 0:
            apply(state, child, move)
            found = found + perft(child, end, depth - 1)
        at = at + 8
    return found
