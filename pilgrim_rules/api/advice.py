"""Advice: what a tree search makes of a position.

Reads:  a state, how long to think.   Writes: `Advice`: a move, and how good each move looks.
After:  the same seed and number of iterations give the same advice on every machine. The search looks at no cell that the player may
        not see, and at nothing that chance is going to bring.
"""

from __future__ import annotations

from typing import NamedTuple

from pilgrim_rules.api.policies import MOST_ITERATIONS, WORLDS, veiled_variables
from pilgrim_rules.api.view import View
from pilgrim_rules.engine.machines.choose import machines
from pilgrim_rules.engine.rules import Rules, StateLike
from pilgrim_rules.engine.tree_search import MOST_NODES, Search, TreePlayer
from pilgrim_rules.semantics.moves import Move


class Opinion(NamedTuple):
    """What a search thinks of a move: how often it was tried, and its worth to the player, from 0 (defeat) to 1 (victory)."""

    move: Move
    tried: int
    worth: float


class Advice(NamedTuple):
    """What a search found: the move it would make, and what it thinks of each, best first."""

    move: Move
    opinions: tuple[Opinion, ...]


class Adviser:
    """Thinks about states of one game. It keeps its memory from one state to the next."""

    def __init__(self, rules: Rules, iterations: int = Search().iterations, seconds: float | None = None) -> None:
        if not 1 <= iterations <= MOST_ITERATIONS:
            raise ValueError(f"a search has from 1 to {MOST_ITERATIONS:,} iterations, not {iterations}")
        if seconds is not None and seconds <= 0:
            raise ValueError("a search takes more than no time")
        self._veiled = bool(veiled_variables(rules.core))
        self._book = rules.runner.book
        self._seconds = seconds
        nodes = MOST_NODES if seconds is not None else min(iterations + 1, MOST_NODES)
        self._player = TreePlayer(rules.code, machines(rules.code)(), Search(iterations), nodes)

    def advise(self, state: StateLike, seed: int = 0) -> Advice:
        """Return what a search thinks of a state in which a player decides; ValueError if none does.

        Where there are secrets it begins in states drawn among all that look the same to the player: `CannotSample` if none is found.
        """
        runner = state.game.runner
        moves = runner.moves(state.data) if runner.row(state.data).kind == "player" else []
        if not moves:
            raise ValueError("nobody decides in this state")
        if len(moves) == 1:
            return Advice(moves[0], (Opinion(moves[0], 0, 0.5),))
        found = self._player.think(self._worlds(state, seed), seed, self._seconds)
        opinions = tuple(Opinion(self._book.move(each.coded), each.visits, each.worth) for each in found)
        return Advice(opinions[0].move, opinions)

    def _worlds(self, state: StateLike, seed: int) -> list[bytes]:
        """Return the state, or states that look the same to the player who decides, if there are secrets."""
        if not self._veiled:
            return [state.data]
        view = View(state, state.game.runner.decider(state.data))
        return view.samples(range(seed, seed + WORLDS))
