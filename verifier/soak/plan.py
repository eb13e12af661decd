"""Plan: the tasks of a soak run.

Reads:  the shipped games.   Writes: `SoakTask`s, each a campaign of its own with its own file and seed.
After:  every game is played for every number of players it allows; one with rulings or options also by each preset, with
        these drawn at random, and with assumed data drawn as well. Every game's encoding is compared with its engine.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias
from zlib import crc32

from pilgrim_rules.core.ir import Game
from pilgrim_rules.language import find_game
from pilgrim_rules.language.load import read_games

Kind: TypeAlias = Literal["games", "states"]
#: Games that go on for ever are stopped after this many steps.
LONGEST = {"bank": 60, "counters": 60, "eight_puzzle": 60, "pong_hau_ki": 60}
#: Actions of a game that is not large.
SMALL = 20
#: How many times the share of a large task another one has, of the states: one of Pilgrim takes long to encode.
LARGER_SHARE = 40


@dataclass(frozen=True, slots=True)
class SoakTask:
    """A part of a soak run.

    target   games to play, or states to compare.     preset   a set of rulings.
    rulings  and options drawn at random.             data     assumed data, too.
    """

    kind: Kind
    game: str
    players: int
    target: int
    preset: str | None = None
    rulings: bool = False
    data: bool = False
    longest: int = 4000

    @property
    def name(self) -> str:
        """What tells it apart, fit for a file."""
        how = self.preset or ("random-data" if self.data else "random-rulings" if self.rulings else "as-written")
        return f"{self.kind}-{self.game}-{self.players}-{how}"

    @property
    def seed(self) -> int:
        """Another one for each task, the same in every run."""
        return crc32(self.name.encode())


def plan(games: int, states: int, names: Sequence[str] | None = None, players: Collection[int] = ()) -> list[SoakTask]:
    """Return the tasks that make up at least this many games of each game, and this many states of all, in the order of their turns.

    The ways to play a game have equal shares of its games. Of the states, a task of a large game has a small share.

    players  only the tasks for these numbers of players; their shares stay the same.
    """
    variants = {name: list(_variants(name)) for name in names or find_game.names()}
    played = [replace(task, target=-(-games // len(each))) for each in variants.values() for task, _ in each]
    compared = [
        (task, large) for each in variants.values() for task, large in each if not task.rulings and task.preset is None
    ]
    return [task for task in (*played, *_compared(compared, states)) if not players or task.players in players]


def is_large(game: Game) -> bool:
    """Return whether a game is so large that a single play, or a single state, takes long."""
    return len(game.actions) > SMALL


def _compared(ways: list[tuple[SoakTask, bool]], states: int) -> list[SoakTask]:
    weights = [1 if large else LARGER_SHARE for _, large in ways]
    return [
        replace(task, kind="states", target=-(-states * weight // sum(weights)))
        for (task, _), weight in zip(ways, weights, strict=True)
    ]


def _variants(name: str) -> Iterator[tuple[SoakTask, bool]]:
    """Yield the ways to play a game, and whether it is a large one."""
    for game in reversed(read_games(name)):
        task, large = SoakTask("games", name, game.players, 0, longest=LONGEST.get(name, 4000)), is_large(game)
        yield task, large
        yield from ((replace(task, preset=preset.name), large) for preset in game.presets if preset.choices)
        if game.decisions:
            yield replace(task, rulings=True), large
            yield replace(task, rulings=True, data=True), large
