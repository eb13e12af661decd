"""Reach: all states that can be reached, breadth first, shared out among several machines.

Reads:  packed states in memory, from the first that has not been expanded on.   Writes: the states that follow them.
After:  no state is in the set twice: two states are the same if all their words are, never because of a hash.

Each machine keeps a *part* of the states: those whose hash is its own. What it finds of the others' it writes into a letter for each of
them, which is carried to them before they go on (`mail.py`). A search is a record in memory, and is given by its address:

   0  address of the states, packed, by number     4  address of the parents' numbers        8  address of the table
  12  slots less one                              16  bits of a hash that are left out      20  how many states there are
  24  how many there may be                       28  address of a state                    32  address of the state after it
  36  address of a packed state                   40  address for lists of moves            44  how often each action was used
  48  0: claims are not asked; otherwise the address where `note` writes                    52  states in which the game is over
  56  whether a slot holds a packed state itself  60  how many parts there are              64  which part is here
  68  address of the letters to each part         72  bytes of one letter                   76  address of how many bytes each letter has
  80  slots less one from which on the table has a bit for each state that could be; -1: it never has
  84  address of the images of a state (`images.py`); 0: every state is kept

States take `STRIDE` bytes each: of the last word that is read there, the rest belongs to the next state, and is masked. The number of a parent counts all parts: its number there, times
the parts, plus its part. The table has open addressing; each slot holds 0 or the number of a state, counted from 1, or a packed state that
fits into 31 bits, plus 1. As soon as it is no larger, the table is a bit for each state that could be, and 12 is 0. `check` and `note` are asked
for claims about steps by the number of the action, about new states by that number plus ACTIONS, and `note` of goals by that number plus twice
ACTIONS.
"""

from __future__ import annotations

from pilgrim_rules.engine.kernels.chance import action_of
from pilgrim_rules.engine.kernels.images import least_image, orbit
from pilgrim_rules.engine.kernels.primitives import (
    ACTIONS,
    AUTO,
    CHANCE,
    CLAIM_BROKEN,
    DEAD_END,
    LAST_WORD,
    NO_OUTCOME,
    NOBODY,
    NOBODY_TO_MOVE,
    PLAYER,
    PLAYERS,
    STRIDE,
    TWO_AUTOS,
    WORDS,
    apply,
    by,
    check,
    copy,
    fill,
    i32,
    i64,
    kind,
    load8,
    load32,
    load64,
    load_word,
    moves,
    mul64,
    narrow,
    note,
    pack,
    stop,
    store8,
    store32,
    store64,
    unpack,
    weight,
)

NEIGHBOURS = 4  #: bits of a packed state that say where in 16 slots, a line of the processor's cache, it is
LETTER_HEAD = 8  #: bytes before a packed state in a letter: its parent, and the action between


def mixed_of(packed: i32) -> i64:
    """Return the hash of a packed state; that of states which differ in the lowest bits only is the same."""
    mixed: i64 = mul64(load_word(packed) >> NEIGHBOURS, 0x9E3779B97F4A7C15)
    for word in range(1, WORDS):
        mixed = mul64((mixed >> 29) ^ mixed ^ load_word(packed + word * 8), 0x9E3779B97F4A7C15)
    return mixed


def part_of(mixed: i64, parts: i32) -> i32:
    """Return the part that keeps states with a hash."""
    return narrow(((mixed >> 47) ^ (mixed >> 28)) & 65535) % parts


def slot_of(packed: i32, mixed: i64, left: i32) -> i32:
    """Return the slot where a packed state is looked for first, without these bits of the hash; like states are neighbours."""
    return narrow(mixed >> left) ^ narrow(load_word(packed) & 15)


def is_kept_as(kept: i32, packed: i32) -> i32:
    """Return whether a state of the set equals a packed state."""
    for word in range(WORDS - 1):
        if load64(kept + word * 8) != load64(packed + word * 8):
            return 0
    last = WORDS * 8 - 8
    return (load_word(kept + last) & LAST_WORD) == load_word(packed + last)


def is_new(search: i32, packed: i32, mixed: i64) -> i32:
    """Return whether a packed state, with its hash, has not been seen before; it gets the next number then."""
    table = load32(search + 8)
    mask = load32(search + 12)
    if mask == 0:
        if was_marked(table, packed):
            return 0
    else:
        states = load32(search)
        direct = load32(search + 56)
        entry = narrow(load_word(packed)) + 1 if direct else load32(search + 20) + 1
        at = slot_of(packed, mixed, load32(search + 16))
        held = load32(table + at * 4)
        while held != 0:
            if direct:
                if held == entry:
                    return 0
            elif is_kept_as(states + (held - 1) * STRIDE, packed):
                return 0
            at = (at + 1) & mask
            held = load32(table + at * 4)
        store32(table + at * 4, entry)
    count = load32(search + 20)
    to = load32(search) + count * STRIDE
    for word in range(WORDS):
        store64(to + word * 8, load64(packed + word * 8))
    store32(search + 20, count + 1)
    return 1


def was_marked(table: i32, packed: i32) -> i32:
    """Return whether the bit of a packed state was set; it is from now on."""
    place = load_word(packed)
    eight = table + narrow(place >> 3)
    bit = 1 << narrow(place & 7)
    seen = load8(eight)
    store8(eight, seen | bit)
    return seen & bit


def fetch(search: i32, number: i32) -> i32:
    """Return the address of a packed state of the set, without what follows it there."""
    packed = load32(search + 36)
    copy(packed, load32(search) + number * STRIDE, WORDS * 8)
    last = packed + WORDS * 8 - 8
    store64(last, load_word(last) & LAST_WORD)
    return packed


def widen(search: i32) -> None:
    """Double the slots, or have a bit for each state that could be, and put every state into its place."""
    table = load32(search + 8)
    mask = load32(search + 12) * 2 + 1
    left = load32(search + 16) - 1
    direct = load32(search + 56)
    fill(table, 0, (mask + 1) * 4)
    if mask == load32(search + 80):
        store32(search + 12, 0)
        for number in range(load32(search + 20)):
            was_marked(table, fetch(search, number))
        return
    store32(search + 12, mask)
    store32(search + 16, left)
    for number in range(load32(search + 20)):
        packed = fetch(search, number)
        at = slot_of(packed, mixed_of(packed), left)
        while load32(table + at * 4) != 0:
            at = (at + 1) & mask
        store32(table + at * 4, narrow(load_word(packed)) + 1 if direct else number + 1)


def make_room(search: i32, more: i32) -> None:
    """Widen the table until there is room for more states."""
    most = load32(search + 20) + more
    while load32(search + 12) != 0 and most > (load32(search + 12) >> 2) * 3:
        widen(search)


def welcome(search: i32, found: i32, parent: i32, after: i32, action: i32) -> None:
    """Note where the new state with a number comes from, and ask the claims about it."""
    store32(load32(search + 4) + found * 4, parent)
    met = load32(search + 48)
    if met != 0:
        if check(after, after, action + ACTIONS) != 0:
            stop(CLAIM_BROKEN, 0, 0, 0)
        note(after, after, action + ACTIONS * 2, met, found + 1, 0)


def reach_by(search: i32, parent: i32, state: i32, move: i64) -> None:
    """Make a move and ask the claims about it; add the state after it if it is new, or write it into the letter to its part."""
    after = load32(search + 32)
    packed = load32(search + 36)
    action = action_of(move)
    used = load32(search + 44) + action * 8
    apply(state, after, move)
    store64(used, load64(used) + 1)
    pack(after, packed)
    if load32(search + 84) != 0:
        least_image(load32(search + 84), after, packed)
    if load32(search + 48) != 0 and check(state, after, action) != 0:
        stop(CLAIM_BROKEN, 0, 0, 0)
    parts = load32(search + 60)
    mixed: i64 = 0
    part = 0
    if parts > 1 or load32(search + 12) != 0:  # otherwise nobody needs the hash
        mixed = mixed_of(packed)
        part = part_of(mixed, parts)
    if part == load32(search + 64):
        found = load32(search + 20)
        if is_new(search, packed, mixed):
            welcome(search, found, parent, after, action)
    else:
        length = load32(search + 76) + part * 4
        to = load32(search + 68) + part * load32(search + 72) + load32(length)
        store32(to, parent)
        store32(to + 4, action)
        for word in range(WORDS):
            store64(to + LETTER_HEAD + word * 8, load64(packed + word * 8))
        store32(length, load32(length) + LETTER_HEAD + WORDS * 8)


def take_in(search: i32, letter: i32, end: i32) -> i32:
    """Add the states of a letter between two addresses; return whether there was room for all."""
    after = load32(search + 32)
    while letter < end:
        if load32(search + 20) > load32(search + 24):
            return 0
        packed = letter + LETTER_HEAD
        make_room(search, 1)
        found = load32(search + 20)
        if is_new(search, packed, mixed_of(packed)):
            if load32(search + 48) != 0:
                unpack(after, packed)
            welcome(search, found, load32(letter), after, load32(letter + 4))
        letter = letter + LETTER_HEAD + WORDS * 8
    return 1


def all_images(search: i32, first: i32, end: i32) -> i64:
    """Return how many states those with these numbers stand for."""
    state = load32(search + 28)
    found: i64 = 0
    for number in range(first, end):
        packed = fetch(search, number)
        unpack(state, packed)
        found = found + orbit(load32(search + 84), state, packed)
    return found


def has_paper(search: i32, moves_left: i32) -> i32:
    """Return whether each letter has room for this many moves more."""
    room = load32(search + 72) - moves_left * (LETTER_HEAD + WORDS * 8)
    for part in range(load32(search + 60)):
        if load32(load32(search + 76) + part * 4) > room:
            return 0
    return 1


def reach_on(search: i32, first: i32, end: i32) -> i32:
    """Add what follows the states with these numbers; return the first for which there was no room, in memory or in a letter."""
    state = load32(search + 28)
    out = load32(search + 40)
    parts = load32(search + 60)
    number = first
    while number < end:
        if load32(search + 20) > load32(search + 24):
            return number
        unpack(state, load32(search) + number * STRIDE)
        what = kind(state)
        if what == NOBODY:
            store32(search + 52, load32(search + 52) + 1)
            number = number + 1
            continue
        if what == PLAYER and by(state) == PLAYERS:
            stop(NOBODY_TO_MOVE, 0, 0, 0)
        last = moves(state, out)
        if what == AUTO and last > out + 8:
            stop(TWO_AUTOS, 0, 0, 0)
        if parts > 1 and not has_paper(search, (last - out) >> 3):
            return number
        make_room(search, (last - out) >> 3)
        made = 0
        at = out
        while at < last:
            move = load64(at)
            at = at + 8
            if what == CHANCE:
                heavy = weight(state, move)
                if heavy < 0:
                    stop(NO_OUTCOME, 0, 0, 0)
                if heavy == 0:
                    continue
            reach_by(search, number * parts + load32(search + 64), state, move)
            made = made + 1
        if made == 0:
            stop(DEAD_END, 0, 0, 0)
        number = number + 1
    return number
