"""Processes of our own: a pool that never outlives us.

Reads:  what each process begins with.   Writes: a pool for as long as it is wanted.
After:  once the pool is left, however that happens, its processes are gone: at the end of the work, within a moment of an
        interrupt, and even if we are killed ourselves. Who leads the run keeps what was settled; a worker keeps nothing.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from typing import Any, Literal, TypeVar

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

_PR_SET_PDEATHSIG = 1  #: of prctl(2): the signal that a process gets when its parent dies


@contextmanager
def pool(
    jobs: int,
    initializer: Callable[..., None] | None = None,
    initargs: tuple[Any, ...] = (),
    method: Literal["spawn"] | None = "spawn",
) -> Iterator[ProcessPoolExecutor]:
    """Return some processes; each is prepared by the initializer, if there is one, which must be importable.

    method  how they are begun; None for what is usual on this system, which may be quicker.
    """
    made = ProcessPoolExecutor(jobs, get_context(method), _prepare, (os.getpid(), initializer, initargs))
    try:
        yield made
    finally:
        # Nobody waits for what is under way: at the end there is none, and after an interrupt nobody wants it.
        workers = list((made._processes or {}).values())  # noqa: SLF001  (there is no other way to a worker before 3.14)
        made.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.join(2)


def in_order(
    do: Callable[[_Given], _Made], todo: Sequence[_Given], *, size: Callable[[_Given], int], jobs: int | None = None
) -> Iterator[_Made]:
    """Do the same with each thing, on all cores, and yield what comes of them in their order.

    size  of a thing; the largest begin first, so that nobody waits for them at the end.
    """
    jobs = min(len(todo), jobs or os.cpu_count() or 1)
    if jobs < 2:  # noqa: PLR2004  (there is nobody to share it with)
        yield from map(do, todo)
        return
    with pool(jobs, method=None) as workers:
        largest = sorted(range(len(todo)), key=lambda at: -size(todo[at]))
        waiting = {at: workers.submit(do, todo[at]) for at in largest}
        yield from (waiting[at].result() for at in range(len(todo)))


def _prepare(parent: int, initializer: Callable[..., None] | None, initargs: tuple[Any, ...]) -> None:
    """Begin a worker: Ctrl-C is for whoever leads the run, SIGTERM ends it at once, and it dies with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _die_with(parent)
    if initializer is not None:
        initializer(*initargs)


def _die_with(parent: int) -> None:
    """See to it that this process ends when its parent does, by whatever way the system has."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before we asked
            os._exit(1)
    threading.Thread(target=_watch_parent, daemon=True).start()


def _watch_parent() -> None:
    """Wait for the parent to end, wherever we run: its end of a pipe closes then."""
    leader = parent_process()
    if leader is not None:
        connection.wait([leader.sentinel])
        os._exit(1)
