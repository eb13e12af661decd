"""Batch: many games side by side, each a step further at a time.

Reads:  states, generators and numbers of moves, an entry for each game.   Writes: the same, masks and observations.
After:  a game goes on as the library would play it with the same moves and the same generator.
"""

from __future__ import annotations

from pilgrim_rules.engine.kernels.chance import action_of, below
from pilgrim_rules.engine.kernels.primitives import (
    ARGUMENT_BITS,
    DEAD_END,
    LINES,
    NOBODY,
    PLAYERS,
    STATE_ROOM,
    STATE_SIZE,
    by,
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
    narrow,
    stop,
    store8,
    store32,
    store64,
)
from pilgrim_rules.engine.kernels.steps import make, settle, total, winners

# A batch is a record in memory:
#
#    0  address of a game that plays for all of them          4  how many games       8  address of their states
#   12  address of their generators, chance and choices      16  address of the masks, a byte for each numbered move
#   20  how many moves are numbered                          24  address of who decides, four bytes each; -1: the game is over
#   28  address of the observations, or 0                    32  entries of an observation, eight bytes each
#   36  address of the runs of cells, see `observe`          40  how many runs       44  address of the numbers of moves, see `number_of`
#   48  address of what to do, four bytes each               52  which game is being played
#   56  bytes of an entry of the numbers of moves


def begin_games(batch: i32, which: i32, start: i32) -> None:
    """Begin the games whose byte is not 0, each with the generators that it has."""
    for number in range(load32(batch + 4)):
        if load8(which + number):
            copy(load32(batch + 8) + number * STATE_ROOM, start, STATE_SIZE)
            take_up(batch, number)
            settle(load32(batch))
            put_down(batch, number)


def step_games(batch: i32) -> i32:
    """Make the chosen move in each game that is not over; return -1, or the first game in which it is not legal, and then make none."""
    games = load32(batch + 4)
    for number in range(games):
        chosen = load32(load32(batch + 48) + number * 4)
        if load32(load32(batch + 24) + number * 4) >= 0:
            if chosen < 0 or chosen >= load32(batch + 20):
                return number
            if load8(load32(batch + 16) + number * load32(batch + 20) + chosen) == 0:
                return number
    for number in range(games):
        if load32(load32(batch + 24) + number * 4) >= 0:
            take_up(batch, number)
            make(load32(batch), move_of(batch, load32(load32(batch + 48) + number * 4)))
            settle(load32(batch))
            put_down(batch, number)
    return -1


def choose_moves(batch: i32) -> None:
    """Choose a legal move at random in each game that is not over."""
    game = load32(batch)
    out = load32(game + 52)
    for number in range(load32(batch + 4)):
        chosen = -1
        if load32(load32(batch + 24) + number * 4) >= 0:
            end = moves(load32(batch + 8) + number * STATE_ROOM, out)
            generator = load32(batch + 12) + number * 16 + 8
            chosen = number_of(batch, load64(out + narrow(below(generator, (end - out) >> 3)) * 8))
        store32(load32(batch + 48) + number * 4, chosen)


def score_games(batch: i32, scores: i32, won: i32) -> None:
    """Write every player's points, eight bytes each, and four bytes for each game: who has won, a bit for each player."""
    for number in range(load32(batch + 4)):
        state = load32(batch + 8) + number * STATE_ROOM
        for player in range(PLAYERS):
            store64(scores + (number * PLAYERS + player) * 8, total(state, player) if LINES > 0 else 0)
        store32(won + number * 4, winners(state) if kind(state) == NOBODY else 0)


# ------------------------------------------------------------------------------------------------------------ one game


def take_up(batch: i32, number: i32) -> None:
    """Let the game that plays for all go on with one of them."""
    game = load32(batch)
    generators = load32(batch + 12) + number * 16
    store32(batch + 52, number)
    store64(game, load_word(generators))
    store64(game + 8, load_word(generators + 8))
    copy(load32(game + 16), load32(batch + 8) + number * STATE_ROOM, STATE_SIZE)


def put_down(batch: i32, number: i32) -> None:
    """Keep what became of a game, and look at it: who decides, which moves are legal, what that player sees."""
    game = load32(batch)
    generators = load32(batch + 12) + number * 16
    store64(generators, load_word(game))
    store64(generators + 8, load_word(game + 8))
    state = load32(batch + 8) + number * STATE_ROOM
    copy(state, load32(game + 16), STATE_SIZE)
    player = -1
    mask = load32(batch + 16) + number * load32(batch + 20)
    fill(mask, 0, load32(batch + 20))
    if kind(state) != NOBODY:
        player = by(state)
        out = load32(game + 52)
        end = moves(state, out)
        if end == out:
            stop(DEAD_END, 0, 0, 0)
        while end > out:
            end = end - 8
            store8(mask + number_of(batch, load64(end)), 1)
    store32(load32(batch + 24) + number * 4, player)
    if load32(batch + 28) != 0:
        observe(batch, state, player, load32(batch + 28) + number * load32(batch + 32) * 8)


def observe(batch: i32, state: i32, player: i32, to: i32) -> None:
    """Write the seat of a player, counted from 1, and every cell. A run of cells is where it begins, how many, and their width."""
    store64(to, player + 1)
    to = to + 8
    run = load32(batch + 36)
    for _number in range(load32(batch + 40)):
        at = state + load32(run)
        width = load32(run + 8)
        for _cell in range(load32(run + 4)):
            if width == 1:
                store64(to, load8(at))
            else:
                store64(to, 0)
                copy(to, at, width)
            at = at + width
            to = to + 8
        run = run + 12


# ---------------------------------------------------------------------------------------------------- numbers of moves
#
# For each action: the number of its first move, of the first move behind it, how many arguments it has, and for each argument
# its first bit in a packed move, a mask for its bits, and how many values it has.


def number_of(batch: i32, move: i64) -> i32:
    """Return the number of a packed move."""
    entry = load32(batch + 44) + action_of(move) * load32(batch + 56)
    offset: i64 = 0
    argument = entry + 12
    for _number in range(load32(entry + 8)):
        shift: i64 = load32(argument)
        offset = offset * load32(argument + 8) + ((move >> shift) & load32(argument + 4))
        argument = argument + 12
    return load32(entry) + narrow(offset)


def move_of(batch: i32, number: i32) -> i64:
    """Return the packed move with a number."""
    entry = load32(batch + 44)
    action = 0
    while number < load32(entry) or number >= load32(entry + 4):
        entry = entry + load32(batch + 56)
        action = action + 1
    rest = number - load32(entry)
    move: i64 = 0
    argument = entry + 12 * load32(entry + 8)
    while argument > entry:
        shift: i64 = load32(argument)
        code: i64 = rest % load32(argument + 8)
        move = move | (code << shift)
        rest = rest // load32(argument + 8)
        argument = argument - 12
    chosen: i64 = action
    return move | (chosen << ARGUMENT_BITS)
