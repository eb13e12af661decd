"""Timing on a shared and noisy machine: processor time, the best of several runs, ratios within one run of the program."""

import atexit
import gc
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the report: a measured value, a reference measured in the same run, and what was aimed at."""

    name: str
    value: float
    unit: str
    reference: float
    against: str
    target: float | None = None
    more_is_better: bool = False

    @property
    def ratio(self) -> float:
        """The value over the reference."""
        return self.value / self.reference

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None if there is none."""
        if self.target is None:
            return None
        return self.value >= self.target if self.more_is_better else self.value <= self.target


def best(call: Callable[[], object], *, runs: int = 5, clock: Callable[[], float] = time.process_time) -> float:
    """Return the seconds of the quickest of several runs, the collector switched off."""
    seconds = []
    for _ in range(runs):
        gc.collect()
        gc.disable()
        begin = clock()
        call()
        seconds.append(clock() - begin)
        gc.enable()
    return min(seconds)


def rate(call: Callable[[], int], *, seconds: float = 0.25, runs: int = 5) -> float:
    """Return how many things a second a call does, in the quickest of several runs; it says how many it did."""
    call()  # once to warm up: compiled code, caches
    found = 0.0
    for _ in range(runs):
        done = 0
        begin = time.process_time()
        while (passed := time.process_time() - begin) < seconds:
            done += call()
        found = max(found, done / passed)
    return found


@cache
def _compiled() -> str:
    """Return a folder for byte code, so that a process starts as an installed program does, whatever the environment."""
    folder = tempfile.mkdtemp(prefix="bench-pyc-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def process(*arguments: str, cache_folder: str | None = None, runs: int = 5) -> float:
    """Return the processor seconds of a new Python process with these arguments; `cache_folder` is its PILGRIM_CACHE."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = _compiled()
    if cache_folder is not None:
        environment["PILGRIM_CACHE"] = cache_folder

    def run() -> None:
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)

    run()  # once for the byte code, and for the cache if there is one
    return best(run, runs=runs, clock=_of_children)


@contextmanager
def cache_folder(folder: str) -> Iterator[None]:
    """Use another folder for the cache, or none if it is empty."""
    kept = os.environ.get("PILGRIM_CACHE")
    os.environ["PILGRIM_CACHE"] = folder
    try:
        yield
    finally:
        del os.environ["PILGRIM_CACHE"]
        if kept is not None:
            os.environ["PILGRIM_CACHE"] = kept


def _of_children() -> float:
    """Return the processor seconds of all processes started and ended so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
