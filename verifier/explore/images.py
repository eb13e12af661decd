"""Images of states: what the symmetries of a game make of the bytes of a state.

Reads:  a compiled game, and which of its symmetries are proved.   Writes: the table that `kernels/images.py` reads; the least image of a state.
After:  both give the same image of every state.
"""

from __future__ import annotations

import struct
from collections.abc import Collection
from dataclasses import dataclass

from pilgrim_rules.core.footprint import writes
from pilgrim_rules.core.symmetry import Places, group
from pilgrim_rules.engine.kernels.images import IMAGE_HEAD
from pilgrim_rules.engine.machines.machine import Machine
from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.engine.wasm.state_words import StateWords, state_words
from pilgrim_rules.semantics.errors import EngineLimit

_BYTE = struct.Struct("<3I")


@dataclass(frozen=True, slots=True)
class _Byte:
    """One byte of an image: where it goes, where it comes from, and what each value becomes; empty if it stays."""

    to: int
    source: int
    becomes: bytes


@dataclass(frozen=True, slots=True)
class Images:
    """The images of a state, itself left out: each as the bytes that change."""

    each: tuple[tuple[_Byte, ...], ...]
    words: StateWords
    size: int  #: bytes of a state

    @classmethod
    def of(cls, code: Compiled, names: Collection[str]) -> Images | None:
        """Return the images by some symmetries and all that they make together; None if every state is its only image."""
        game = code.game
        found = group([Places.of(game, each) for each in game.symmetries if each.name in names])
        if len(found) == 1:
            return None
        return cls(tuple(_bytes(code, each) for each in found[1:]), state_words(game, code.layout), code.layout.size)

    def least(self, state: bytes) -> bytes:
        """Return the least image of a state, by its words."""
        found = [state]
        for each in self.each:
            image = bytearray(state)
            for byte in each:
                value = state[byte.source]
                image[byte.to] = byte.becomes[value] if byte.becomes else value
            found.append(bytes(image))
        return min(found, key=lambda image: struct.unpack(f"<{self.words.words}Q", self.words.pack(image)))

    def put(self, machine: Machine) -> int:
        """Return the address of the table in a machine's memory."""
        becomes = {byte.becomes: 0 for each in self.each for byte in each}
        for codes in becomes:
            becomes[codes] = machine.put(codes) if codes else 0
        image, packed = machine.allocate(self.size), machine.allocate(8 * self.words.words)
        head = struct.pack("<4I", len(self.each), len(self.each[0]), image, packed)
        assert len(head) == IMAGE_HEAD, "as the kernel reads it"
        rows = (_BYTE.pack(byte.to, byte.source, becomes[byte.becomes]) for each in self.each for byte in each)
        return machine.put(head + b"".join(rows))


def _bytes(code: Compiled, places: Places) -> tuple[_Byte, ...]:
    """Return the bytes of an image that play can change. A cell of several bytes may go elsewhere, but its values must stay."""
    written = frozenset().union(*(writes(action.body) for action in code.game.actions))
    found: list[_Byte] = []
    for field in code.layout.fields:
        variable = field.variable
        if variable.name not in written:
            continue
        codes = places.codes(variable.type)
        becomes = b"" if codes is None else bytes(image - variable.type.lo for image in codes)
        if becomes and field.width > 1:
            raise EngineLimit(f"the values of `{variable.name}` change places, and there are more than 256")
        for source, to in enumerate(places.cells(variable)):
            found += (
                _Byte(field.offset + to * field.width + at, field.offset + source * field.width + at, becomes)
                for at in range(field.width)
            )
    return tuple(found)
