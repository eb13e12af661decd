"""A part of a native search: the states that one machine keeps, and the letters between it and the others.

Reads:  a compiled game, a machine.   Writes: states in the machine's memory.
After:  what a part does depends on its letters alone, not on when they came.

A state takes the bytes of its bits, 4 for the number of its parent, and at most 11 of a table. The move between the two is found again when
somebody asks for a play.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from dataclasses import dataclass

from pilgrim_rules.engine.affected_claims import count_claims
from pilgrim_rules.engine.kernels.reach import LETTER_HEAD
from pilgrim_rules.engine.machines.machine import Machine
from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.engine.tree_search import room_for_moves
from pilgrim_rules.engine.wasm.state_words import StateWords, state_words
from verifier.explore.images import Images

#: A search in memory, see `kernels/reach.py`, and where some of its numbers stand in it.
_RECORD = struct.Struct("<22I")
_MASK, _COUNT, _OVER = 12, 20, 52
_NEVER = 0xFFFFFFFF
_FIRST_SLOTS = 1 << 12
_LETTER = 1 << 21  #: bytes of one letter, unless a state has more moves
_DIRECT_BITS = 31  #: packed states that fit into a slot
_MARKED_BITS = 33  #: packed states of which each may have a bit in memory
_MOST_BYTES = (1 << 32) - (64 << 20)  #: that a machine can address


@dataclass(frozen=True, slots=True)
class PartLimits:
    """How many states a part may have, and how many bytes for them."""

    states: int
    bytes: int


class SearchPart:
    """One of several parts; `starts` are the numbers of the first states of each level."""

    def __init__(
        self,
        code: Compiled,
        machine: Machine,
        first: bytes,
        limits: PartLimits,
        place: tuple[int, int],
        *,
        check: bool,
        images: Images | None = None,
    ) -> None:
        self.code, self.machine, self.first = code, machine, first
        self.part, self.parts = place
        self.words: StateWords = state_words(code.game, code.layout)
        self.starts: list[int] = []
        self.next = self.end = 0
        sizes = _sizes(self.words, limits)
        beyond = room_for_moves(code) // 8  # what follows the last state may go so far beyond the limit
        self.capacity = sizes.states if sizes.states == limits.states else max(1, sizes.states - beyond)
        room, letter = self.capacity + beyond + 1, max(_LETTER, beyond * (LETTER_HEAD + 8 * self.words.words))
        self._used = machine.allocate(8 * len(code.game.actions))
        self._notes = machine.allocate(8 * count_claims(code.game) + 8) if check else 0
        states = [machine.put(first), machine.put(first)]
        self._packed = machine.put(self.words.pack(first))
        out = machine.allocate(room_for_moves(code))
        self._letter, self._lengths = letter, machine.allocate(4 * self.parts)
        self._outbox, self._inbox = (machine.allocate(letter * self.parts if self.parts > 1 else 0) for _ in range(2))
        self._arrived = [0] * self.parts  # bytes of the letter from each part
        self._images = 0 if images is None else images.put(machine)
        self._search = machine.allocate(_RECORD.size)
        table = machine.allocate(sizes.table)
        self._parents = machine.allocate(4 * room)
        self._states = machine.allocate(self.words.stride * room + 8)
        machine.view(self._search, _RECORD.size)[:] = _RECORD.pack(
            self._states, self._parents, table, max(sizes.slots - 1, 0), 65 - sizes.slots.bit_length() if sizes.slots else 0,
            0, self.capacity, *states, self._packed, out, self._used, self._notes, 0, self.words.bits <= _DIRECT_BITS,
            self.parts, self.part, self._outbox, letter, self._lengths, sizes.marked_from,
            self._images,
        )  # fmt: skip

    def begin(self) -> None:
        """Add the start, if it belongs here."""
        mixed = self.machine.call("mixed_of", self._packed)
        if self.machine.call("part_of", mixed, self.parts) == self.part:
            self.machine.call("is_new", self._search, self._packed, mixed)

    def open_level(self) -> None:
        """Take in what has come: all states that are there and not expanded make the next level."""
        if self.take_in():
            self.next, self.end = self.end, self.count
            self.starts.append(self.next)

    def go_on(self, most: int) -> bool:
        """Take in what has come, and expand states of this level, at most this many; return whether there is room."""
        if not self.take_in():
            return False
        upto = min(self.next + most, self.end)
        self.next = self.machine.call("reach_on", self._search, self.next, upto)
        return self.next == upto or self.count <= self.capacity

    def take_in(self) -> bool:
        """Add the states of the letters that have come; return whether there is room."""
        for sender, size in enumerate(self._arrived):
            letter = self._inbox + sender * self._letter
            if size and not self.machine.call("take_in", self._search, letter, letter + size):
                return False
            self._arrived[sender] = 0
        return True

    def send(self, to: SearchPart) -> None:
        """Carry the letter to another part."""
        length = self.machine.view(self._lengths + 4 * to.part, 4).cast("I")
        size = length[0]
        if size:
            letter = self.machine.view(self._outbox + to.part * self._letter, size)
            to.machine.view(to._inbox + self.part * self._letter, size)[:] = letter
        to._arrived[self.part] = size
        length[0] = 0

    # ----------------------------------------------------------------------------------------------------- what it holds

    def _number(self, offset: int) -> int:
        return self.machine.view(self._search + offset, 4).cast("I")[0]

    @property
    def count(self) -> int:
        """How many states there are."""
        return self._number(_COUNT)

    @property
    def finished(self) -> int:
        """In how many of the expanded states the game is over."""
        return self._number(_OVER)

    @property
    def size(self) -> int:
        """How many bytes hold the states."""
        mask = self._number(_MASK)
        table = 4 * (mask + 1) if mask else 1 << max(self.words.bits - 3, 0)
        return self.count * (self.words.stride + 4) + table

    @property
    def stand_for(self) -> int:
        """How many states those that there are stand for, by symmetry."""
        return self.machine.call("all_images", self._search, 0, self.count) if self._images else self.count

    def steps(self) -> list[int]:
        """Return how often each action was used."""
        return self.machine.view(self._used, 8 * len(self.code.game.actions)).cast("Q").tolist()

    def noted(self, claim: int) -> int | None:
        """Return the number of the first state here in which a claim is false."""
        number = self.machine.view(self._notes + 8 * claim, 4).cast("I")[0]
        return number - 1 if number else None

    def level(self, number: int) -> int:
        """Return the level of a state."""
        return bisect_right([*self.starts, self.end], number)

    def parent(self, number: int) -> tuple[int, int]:
        """Return part and number of the state from which a state was reached first."""
        found, part = divmod(self.machine.view(self._parents + 4 * number, 4).cast("I")[0], self.parts)
        return part, found

    def state(self, number: int) -> bytes:
        """Return a state."""
        size = self.words.stride
        packed = bytes(self.machine.view(self._states + size * number, size)) + bytes(8 * self.words.words - size)
        return self.words.unpack(packed, self.first)


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Bytes of the table, its slots at first (0: it has a bit for each state that could be), the mask from which on it has, room for how many states."""

    table: int
    slots: int
    marked_from: int
    states: int


def _sizes(words: StateWords, limits: PartLimits) -> _Sizes:
    room = min(limits.bytes, _MOST_BYTES)
    state = words.stride + 4
    if words.bits <= _MARKED_BITS and (eights := 1 << max(words.bits - 3, 0)) <= room // 4:
        at_once = eights <= 8 * _FIRST_SLOTS
        states = min((room - eights) // state, limits.states)
        return _Sizes(eights, 0 if at_once else _FIRST_SLOTS, _NEVER if at_once else eights // 4 - 1, states)
    slots, states = _FIRST_SLOTS, 1
    best = slots, states
    while 4 * slots < room:
        states = min(slots // 4 * 3 - 3, (room - 4 * slots) // state, limits.states)
        if states > best[1]:
            best = slots, states
        slots *= 2
    return _Sizes(4 * best[0], _FIRST_SLOTS, _NEVER, best[1])
