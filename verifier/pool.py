"""Pool: obligations handed to processes, ours or somebody else's, and their results in the order in which they come.

Reads:  orders and obligations.   Writes: one result for each of them.
After:  a process that dies loses nothing: what it was working on is tried again. An obligation whose process dies even
        when it is alone, or for which nobody is left to work, is not settled and says so.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, as_completed
from typing import TypeAlias

from verifier import workers
from verifier.obligations import Obligation
from verifier.session import Result
from verifier.workers import Orders

Work: TypeAlias = tuple[Obligation, tuple[str, ...]]  #: an obligation, and hypotheses to begin with

#: Fewer obligations than this are settled in this process: starting others would take longer.
WORTH_A_POOL = 60
#: After so many deaths obligations are handed out one by one, to see whose fault it is.
PATIENCE = 2
DIED = "the process that worked on it died"


def results(orders: Orders, todo: Sequence[Work], jobs: int | None, executor: Executor | None) -> Iterator[Result]:
    """Settle obligations and yield what comes of them."""
    jobs = jobs or (os.cpu_count() or 1 if len(todo) >= WORTH_A_POOL else 1)
    if executor is not None:
        yield from _elsewhere(orders, todo, executor)
    elif jobs == 1:
        for obligation, hints in todo:
            yield workers.settle(orders, obligation, hints)
    else:
        yield from _processes(orders, todo, jobs)


def _processes(orders: Orders, todo: Sequence[Work], jobs: int) -> Iterator[Result]:
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415  (few obligations need no processes)

    left, deaths = {work[0].name: work for work in todo}, 0
    while left:
        alone = deaths > PATIENCE
        pool = ProcessPoolExecutor(1 if alone else jobs, initializer=workers.begin, initargs=(orders,))
        waiting = _submitted(pool, None, list(left.values())[:1] if alone else list(left.values()))
        try:
            for future in as_completed(waiting):
                result = future.result()
                del left[waiting[future][0].name]
                yield result
        except BrokenExecutor:
            deaths += 1
            if alone:
                obligation, _ = left.pop(next(iter(left)))
                yield workers.lost(orders, obligation, DIED)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _elsewhere(orders: Orders, todo: Sequence[Work], executor: Executor) -> Iterator[Result]:
    waiting = _submitted(executor, orders, todo)
    try:
        for future in as_completed(waiting):
            try:
                yield future.result()
            except BrokenExecutor as problem:
                yield workers.lost(orders, waiting[future][0], str(problem) or DIED)
    finally:
        for future in waiting:
            future.cancel()


def _submitted(pool: Executor, orders: Orders | None, todo: Sequence[Work]) -> dict[Future[Result], Work]:
    """Hand out work; processes of our own have been told their orders."""
    return {pool.submit(workers.settle, orders, obligation, hints): (obligation, hints) for obligation, hints in todo}
