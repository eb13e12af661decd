"""Readings: where the options of a ruling make a difference, measured in random play.

Reads:  a game under its own rulings, and under each other option of each ruling.   Writes: `Bite` records.
After:  the same seed plays the same games on every machine; a difference is a play from the start that both readings
        allow, after which the legal moves or the scores differ. What differs later on is not followed.

A game is played under the rulings it is loaded with: an action among those possible, then its arguments, each alike, so
that rare actions are seen. The same moves are then made under the other option, until something differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import lcm
from typing import TypeAlias

from pilgrim_rules.core.ir import Game, Lookup, Ruling
from pilgrim_rules.core.walk import action_expressions, subexpressions
from pilgrim_rules.engine.chance import below, choose, seeded
from pilgrim_rules.engine.game import Game as Playable
from pilgrim_rules.engine.state import State

#: What is compared after each move: the legal moves, the stage, and the points of each player.
Sight: TypeAlias = tuple[frozenset[str], str, tuple[int, ...]]
#: Loads the game with one ruling decided otherwise.
Load: TypeAlias = Callable[[Mapping[str, str]], Playable]

LONGEST = 5000


@dataclass(frozen=True, slots=True)
class Played:
    """A random game: its moves, and what was seen before the first and after each of them."""

    number: int
    moves: tuple[str, ...]
    sights: tuple[Sight, ...]


@dataclass(frozen=True, slots=True)
class Bite:
    """How often one option makes a difference.

    bites  games in which it does.
    game   the number of the first of them, and `moves`, how many of its moves are made before it does.
    what   what differs then: `moves` or `scores`; `start` if the games differ from the beginning.
    """

    ruling: str
    option: str
    clauses: tuple[str, ...]
    games: int
    bites: int
    game: int | None = None
    moves: int | None = None
    what: str = ""


def random_games(game: Playable, count: int, seed: int = 0) -> list[Played]:
    """Return so many random games, each with a generator of its own."""
    return [_play(game, number, seeded(seed * 1_000_003 + number)) for number in range(count)]


def bites(base: Playable, load: Load, games: Sequence[Played], wanted: Sequence[str] = ()) -> Iterator[Bite]:
    """Yield how often each other option of the rulings makes a difference; of those named, or of all."""
    for ruling in base.core.rulings:
        held = _held(base.core, ruling)
        for option, _ in ruling.options:
            if option != held and (not wanted or ruling.name in wanted):
                yield _bite(base.core, load({ruling.name: option}), ruling, option, games)


def _bite(core: Game, other: Playable, ruling: Ruling, option: str, games: Sequence[Played]) -> Bite:
    found = Bite(ruling.name, option, ruling.note.clauses, len(games), 0)
    if not _is_read(core, other.core, ruling.name):
        return found
    first: tuple[int, int, str] | None = None
    count = 0
    for played in games:
        parted = _parted(other, played)
        if parted is not None:
            count += 1
            first = first or (played.number, *parted)
    if first is None:
        return found
    return Bite(ruling.name, option, ruling.note.clauses, len(games), count, *first)


def _held(core: Game, ruling: Ruling) -> str:
    constant = next(each for each in core.constants if each.name == ruling.name)
    return constant.type.labels[constant.values[0] - constant.type.lo]


def _is_read(one: Game, other: Game, name: str) -> bool:
    """Tell whether anything depends on the ruling: a rule that reads it, or one that only other rulings have."""
    if [each.name for each in one.actions] != [each.name for each in other.actions]:
        return True
    if [each for each in one.constants if each.name != name] != [each for each in other.constants if each.name != name]:
        return True
    exprs = [expr for action in one.actions for expr in action_expressions(action)]
    exprs += [each.body for each in one.defs] + [each.initial for each in one.variables]
    exprs += [line.value for line in one.score.lines] if one.score is not None else []
    return any(isinstance(part, Lookup) and part.table == name for expr in exprs for part in subexpressions(expr))


# ------------------------------------------------------------------------------------------------------------- playing


def _sight(state: State) -> Sight:
    scores = tuple(int(each.total) for each in state.scores().values()) if state.game.core.score is not None else ()
    return frozenset(map(str, state.moves())), state.stage, scores


def _play(game: Playable, number: int, generator: int) -> Played:
    state = game.start()
    moves: list[str] = []
    sights = [_sight(state)]
    while not state.over and len(moves) < LONGEST:
        move, generator = _choose(state, generator)
        state = state.play(move)
        moves.append(move)
        sights.append(_sight(state))
    return Played(number, tuple(moves), tuple(sights))


def _choose(state: State, generator: int) -> tuple[str, int]:
    """Return a move: by chance where chance decides, else an action and then its arguments, each alike."""
    outcomes = state.outcomes()
    if outcomes:
        common = lcm(*(chance.denominator for _, chance in outcomes))
        at, generator = choose(generator, [int(chance * common) for _, chance in outcomes])
        return str(outcomes[at][0]), generator
    moves = state.moves()
    names = list(dict.fromkeys(move.action for move in moves))
    at, generator = below(generator, len(names))
    fitting = [move for move in moves if move.action == names[at]]
    at, generator = below(generator, len(fitting))
    return str(fitting[at]), generator


def _parted(other: Playable, played: Played) -> tuple[int, str] | None:
    """Return after how many moves the other reading differs from what was seen, and in what; None if it never does."""
    state = other.start()
    for made, seen in enumerate(played.sights):
        moves, stage, scores = _sight(state)
        if moves != seen[0] or stage != seen[1]:
            return made, "moves" if made else "start"
        if scores != seen[2]:
            return made, "scores" if made else "start"
        if made < len(played.moves):
            state = state.play(played.moves[made])
    return None
