"""Primitives: what kernels may call, and the numbers that each game gives them.

Reads:  nothing.   Writes: nothing: these are declarations. WebAssembly has an instruction, or the game's module a function, for
each; `machine` has Python functions of the same names.
After:  no kernel knows a rule of any game.
"""

from __future__ import annotations

from typing import TypeAlias

i32: TypeAlias = int  # noqa: PYI042  (WebAssembly's name: a number, or an address in memory)
i64: TypeAlias = int  # noqa: PYI042  (the same: a number, a packed move, or a word of 64 bits)

# --------------------------------------------------------------------------------------------- numbers of one game

STATE_SIZE = 0  #: bytes of a state
STATE_ROOM = 0  #: the same, rounded up so that the next one is aligned
PLAYERS = 0
ACTIONS = 0
LINES = 0  #: lines of the score sheet
KEYS = 0  #: numbers in a ranking key
ARGUMENT_BITS = 0  #: bits of a packed move below its action
WORDS = 0  #: of 64 bits, in a packed state
LAST_WORD = 0  #: the bits of the last of them that are used
STRIDE = 0  #: bytes of a packed state in a set of many
SCRATCH = 0  #: address of 4 KiB that any kernel may use while it runs

# How players choose, in the order of `bulk_play.KINDS`.
RANDOM, WEIGHTED, GREEDY, SEARCHING = 0, 1, 2, 3
SEATED = 4  #: each seat has a policy of its own

# What a stage is, as `kind` gives it.
PLAYER, AUTO, CHANCE, NOBODY = 0, 1, 2, 3

# Why `stop` was called, besides what the rules themselves can do wrong (`STOPS`).
DEAD_END, NOBODY_TO_MOVE, TWO_AUTOS, NO_OUTCOME, ENDLESS, CLAIM_BROKEN = 16, 17, 18, 19, 20, 21


# ------------------------------------------------------------------------------------------------------------ memory


def load8(at: i32) -> i32:
    """Return the byte at an address."""
    raise NotImplementedError


def load32(at: i32) -> i32:
    """Return the number of four bytes at an address."""
    raise NotImplementedError


def load64(at: i32) -> i64:
    """Return the number of eight bytes at an address."""
    raise NotImplementedError


def load_word(at: i32) -> i64:
    """Return the word of 64 bits at an address."""
    raise NotImplementedError


def store8(at: i32, value: i32) -> None:
    """Store a byte."""
    raise NotImplementedError


def store32(at: i32, value: i32) -> None:
    """Store a number in four bytes."""
    raise NotImplementedError


def store64(at: i32, value: i64) -> None:
    """Store a number in eight bytes."""
    raise NotImplementedError


def copy(to: i32, source: i32, size: i32) -> None:
    """Copy bytes; the two places may overlap."""
    raise NotImplementedError


def fill(to: i32, value: i32, size: i32) -> None:
    """Fill bytes with a value."""
    raise NotImplementedError


# ------------------------------------------------------------------------------------------- words of 64 bits, no sign


def add64(left: i64, right: i64) -> i64:
    """Return the sum of two words."""
    raise NotImplementedError


def sub64(left: i64, right: i64) -> i64:
    """Return the difference of two words."""
    raise NotImplementedError


def mul64(left: i64, right: i64) -> i64:
    """Return the product of two words."""
    raise NotImplementedError


def rem64(left: i64, right: i64) -> i64:
    """Return the remainder of two words."""
    raise NotImplementedError


def less64(left: i64, right: i64) -> i32:
    """Return whether a word is smaller than another one."""
    raise NotImplementedError


def narrow(value: i64) -> i32:
    """Return a number that fits into 32 bits."""
    raise NotImplementedError


def log2(value: i64) -> i64:
    """Return the place of the highest bit of a positive number."""
    raise NotImplementedError


def root(value: i64) -> i64:
    """Return the square root of a number from 0 to 2**52, rounded down."""
    raise NotImplementedError


# ---------------------------------------------------------------------------------------------------------- the game


def kind(state: i32) -> i32:
    """Return what the stage of a state is: PLAYER, AUTO, CHANCE or NOBODY."""
    raise NotImplementedError


def by(state: i32) -> i32:
    """Return the player who decides; PLAYERS if there is none."""
    raise NotImplementedError


def moves(state: i32, out: i32) -> i32:
    """Write the moves that pass their guards, packed, in ascending order; return the address behind the last."""
    raise NotImplementedError


def apply(state: i32, to: i32, move: i64) -> None:
    """Write the state after a move that passes its guard."""
    raise NotImplementedError


def weight(state: i32, move: i64) -> i64:
    """Return the weight of an outcome of chance."""
    raise NotImplementedError


def score_to(state: i32, player: i32, to: i32) -> None:
    """Write the lines of a player's score, eight bytes each."""
    raise NotImplementedError


def rank_to(state: i32, player: i32, to: i32) -> None:
    """Write a player's ranking key, eight bytes a number; the smallest key is first."""
    raise NotImplementedError


def check(before: i32, after: i32, action: i32) -> i32:
    """Return the number of the first claim that a step by the action makes false, counted from 1; 0 if there is none."""
    raise NotImplementedError


def note(before: i32, after: i32, action: i32, met: i32, game: i32, step: i32) -> None:
    """Write for each claim that a step makes false, and that is not written yet, the game, counted from 1, and the step."""
    raise NotImplementedError


def stop(reason: i32, first: i64, second: i64, third: i64) -> None:
    """End the call, saying why."""
    raise NotImplementedError


def pack(state: i32, words: i32) -> None:
    """Write a state as words of 64 bits, without what never changes."""
    raise NotImplementedError


def unpack(state: i32, words: i32) -> None:
    """Write a state that was packed; what never changes stays as it is there."""
    raise NotImplementedError
