"""Sort: packed moves in ascending order.

Reads:  moves in memory.   Writes: the same moves, in order.
After:  few moves, which are nearly in order, take about as many steps as there are; many take no more than they must.
"""

from __future__ import annotations

from pilgrim_rules.engine.kernels.primitives import (
    i32,
    load64,
    store64,
)

FEW = 64  #: moves that are sorted by insertion


def sort(begin: i32, end: i32) -> None:
    """Sort packed moves between two addresses."""
    if end - begin > FEW * 8:
        heap_sort(begin, (end - begin) >> 3)
        return
    at = begin + 8
    while at < end:
        move = load64(at)
        to = at
        while to > begin and load64(to - 8) > move:
            store64(to, load64(to - 8))
            to = to - 8
        store64(to, move)
        at = at + 8


def heap_sort(begin: i32, count: i32) -> None:
    """Sort this many packed moves, however many."""
    half = count >> 1
    while half > 0:
        half = half - 1
        sift(begin, half, count)
    last = count - 1
    while last > 0:
        move = load64(begin)
        store64(begin, load64(begin + last * 8))
        store64(begin + last * 8, move)
        sift(begin, 0, last)
        last = last - 1


def sift(begin: i32, top: i32, count: i32) -> None:
    """Let the move at `top` of a heap sink to its place."""
    move = load64(begin + top * 8)
    while top * 2 + 1 < count:
        child = top * 2 + 1
        if child + 1 < count and load64(begin + child * 8) < load64(begin + child * 8 + 8):
            child = child + 1
        if load64(begin + child * 8) <= move:
            break
        store64(begin + top * 8, load64(begin + child * 8))
        top = child
    store64(begin + top * 8, move)
