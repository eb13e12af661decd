"""Timing on a shared and noisy machine: the best of several runs, and ratios within one run of the program."""

import gc
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass


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


def best(call: Callable[[], object], *, runs: int = 5) -> float:
    """Return the seconds of the quickest of several runs, the collector switched off."""
    seconds = []
    for _ in range(runs):
        gc.collect()
        gc.disable()
        begin = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begin)
        gc.enable()
    return min(seconds)


def rate(call: Callable[[], int], *, seconds: float = 1.0) -> float:
    """Return how many things a second a call does; it says how many it did."""
    call()  # once to warm up: compiled code, caches
    done = 0
    begin = time.perf_counter()
    while (passed := time.perf_counter() - begin) < seconds:
        done += call()
    return done / passed


def process(*arguments: str, runs: int = 5) -> float:
    """Return the seconds that a new Python process takes with these arguments."""
    command = [sys.executable, *arguments]
    return best(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL), runs=runs)
