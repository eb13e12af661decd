"""Interrupts: SIGTERM ends a command as Ctrl-C does.

Reads:  signals.   Writes: `KeyboardInterrupt` in the main thread.
After:  whoever keeps what was done so far when somebody presses Ctrl-C keeps it when a system asks the program to end.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM interrupt what is inside."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread hears signals
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
