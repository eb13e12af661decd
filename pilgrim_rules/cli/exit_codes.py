"""The exit codes of every command. They are part of the interface: scripts and CI branch on them."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """How a command ended."""

    OK = 0
    REFUTED = 1  #: a claim is refuted, a move is illegal, a file is not in canonical layout
    BAD_INPUT = 2  #: a mistake in the rules, in a file or in the command line
    UNSETTLED = 3  #: neither proved nor refuted within the budget
    DISAGREEMENT = 4  #: two ways to the same verdict differ: a bug of ours
    INTERNAL = 70  #: any other bug of ours
    INTERRUPTED = 130  #: Ctrl-C
    BROKEN_PIPE = 141  #: the reader of our output has gone
