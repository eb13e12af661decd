"""Who sits where: people, and players who need no thought.

Reads:  states.   Writes: one of their legal moves.
After:  the same seed makes the same choices; a robot never looks at what chance is going to bring.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, get_args

import click

from pilgrim_rules.diagnostics.suggest import did_you_mean
from pilgrim_rules.engine import chance
from pilgrim_rules.engine.errors import Contradiction
from pilgrim_rules.engine.moves import Move
from pilgrim_rules.engine.state import State

Seat: TypeAlias = Literal["human", "random", "greedy"]
SEATS: tuple[Seat, ...] = get_args(Seat)


def seated(players: Sequence[str], given: Sequence[str]) -> dict[str, Seat]:
    """Read `player=seat` pairs; whoever is not named is a person."""
    seats: dict[str, Seat] = dict.fromkeys(players, "human")
    for pair in given:
        player, _, kind = (part.strip() for part in pair.partition("="))
        if player not in seats:
            hint = did_you_mean(player, players) or f"the players are {', '.join(players)}"
            raise click.BadParameter(f"there is no player {player!r}; {hint}", param_hint="--seat")
        seat = next((known for known in SEATS if known == kind), None)
        if seat is None:
            raise click.BadParameter(f"a seat is one of {', '.join(SEATS)}, not {kind!r}", param_hint="--seat")
        seats[player] = seat
    return seats


class Robots:
    """The players who choose by themselves, with a generator of their own."""

    def __init__(self, seed: int) -> None:
        self._generator = chance.seeded(~seed)  # not the game's own, or robots and dice would move together

    def choose(self, seat: Seat, state: State) -> Move:
        """Return a legal move: any, or for a greedy player any of the best."""
        moves = state.moves()
        return self._any(_best(state, moves) if seat == "greedy" else moves)

    def _any(self, moves: Sequence[Move]) -> Move:
        at, self._generator = chance.below(self._generator, len(moves))
        return moves[at]


def _best(state: State, moves: Sequence[Move]) -> list[Move]:
    """Return the moves after which the player's lead is largest, a victory being worth more than any lead."""
    me = state.to_move
    blind = State(state.game, state.data)  # without the generator: what chance brings is not known yet
    worth = {move: _worth(blind, move, me) for move in moves}
    best = max(worth.values())
    return [move for move in moves if worth[move] == best]


def _worth(state: State, move: Move, me: str | None) -> tuple[int, float]:
    try:
        after = state.play(move)
    except Contradiction:  # to be avoided; whoever has to play it will be told
        return -2, 0
    winners = after.winners()
    standing = 0 if not winners else 1 if winners == [me] else 0 if me in winners else -1
    totals: Mapping[str, float] = {player: float(score.total) for player, score in after.scores().items()}
    others = [total for player, total in totals.items() if player != me]
    return standing, totals.get(me or "", 0) - max(others, default=0)
