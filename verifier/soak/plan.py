"""Plan: the legs of a soak run.

Reads:  the shipped games.   Writes: `Leg`s, each a campaign of its own with its own file and seed.
After:  every game is played for every number of players it allows; one with rulings also by each preset, with rulings
        drawn at random, and with rulings and assumed data drawn. Every game's encoding is compared with its engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias
from zlib import crc32

from pilgrim_rules import specs
from pilgrim_rules.core.ir import Game
from verifier.mutate.tables import seatings

Kind: TypeAlias = Literal["games", "states"]
#: Games that go on for ever are stopped after so many steps.
LONGEST = {"bank": 60, "counters": 60, "eight_puzzle": 60, "pong_hau_ki": 60}
#: Actions of a game that is not large.
SMALL = 20
#: How many times the share of a large leg another one has: a game of Pilgrim takes one and a half seconds with all checks,
#: one of a small game some milliseconds.
LARGER_SHARE = 40


@dataclass(frozen=True, slots=True)
class Leg:
    """A part of a soak run.

    target   games to play, or states to compare.     preset   a set of rulings.
    rulings  drawn at random.                         data     assumed data, too.
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
        """Another one for each leg, the same in every run."""
        return crc32(self.name.encode())


def plan(games: int, states: int, names: Sequence[str] | None = None) -> list[Leg]:
    """Return the legs that make up at least so many games and states, in the order in which they take turns.

    A leg of a large game has a small share: its games are a hundred times longer, and there are many legs of it.
    """
    ways = [(leg, large) for name in names or specs.names() for leg, large in _ways(name)]
    compared = [(leg, large) for leg, large in ways if not leg.rulings and leg.preset is None]
    return [*_shared(ways, games, "games"), *_shared(compared, states, "states")]


def is_large(game: Game) -> bool:
    """Return whether a game is so large that a single play, or a single state, takes long."""
    return len(game.actions) > SMALL


def _shared(ways: list[tuple[Leg, bool]], whole: int, kind: Kind) -> list[Leg]:
    weights = [1 if large else LARGER_SHARE for _, large in ways]
    return [
        replace(leg, kind=kind, target=-(-whole * weight // sum(weights)))
        for (leg, _), weight in zip(ways, weights, strict=True)
    ]


def _ways(name: str) -> Iterator[tuple[Leg, bool]]:
    """Yield the ways to play a game, and whether it is a large one."""
    for game in seatings(name, {}):
        leg, large = Leg("games", name, game.players, 0, longest=LONGEST.get(name, 4000)), is_large(game)
        yield leg, large
        yield from ((replace(leg, preset=preset.name), large) for preset in game.presets if preset.choices)
        if game.rulings:
            yield replace(leg, rulings=True), large
            yield replace(leg, rulings=True, data=True), large
