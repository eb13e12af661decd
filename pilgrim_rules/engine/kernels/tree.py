"""Tree: a player that looks ahead, by Monte-Carlo tree search over what players decide.

Reads:  a state in which a player decides, a generator.   Writes: nodes in memory, and a move.
After:  the same state, generator and number of iterations give the same move on every machine: all numbers are integers.

Each iteration plays one game from the state: along the tree, by the upper confidence bound; one node further; then by a quick policy, which
draws some moves, and of these the one is made that was worth most in the iterations before, wherever it was made (Finnsson, Björnsson 2008).
What chance brings is drawn again each time, so a node stands for what players have decided, whatever chance did in between (an open
loop). A move need not be legal each time a node is met, so the bound counts how often it was (Cowling, Powley, Whitehouse 2012).
"""

from __future__ import annotations

from pilgrim_rules.engine.kernels.chance import below, draw
from pilgrim_rules.engine.kernels.primitives import (
    DEAD_END,
    KEYS,
    NOBODY,
    PLAYERS,
    SCRATCH,
    STATE_ROOM,
    STATE_SIZE,
    by,
    copy,
    fill,
    i32,
    i64,
    kind,
    load32,
    load64,
    log2,
    moves,
    narrow,
    rank_to,
    root,
    stop,
    store32,
    store64,
)
from pilgrim_rules.engine.kernels.roll_out import WORTH, forget, remember, roll_out
from pilgrim_rules.engine.kernels.steps import make, settle, winners

# A tree is a record in memory:
#
#    0  address of a game, with states of its own, that iterations play                       4  address of the states at the root
#    8  address of the nodes       12  address behind the last node       16  address behind the room for nodes
#   20  address of the path: the nodes of an iteration                    24  decisions behind the tree after which an iteration may end early
#   28  iterations of one thought  32  address of eight bytes for each player: what an iteration was worth
#   36  how much the bound adds for moves that were seldom tried: c² · ln 2 · WORTH² / UNIT
#   40  how far players were ahead or behind in all iterations, summed    48  the same, with its sign    56  how many numbers that sums
#   64  how many states are at the root: each iteration begins in one of them, at random
#   68  address of what moves have been worth, see `kernels/roll_out.py`
#
# A node stands for a move:
#
#    0  the move      8  visits     12  how often it was legal when its parent was visited     16  address of its first child, or 0
#   20  address of the next child of its parent, whose move is greater, or 0                   24  who made the move
#   32  what it was worth to that player, summed
NODE = 40
DEEPEST = 256  #: nodes of one path
UNIT = 256  #: parts of 1 in a logarithm


def thought(tree: i32, game: i32) -> i64:
    """Return a move for the player who decides in a game, whose generator of choices decides what the search draws."""
    plant(tree, load32(game + 16), 1, draw(game + 8), draw(game + 8))
    grow(tree, load32(tree + 28))
    return best_move(tree)


def plant(tree: i32, states: i32, many: i32, chance_seed: i64, choice_seed: i64) -> None:
    """Begin a new tree at a state, or at many that the player cannot tell apart; they stay where they are."""
    game = load32(tree)
    store64(game, chance_seed)
    store64(game + 8, choice_seed)
    store32(tree + 4, states)
    store32(tree + 64, many)
    nodes = load32(tree + 8)
    fill(nodes, 0, NODE)
    store32(tree + 12, nodes + NODE)
    fill(tree + 40, 0, 24)
    forget(tree)


def grow(tree: i32, iterations: i32) -> None:
    """Play this many games from the root, and note what they were worth."""
    for _number in range(iterations):
        depth = descend(tree)
        game = load32(tree)
        made = roll_out(tree, load32(tree + 24))
        judge(tree, load32(game + 16))
        remember(tree, made)
        for at in range(depth):
            node = load32(load32(tree + 20) + at * 4)
            store32(node + 8, load32(node + 8) + 1)
            store64(node + 32, load64(node + 32) + load64(load32(tree + 32) + load32(node + 24) * 8))


def descend(tree: i32) -> i32:
    """Play from the root along the tree and one node further; return how many nodes are on the path."""
    game = load32(tree)
    out = load32(game + 52)
    which = 0
    if load32(tree + 64) > 1:
        which = narrow(below(game + 8, load32(tree + 64)))
    copy(load32(game + 16), load32(tree + 4) + which * STATE_ROOM, STATE_SIZE)
    node = load32(tree + 8)
    depth = 0
    while depth < DEEPEST:
        state = load32(game + 16)
        if kind(state) == NOBODY:
            break
        end = moves(state, out)
        if end == out:
            stop(DEAD_END, 0, 0, 0)
        node = child_to_try(tree, node, out, end)
        if node == 0:
            break
        store32(load32(tree + 20) + depth * 4, node)
        depth = depth + 1
        make(game, load64(node))
        settle(game)
        if load32(node + 8) == 0:
            break
    return depth


def child_to_try(tree: i32, node: i32, out: i32, end: i32) -> i32:
    """Return the child for a move between two addresses: a new one, or that with the highest bound; 0 if there is no room."""
    player = by(load32(load32(tree) + 16))
    best = 0
    highest: i64 = 0
    untried = 0
    child = load32(node + 16)
    at = out
    while at < end:
        move = load64(at)
        while child != 0 and load64(child) < move:
            child = load32(child + 20)
        twin = child  # moves of several players may be alike
        while twin != 0 and load64(twin) == move and load32(twin + 24) != player:
            twin = load32(twin + 20)
        if twin != 0 and load64(twin) == move:
            legal = load32(twin + 12) + 1
            store32(twin + 12, legal)
            bound = upper_bound(load32(tree + 36), load64(twin + 32), load32(twin + 8), legal)
            if bound > highest:
                highest = bound
                best = twin
        else:
            store64(out + untried * 8, move)  # untried moves stand first
            untried = untried + 1
        at = at + 8
    if untried == 0 or load32(tree + 12) == load32(tree + 16):
        return best
    return new_child(tree, node, load64(out + narrow(below(load32(tree) + 8, untried)) * 8), player)


def upper_bound(explore: i64, worth: i64, visits: i64, legal: i64) -> i64:
    """Return what a move may be worth, as far as this many visits tell."""
    place = log2(legal)
    log = place * UNIT + ((legal * UNIT) >> place) - UNIT
    return worth // visits + root(explore * log // visits)


def new_child(tree: i32, parent: i32, move: i64, player: i32) -> i32:
    """Return a new node below a parent, whose children stay in ascending order."""
    node = load32(tree + 12)
    store32(tree + 12, node + NODE)
    fill(node, 0, NODE)
    store64(node, move)
    store32(node + 12, 1)
    store32(node + 24, player)
    link = parent + 16
    while load32(link) != 0 and load64(load32(link)) < move:
        link = load32(link) + 20
    store32(node + 20, load32(link))
    store32(link, node)
    return node


def judge(tree: i32, state: i32) -> None:
    """Write what a state is worth to each player, from 0 to WORTH.

    Three quarters are the victory, one quarter how far the player is ahead by the first number of the ranking, compared with how far players
    usually are in this search. Before the end, and for a player who is alone, only that counts.
    """
    over = kind(state) == NOBODY and PLAYERS > 1
    won = winners(state) if over else 0
    many = 0
    for player in range(PLAYERS):
        many = many + ((won >> player) & 1)
    for player in range(PLAYERS):
        ahead = lead(tree, state, player)
        size = ahead if ahead > 0 else 0 - ahead
        seen = load64(tree + 56) + 1
        far = load64(tree + 40) + size
        store64(tree + 40, far)
        store64(tree + 56, seen)
        part = (WORTH // 2) * size // (size + far // seen + 1)
        worth = WORTH // 2 + part if ahead > 0 else WORTH // 2 - part
        if over:
            worth = worth // 4
            if (won >> player) & 1:
                worth = worth + 3 * WORTH // 4 // many
        store64(load32(tree + 32) + player * 8, worth)


def lead(tree: i32, state: i32, player: i32) -> i64:
    """Return how far a player is ahead of the best of the others; a player who is alone, of what this search has met on average."""
    if KEYS == 0:
        return 0
    rank_to(state, player, SCRATCH)
    own = load64(SCRATCH)
    if PLAYERS == 1:
        summed = load64(tree + 48)
        store64(tree + 48, summed - own)
        return 0 - own - mean(summed, load64(tree + 56))
    best: i64 = 0
    met = 0
    for other in range(PLAYERS):
        if other != player:
            rank_to(state, other, SCRATCH)
            if met == 0 or load64(SCRATCH) < best:
                best = load64(SCRATCH)
            met = 1
    return best - own


def mean(summed: i64, count: i64) -> i64:
    """Return a sum divided by a count, towards 0; 0 of nothing."""
    if count == 0:
        return 0
    return summed // count if summed > 0 else 0 - (0 - summed) // count


def is_better(child: i32, other: i32) -> i32:
    """Return whether a move was tried more often than another one, or as often and was worth more; there may be no other."""
    if other == 0 or load32(child + 8) > load32(other + 8):
        return 1
    return load32(child + 8) == load32(other + 8) and load64(child + 32) > load64(other + 32)


def best_move(tree: i32) -> i64:
    """Return the move that was tried most often at the root; among equals the one that was worth most, then the first."""
    found = 0
    child = load32(load32(tree + 8) + 16)
    while child != 0:
        if is_better(child, found):
            found = child
        child = load32(child + 20)
    return load64(found)


def best_legal(tree: i32, out: i32, end: i32) -> i64:
    """Return the same among the moves between two addresses: what is legal in a state that was only thought of may not be here."""
    found = 0
    child = load32(load32(tree + 8) + 16)
    at = out
    while child != 0:
        while at < end and load64(at) < load64(child):
            at = at + 8
        if at < end and load64(at) == load64(child) and is_better(child, found):
            found = child
        child = load32(child + 20)
    return load64(found) if found != 0 else load64(out)
