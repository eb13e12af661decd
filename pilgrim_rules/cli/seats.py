"""Who sits where: people, and players who choose by themselves.

Reads:  states.   Writes: one of their legal moves.
After:  the same seed makes the same choices. A robot looks neither at what chance is going to bring nor at cells that not
        everybody may see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TypeAlias

import click

from pilgrim_rules.api.advice import Adviser
from pilgrim_rules.api.beliefs import CannotSample
from pilgrim_rules.api.game import Game, State
from pilgrim_rules.api.policies import budget, veiled_variables
from pilgrim_rules.core.footprint import reads
from pilgrim_rules.core.rule_walk import action_expressions
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.semantics import chance
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.moves import Move

SEATS = (
    "human",
    "random",
    "greedy",
    "mcts:1s",
    "mcts:500",
)  #: `mcts` takes a time, or a number of games that are tried in thought
Seat: TypeAlias = str  #: one of these words, `mcts` with any budget


def parse_seats(game: Game, given: Sequence[str]) -> dict[str, Seat]:
    """Read `player=seat` pairs; whoever is not named is a person."""
    players = game.people
    seats = dict.fromkeys(players, "human")
    for pair in given:
        player, _, kind = (part.strip() for part in pair.partition("="))
        if player not in seats:
            hint = did_you_mean(player, players) or f"the players are {', '.join(players)}"
            raise click.BadParameter(f"there is no player {player!r}; {hint}", param_hint="--seat")
        if kind not in SEATS and budget(kind) is None:
            raise click.BadParameter(f"a seat is one of {', '.join(SEATS)}, not {kind!r}", param_hint="--seat")
        seats[player] = kind
    return seats


class Robots:
    """The players who choose by themselves, with a generator of their own."""

    def __init__(self, seed: int) -> None:
        self._generator = chance.seeded(~seed)  # not the game's own, or robots and dice would move together
        self._advisers: dict[Seat, Adviser] = {}

    def choose(self, seat: Seat, state: State) -> Move:
        """Return a legal move: what a search advises, any, or for a greedy player any of the best, as far as that can be judged openly."""
        allowed = budget(seat)
        if allowed is not None:
            if seat not in self._advisers:
                self._advisers[seat] = Adviser(state.game, *allowed)
            own, self._generator = chance.draw(self._generator)
            with suppress(CannotSample):  # too much is hidden: any move then
                return self._advisers[seat].advise(state, own).move
        moves = state.moves()
        return self._any(_best(state, moves) if seat == "greedy" and _is_open(state.game) else moves)

    def _any(self, moves: Sequence[Move]) -> Move:
        at, self._generator = chance.below(self._generator, len(moves))
        return moves[at]


@lru_cache(maxsize=4)
def _is_open(game: Game) -> bool:
    """Tell whether what moves lead to can be judged without looking at a cell that not everybody may see."""
    core, declared = game.core, game.declared
    asked = [expr for action in core.actions for expr in action_expressions(action)]
    if core.score is not None:
        asked += [line.value for line in core.score.lines] + [key.value for key in core.score.keys]
    return veiled_variables(core).isdisjoint(reads(asked, declared.defs, declared.networks))


def _best(state: State, moves: Sequence[Move]) -> list[Move]:
    """Return the moves after which the player's lead is largest, a victory being worth more than any lead."""
    me = state.to_move
    blind = State(state.game, state.data)  # without the generator: what chance brings is not known yet
    worth = {move: _move_value(blind, move, me) for move in moves}
    best = max(worth.values())
    return [move for move in moves if worth[move] == best]


def _move_value(state: State, move: Move, me: str | None) -> tuple[int, float]:
    try:
        after = state.play(move)
    except Contradiction:  # to be avoided; whoever has to play it will be told
        return -2, 0
    winners = after.winners()
    standing = 0 if not winners else 1 if winners == [me] else 0 if me in winners else -1
    totals: Mapping[str, float] = {player: float(score.total) for player, score in after.scores().items()}
    others = [total for player, total in totals.items() if player != me]
    return standing, totals.get(me or "", 0) - max(others, default=0)
