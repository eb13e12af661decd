"""The garbage collector, kept away from what stays.

Reads:  and writes which objects Python's collector looks at.
After:  what was made inside `without_collection` counts as old: a full collection looks at it, the frequent small ones do not. Inside
        `with_rare_collection` they are not frequent. At the end of the process nothing that is still alive is looked at.

A core game is hundreds of thousands of objects, none of them garbage. Looking at them costs a tenth of a second each time, and several
tenths when the process ends, which is as much as checking them.
"""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Pause the garbage collector: nothing made here is garbage, and looking for it takes longer than making it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():  # or what somebody has set aside would come back
                gc.freeze()
                gc.unfreeze()  # into the oldest generation
            gc.enable()


#: How many new objects there may be before they are looked at, where a proof makes a hundred thousand terms and drops them all together.
RARE = 30_000


@contextmanager
def with_rare_collection() -> Iterator[None]:
    """Let the garbage collector look seldom: what is made here is dropped all at once, so looking at it in between finds nothing."""
    before = gc.get_threshold()
    gc.set_threshold(max(RARE, before[0]), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


atexit.register(gc.freeze)
