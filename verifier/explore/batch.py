"""Batch: a few thousand states of one level, stepped together.

Reads:  a stretch of the states found so far.   Writes: the states that follow them, and what is wrong on the way.
After:  every legal move has been made in every state of the batch.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from verifier.explore.log import Log
from verifier.explore.program import Check, Program
from verifier.explore.runtime import Numbers, Words, columns, only
from verifier.explore.states import States

#: States stepped at once: few enough to stay in the cache, enough to make NumPy's overhead small.
MOST, FEWEST, CACHED = 1 << 13, 1 << 9, 1 << 16
#: Words of following states that are collected before they are looked up.
PENDING = 1 << 17


def batch_size(words: int) -> int:
    """Return how many states of so many words are stepped at once."""
    return max(FEWEST, min(MOST, CACHED // words))


class Batch:
    """The states numbered from `first` to before `end`."""

    def __init__(self, program: Program, states: States, log: Log, first: int, end: int) -> None:
        self.program = program
        self.states = states
        self.log = log
        self.first = first
        self.now: Words = states.words[:, first:end]
        self.ways = np.zeros(end - first, dtype=np.int32)  # legal moves of each state
        self.pending: list[tuple[int, Numbers, Words]] = []
        self.waiting = 0
        self.made = 0

    def step(self) -> None:
        """Make every legal move in every state."""
        for stage, rows in self._by_stage():
            numbers = columns(self.now.shape[1]) if rows is None else rows
            for moves, kernel in self.program.by_stage[stage]:
                before = self.made
                kernel(only(self.now, rows), numbers, self._take)
                self.log.actions[moves.action.name] += self.made - before
            self._count_ways(stage, numbers)
        self._flush()

    def _by_stage(self) -> Iterator[tuple[int, Numbers | None]]:
        """Yield each stage that occurs, with the rows that are in it; None stands for all rows."""
        stages = self.program.stage_of(self.now)
        if np.ndim(stages) == 0:
            yield int(stages), None
            return
        counts = np.bincount(stages)
        for stage in np.flatnonzero(counts):
            yield int(stage), None if counts[stage] == len(stages) else np.flatnonzero(stages == stage)

    def _take(self, move: int, rows: Numbers, after: Words, wrong: NDArray[np.int32] | None) -> None:
        """Take in the states after a move. Called by kernels."""
        self.ways[rows] += 1
        if wrong is not None:
            for site in np.unique(wrong[wrong > 0]):
                at = rows[wrong == site]
                self.log.contradiction(int(site), self.first + int(at[0]), move, len(at))
            right = np.flatnonzero(wrong == 0)
            rows, after = rows[right], after[:, right]
        self.made += len(rows)
        self.waiting += len(rows)
        self.pending.append((move, rows, after))
        if self.waiting * len(self.now) >= PENDING:
            self._flush()

    def _flush(self) -> None:
        """Look up the states taken in, and remember how the new ones were found."""
        if not self.waiting:
            return
        after = np.concatenate([each for _, _, each in self.pending], axis=1)
        rows = np.concatenate([each for _, each, _ in self.pending])
        ends = np.cumsum([len(each) for _, each, _ in self.pending])
        moves = np.array([move for move, _, _ in self.pending])
        self.pending, self.waiting = [], 0
        if self.program.of_steps:
            self._check_steps(rows, after, moves, ends)
        count = self.states.count
        new = self.states.add(after)
        self.states.came_from(count, self.first + rows[new], moves[np.searchsorted(ends, new, side="right")])

    def _check_steps(self, rows: Numbers, after: Words, moves: Numbers, ends: Numbers) -> None:
        size = batch_size(len(self.now))
        for at in range(0, len(rows), size):
            part = slice(at, at + size)
            before = self.now[:, rows[part]]
            for check in self.program.of_steps:
                wrong = failing(check, before, after[:, part])
                if len(wrong):
                    first = at + int(wrong[0])
                    move = int(moves[np.searchsorted(ends, first, side="right")])
                    self.log.step(check.kind, check.name, self.first + int(rows[first]), move, len(wrong))

    def _count_ways(self, stage: int, rows: Numbers) -> None:
        """Look for states of a stage in which nothing can happen, or too much."""
        kind, name, ways = self.program.stage_kind(stage), self.program.game.stages[stage].name, self.ways[rows]
        if kind == "nobody":
            self.log.finished += len(rows)
            return
        stuck = rows[ways == 0]
        if len(stuck):
            self.log.state("dead end", f"dead end in {name}", self.first + int(stuck[0]), len(stuck))
        if kind == "auto":
            torn = rows[ways > 1]
            if len(torn):
                self.log.state("two autos", f"two autos in {name}", self.first + int(torn[0]), len(torn))


def failing(check: Check, now: Words, after: Words | None = None) -> Numbers:
    """Return the columns in which the check does not hold."""
    holds = check.holds(now, after)
    return np.flatnonzero(np.logical_not(np.broadcast_to(holds, now.shape[1:])))
