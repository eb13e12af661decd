"""Workers: obligations handed to this process, to others or to another machine; results in the order in which they come.

Reads:  setup and obligations.   Writes: one result for each of them.
After:  a process makes one settler for the game it is asked about and keeps it until it is asked about another one; however
        many threads ask, one obligation is settled at a time. A process that dies loses nothing: what it was working on
        is tried again. An obligation whose process dies even when it is alone, or for which nobody is left to work, is
        not settled and says so.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, as_completed
from dataclasses import dataclass
from threading import Lock
from typing import TypeAlias

from pilgrim_rules.core.ir import Game
from pilgrim_rules.util import processes
from verifier.claims.obligations import Obligation
from verifier.prove.hints import Hints
from verifier.prove.make_records import Result
from verifier.prove.settings import ProofSettings
from verifier.prove.settle import Settler


@dataclass(frozen=True, slots=True)
class WorkerSetup:
    """What a worker has to know besides the obligation."""

    game: Game
    settings: ProofSettings


_lock = Lock()  # the solver's library is not for several threads
_settler: Settler | None = None  #: of this process


def prepare(setup: WorkerSetup) -> None:
    """Make the settler of this process; one that fits is kept."""
    global _settler  # noqa: PLW0603  (a settler is expensive to make)
    fits = _settler is not None and _settler.game is setup.game and _settler.settings == setup.settings
    if not fits:
        _settler = Settler(setup.game, setup.settings)


def settle(setup: WorkerSetup | None, obligation: Obligation, hints: Hints) -> Result:
    """Settle an obligation; a process that has been prepared needs no setup."""
    with _lock:
        if setup is not None:
            prepare(setup)
        assert _settler is not None, "a process is prepared, or it is told its setup"
        return _settler.settle(obligation, hints)


def lost_result(setup: WorkerSetup, obligation: Obligation, why: str) -> Result:
    """Return that nothing is known of an obligation."""
    return Settler(setup.game, setup.settings).abandoned(obligation, why)


Work: TypeAlias = tuple[Obligation, Hints]  #: an obligation, and what to begin with

#: Fewer obligations than this are settled in this process: starting others would take longer.
WORTH_A_POOL = 60
#: Deaths after which obligations are handed out one by one, to see whose fault it is.
PATIENCE = 2
DIED = "the process that worked on it died"


def results(setup: WorkerSetup, todo: Sequence[Work], jobs: int | None, executor: Executor | None) -> Iterator[Result]:
    """Settle obligations and yield what comes of them."""
    jobs = jobs or (os.cpu_count() or 1 if len(todo) >= WORTH_A_POOL else 1)
    if executor is not None:
        yield from _results_of_executor(setup, todo, executor)
    elif jobs == 1:
        _make_ready(setup, todo, copied=False)
        for obligation, hints in todo:
            yield settle(setup, obligation, hints)
    else:
        yield from _processes(setup, todo, jobs)


def _make_ready(setup: WorkerSetup, todo: Sequence[Work], *, copied: bool) -> None:
    """Make once what all of the work needs; where a process begins as a copy of this one, it has it, too."""
    with _lock:
        if todo:
            prepare(setup)
            assert _settler is not None, "it has just been made"
            _settler.make_ready(todo, copied=copied)


def _processes(setup: WorkerSetup, todo: Sequence[Work], jobs: int) -> Iterator[Result]:
    left, deaths = {work[0].name: work for work in todo}, 0
    _make_ready(setup, todo, copied=True)
    while left:
        alone = deaths > PATIENCE
        with processes.pool(1 if alone else jobs, prepare, (setup,), method=None) as pool:
            try:  # a process may die while work is still handed out
                waiting = _submitted(pool, None, list(left.values())[:1] if alone else list(left.values()))
                for future in as_completed(waiting):
                    result = future.result()
                    del left[waiting[future][0].name]
                    yield result
            except BrokenExecutor:
                deaths += 1
                if alone:
                    obligation, _ = left.pop(next(iter(left)))
                    yield lost_result(setup, obligation, DIED)


def _results_of_executor(setup: WorkerSetup, todo: Sequence[Work], executor: Executor) -> Iterator[Result]:
    waiting = _submitted(executor, setup, todo)
    try:
        for future in as_completed(waiting):
            try:
                yield future.result()
            except BrokenExecutor as problem:
                yield lost_result(setup, waiting[future][0], str(problem) or DIED)
    finally:
        for future in waiting:
            future.cancel()


def _submitted(pool: Executor, setup: WorkerSetup | None, todo: Sequence[Work]) -> dict[Future[Result], Work]:
    """Hand out work; processes of our own have been told their setup."""
    return {pool.submit(settle, setup, obligation, hints): (obligation, hints) for obligation, hints in todo}
