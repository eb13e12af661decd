"""Levels: the states of one level of a search are checked and stepped, here or on other machines.

Reads:  a search program, states by number.   Writes: their successors into the store of states; what is noticed, into the log.
After:  wherever a level was stepped, the store has the same states and the log the same counts.

Other machines are sent packed states and answer with packed states, and keep nothing between two of them: one that dies loses
nothing. The set of all states stays here, so a cluster shares the work of a search and not its memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Final

import numpy as np

from pilgrim_rules.core.ir import Game
from pilgrim_rules.semantics.state_layout import Position
from verifier.explore.batch import Batch, Log, Notes, batch_size, failing
from verifier.explore.runtime import Numbers, Words
from verifier.explore.search_program import SearchProgram, generate
from verifier.explore.state_set import Budget, States

FEW: Final = 1 << 9  #: states that are not worth sending
SENT: Final = 1 << 14  #: states that are sent at once, at most
_NO_LIMIT: Final = Budget(2**31 - 2, 1 << 62)  #: of what one machine makes of what it was sent


@dataclass(frozen=True, slots=True)
class SharedSearch:
    """What every machine makes the same program from; as `generate` takes it."""

    game: Game
    check: bool
    audits: bool
    start: Position | None
    caps: Mapping[str, int] | None

    def program(self) -> SearchProgram:
        """Return the program."""
        return generate(self.game, check=self.check, audits=self.audits, start=self.start, caps=self.caps)


@dataclass(frozen=True, slots=True)
class Followed:
    """What follows some states: other states, each with the number of the state and the move that it follows."""

    words: Words
    parents: Numbers
    moves: Numbers
    notes: Notes


class Helpers:
    """Other machines that step states; `size` of them work at the same time."""

    def __init__(self, executor: Executor, size: int, search: SharedSearch) -> None:
        self._executor, self._size, self._search = executor, max(1, size), search

    def step(self, states: States, log: Log, first: int, end: int) -> None:
        """Check and step the states numbered from `first` to before `end`; the answers are taken in order."""
        each = max(FEW, min(SENT, -(-(end - first) // (2 * self._size))))
        waiting: deque[tuple[int, Future[Followed]]] = deque()
        at = first
        try:
            while waiting or at < end:
                while at < end and len(waiting) < 2 * self._size:
                    words = states.words[:, at : min(at + each, end)].copy()
                    waiting.append((at, self._executor.submit(follow, self._search, words)))
                    at += each
                began, answer = waiting.popleft()
                _take_in(answer.result(), states, log, began)
        finally:
            for _, left in waiting:
                left.cancel()


def _take_in(found: Followed, states: States, log: Log, first: int) -> None:
    log.take_in(found.notes, first)
    count = states.count
    new = states.add(found.words)
    states.came_from(count, first + found.parents[new], found.moves[new])


def step_here(program: SearchProgram, states: States, log: Log, first: int, end: int) -> None:
    """Step the states numbered from `first` to before `end` in this process."""
    size = batch_size(program.packing.words)
    for at in range(first, end, size):
        Batch(program, states, log, at, min(at + size, end)).step()


def check(program: SearchProgram, states: States, log: Log, first: int, end: int) -> None:
    """Ask the claims of the states numbered from `first` to before `end`."""
    size = batch_size(program.packing.words)
    for at in range(first, end, size):
        words = states.words[:, at : min(at + size, end)]
        for asked in program.of_states:
            wrong = failing(asked, words)
            if len(wrong):
                log.state(asked.kind, asked.name, at + int(wrong[0]), len(wrong))
        for name, holds in program.goals:
            if not log.reached(name):
                met = np.flatnonzero(np.broadcast_to(holds(words), words.shape[1:]))
                if len(met):
                    log.witness(name, at + int(met[0]))


# ------------------------------------------------------------------------------------------------- on another machine

_made: tuple[SharedSearch, SearchProgram] | None = None  #: of this process: the search that it was last asked about


def follow(search: SharedSearch, words: Words) -> Followed:
    """Check and step some states; nothing of them is kept."""
    global _made  # noqa: PLW0603  (a program is dear to make, and one search asks many times)
    if _made is None or _made[0] is not search:
        _made = (search, search.program())
    program = _made[1]
    states = States(program.packing.words, program.packing.bits, _NO_LIMIT)
    places = states.add(words)  # where each state of ours stands among those that were sent
    log, count = Log(program, states), states.count
    check(program, states, log, 0, count)
    step_here(program, states, log, 0, count)
    new = slice(count, states.count)
    return Followed(
        states.words[:, new].copy(), places[states.parents[new]], states.moves[new].copy(), log.notes(places)
    )
