"""Search: all reachable states of a core game, breadth first.

Reads:  a core game.   Writes: an `Exploration`.
After:  if it is `closed`, its counts are exact and every state and step has been checked; plays shown are shortest.

Actions, chance and autos are steps like any other. What is checked besides the claims: no value leaves its range, no
state is a dead end before the game is over, somebody decides in every player's stage, no two autos are enabled at once.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.ghosts import without_ghosts
from pilgrim_rules.engine.layout import Position
from verifier.explore.batch import Batch, batch_size, failing
from verifier.explore.findings import Exploration, Progress
from verifier.explore.log import Log
from verifier.explore.program import Program, generate
from verifier.explore.states import Budget, OutOfBudget, States


def explore(
    game: Game,
    *,
    max_states: int = 50_000_000,
    max_bytes: int = 2 << 30,
    check: bool = True,
    audits: bool = False,
    ghosts: bool = True,
    stop_at_finding: bool = False,
    start: Position | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Exploration:
    """Visit every reachable state of the game, as far as the budget goes.

    check             ask the claims of every state and step; contradictions and dead ends are always found.
    audits            ask the audits too, state by state (slow).
    ghosts            with ghosts as part of the state; without them, claims that read one are not asked.
    stop_at_finding   stop after the first level in which something is wrong.
    start             from this position instead of the start: what is found holds for what can follow it.
    """
    started = perf_counter()
    program = generate(game if ghosts else without_ghosts(game), check=check, audits=audits, start=start)
    search = _Search(program, Budget(min(max_states, 2**31 - 2), max_bytes), started, progress)
    reason = search.run(stop_at_finding=stop_at_finding)
    return search.result(reason)


def visited(game: Game, *, max_states: int, max_bytes: int = 2 << 30) -> tuple[Program, States] | None:
    """Return every reachable state of the game, with the program that found them; None if there are too many."""
    program = generate(game, check=False)
    search = _Search(program, Budget(max_states, max_bytes), perf_counter())
    return None if search.run(stop_at_finding=False) else (program, search.states)


class _Search:
    def __init__(
        self, program: Program, budget: Budget, started: float, progress: Callable[[Progress], None] | None = None
    ) -> None:
        self.program = program
        self.states = States(program.packing.words, program.packing.bits, budget)
        self.log = Log(program, self.states)
        self.size = batch_size(program.packing.words)
        self.levels: list[int] = []
        self.started = started
        self.progress = progress

    def run(self, *, stop_at_finding: bool) -> str | None:
        """Search level by level; return why the search ended early, or None."""
        self.states.add(np.array([self.program.start], dtype=np.int64).T)
        first, end = 0, 1
        try:
            while first < end:
                self._check(first, end)
                self.levels.append(end - first)
                if stop_at_finding and self.log.found_something:
                    return "something is wrong already"
                for at in range(first, end, self.size):
                    Batch(self.program, self.states, self.log, at, min(at + self.size, end)).step()
                first, end = end, self.states.count
                self._tell(end - first)
        except OutOfBudget as out:
            return str(out)
        return None

    def result(self, reason: str | None) -> Exploration:
        """Return everything found."""
        witnesses = self.log.witnesses()
        reached = {each.name for each in witnesses}
        return Exploration(
            game=self.program.game.name,
            states=self.states.count,
            transitions=self.log.actions.total(),
            depth=len(self.levels),
            finished=self.log.finished,
            closed=reason is None,
            reason=reason,
            findings=self.log.findings(),
            witnesses=witnesses,
            unreached=tuple(name for name, _ in self.program.goals if name not in reached),
            actions=dict(self.log.actions),
            levels=tuple(self.levels),
            evaluated=self.program.by_evaluator,
            bytes=self.states.bytes,
            seconds=perf_counter() - self.started,
        )

    def _check(self, first: int, end: int) -> None:
        """Ask the claims of the states of a level."""
        for at in range(first, end, self.size):
            states = self.states.words[:, at : min(at + self.size, end)]
            for check in self.program.of_states:
                wrong = failing(check, states)
                if len(wrong):
                    self.log.state(check.kind, check.name, at + int(wrong[0]), len(wrong))
            for name, holds in self.program.goals:
                if not self.log.reached(name):
                    met = np.flatnonzero(np.broadcast_to(holds(states), states.shape[1:]))
                    if len(met):
                        self.log.witness(name, at + int(met[0]))

    def _tell(self, frontier: int) -> None:
        if self.progress is not None:
            seconds = perf_counter() - self.started
            self.progress(Progress(len(self.levels), self.states.count, self.log.actions.total(), frontier, seconds))
