"""Positions: states of a game as short texts that a page opens, and that a link can carry.

Reads:  states, examples.   Writes: `Position`s.
After:  a text says which cells differ from the start, and what chance goes on from; nothing else of the page is needed to open it.
"""

from __future__ import annotations

import struct
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.examples import CompiledReadings, readings_of
from pilgrim_rules.examples.run import Stuck, arranged, settled
from pilgrim_rules.prose import words
from pilgrim_rules.semantics.errors import Contradiction, RulesGameError

_SEVEN_BITS = 0x7F
_MORE = 0x80


class Position(NamedTuple):
    """A state to open.

    group  what it is, such as `example`.     title  its name for readers.     text  as `position_text` writes it.
    """

    group: str
    title: str
    text: str


def position_text(rules: Rules, data: bytes, chance: int = 1, choice: int = 1) -> str:
    """Return a state as a text: both generators, then the bytes that differ from the start, each with its distance from the last."""
    packed = bytearray(struct.pack("<QQ", chance, choice))
    last = 0
    for at, (byte, first) in enumerate(zip(data, rules.code.start, strict=True)):
        if byte != first:
            gap = at - last
            while gap > _SEVEN_BITS:
                packed.append(gap & _SEVEN_BITS | _MORE)
                gap >>= 7
            packed += bytes((gap, byte))
            last = at
    return urlsafe_b64encode(packed).decode().rstrip("=")


def cells_text(rules: Rules, cells: Mapping[str, Sequence[int]]) -> str:
    """Return the same of a state by its cells; what only claims read is left out."""
    known = {field.variable.name: list(cells[field.variable.name]) for field in rules.layout.fields}
    return position_text(rules, rules.layout.encode(known))


def example_positions(rules: Rules) -> Iterator[Position]:
    """Yield what the examples of a game begin with, those left out that are about other rulings."""
    readings = CompiledReadings.from_game(rules.core)
    usual = readings.with_options(())
    for example in rules.core.examples:
        if readings_of(rules.core, example)[0]:
            continue
        with suppress(Contradiction, RulesGameError, RulesError):
            cells = arranged(usual, example)
            with suppress(Contradiction, Stuck):
                cells = settled(usual, cells)
            yield Position("example", words.words(example.name), cells_text(rules, cells))
