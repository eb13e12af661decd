"""Chance: the generator, and the outcomes of chance.

Reads:  generators in memory, each at an address of its own; outcomes; the script of a game.   Writes: generators, how far the script has been read.
After:  the same generator gives the same numbers as `semantics/chance.py`.
"""

from __future__ import annotations

from pilgrim_rules.engine.kernels.primitives import (
    ARGUMENT_BITS,
    NO_OUTCOME,
    add64,
    i32,
    i64,
    less64,
    load32,
    load64,
    load_word,
    mul64,
    narrow,
    rem64,
    stop,
    store32,
    store64,
    sub64,
    weight,
)


def draw(generator: i32) -> i64:
    """Return a word from the generator at an address (SplitMix64, as `semantics/chance.py` has it)."""
    state: i64 = add64(load_word(generator), 0x9E3779B97F4A7C15)
    store64(generator, state)
    mixed: i64 = mul64(state ^ (state >> 30), 0xBF58476D1CE4E5B9)
    mixed = mul64(mixed ^ (mixed >> 27), 0x94D049BB133111EB)
    return mixed ^ (mixed >> 31)


def below(generator: i32, limit: i64) -> i64:
    """Return a number below the limit, each equally likely."""
    while True:
        number = draw(generator)
        if less64(number, sub64(0, limit)):  # far from the last numbers, which would favour small remainders
            return rem64(number, limit)
        rest = rem64(add64(rem64(0xFFFFFFFFFFFFFFFF, limit), 1), limit)
        if rest == 0 or less64(number, sub64(0, rest)):
            return rem64(number, limit)


def outcome(state: i32, generator: i32, out: i32, end: i32) -> i64:
    """Return one of the moves of chance between two addresses, each as likely as it is heavy."""
    total: i64 = 0
    at = out
    while at < end:
        own = weight(state, load64(at))
        if own < 0:
            stop(NO_OUTCOME, 0, 0, 0)
        total = total + own
        at = at + 8
    if total == 0:
        stop(NO_OUTCOME, 0, 0, 0)
    number = below(generator, total)
    at = out
    while True:
        own = weight(state, load64(at))
        if number < own:
            return load64(at)
        number = number - own
        at = at + 8


def is_among(move: i64, out: i32, end: i32) -> i32:
    """Return whether a move is one of those between two addresses."""
    while out < end:
        if load64(out) == move:
            return 1
        out = out + 8
    return 0


def outcome_here(game: i32, out: i32, end: i32) -> i64:
    """Return the first outcome in the script of a game that can come here; without one, or without a script, any."""
    state = load32(game + 16)
    script = load32(game + 76)
    if script != 0:
        at = load32(script)
        while at < load32(script + 4):
            move = load64(at)
            at = at + 8
            if is_among(move, out, end) and weight(state, move) > 0:
                store32(script, at)
                return move
    return outcome(state, game, out, end)


def action_of(move: i64) -> i32:
    """Return the number of a move's action."""
    return narrow(move >> ARGUMENT_BITS)
