"""States: the set of all states found so far, in the order of their finding, with the way each was found.

Reads:  batches of packed states.   Writes: which of them are new; for each state its parent and the move between.
After:  no state is in the set twice: two states are the same if all their words are, never because of a hash.

An open-addressed hash table holds the numbers of the states, and whole batches are put into it at once: all of a batch
look at their slots; those that find an empty one write their claim, and the last claim written wins; those that find
another state go on to the next slot. States are numbered as they are found, so the levels of a breadth-first search are
stretches of numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.explore.runtime import Numbers, Truths, Words, columns

EMPTY = -1
SMALLEST = 1 << 12  #: room for this many states to begin with
QUICKLY = 1 << 19  #: up to this many the room is more than doubled each time: growing costs more than memory here
_ODD = 0x9E3779B97F4A7C15  # 2 ** 64 divided by the golden ratio: its multiples are spread evenly


class OutOfBudget(Exception):
    """The search would need more than it was given."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a search may hold: states, and bytes for them."""

    states: int
    bytes: int


class States:
    """A growing set of states; `words` has a line for each word and a column for each state and some to spare."""

    def __init__(self, words: int, bits: int, budget: Budget) -> None:
        self.count = 0
        self.words: Words = np.empty((words, SMALLEST), dtype=np.int64)
        self.parents: NDArray[np.int32] = np.empty(SMALLEST, dtype=np.int32)
        self.moves: Numbers = np.empty(SMALLEST, dtype=np.int64)
        self._slots: NDArray[np.int32] = np.full(2 * SMALLEST, EMPTY, dtype=np.int32)
        self._bits = bits if words == 1 else 64
        self._budget = budget

    @property
    def bytes(self) -> int:
        """How much memory the set takes."""
        return self.words.nbytes + self.parents.nbytes + self.moves.nbytes + self._slots.nbytes

    def add(self, batch: Words) -> Numbers:
        """Add the states that are new; return their columns in the batch, in the order of their numbers."""
        self._make_room(batch.shape[1])
        found: list[Numbers] = []
        left, slot = columns(batch.shape[1]), self._hash(batch)
        while len(left):
            held = self._slots[slot]
            free = np.flatnonzero(held == EMPTY)
            if len(free):
                won = self._claim(slot[free])
                new = left[free[won]]
                end = self.count + len(new)
                self._slots[slot[free[won]]] = np.arange(self.count, end, dtype=np.int32)
                self.words[:, self.count : end] = batch[:, new]
                self.count = end
                held[free] = self._slots[slot[free]]
                found.append(new)
            other = np.flatnonzero(self._differ(held, batch, left))
            left, slot = left[other], (slot[other] + 1) & (len(self._slots) - 1)
        if self.count > self._budget.states:
            raise OutOfBudget(f"the budget of {self._budget.states:,} states is used up")
        return np.concatenate(found) if found else columns(0)

    def came_from(self, new: int, parents: Numbers, moves: Numbers) -> None:
        """Say how the states numbered from `new` on were found."""
        self.parents[new : self.count] = parents
        self.moves[new : self.count] = moves

    def _hash(self, batch: Words) -> Numbers:
        size = (len(self._slots) - 1).bit_length()
        if self._bits <= size:  # each possible state has a slot of its own
            return np.asarray(batch[0])
        mixed = batch[0].view(np.uint64) * np.uint64(_ODD)
        for line in batch[1:]:
            mixed = ((mixed >> np.uint64(29)) ^ mixed ^ line.view(np.uint64)) * np.uint64(_ODD)
        return np.asarray(mixed >> np.uint64(64 - size)).view(np.int64)

    def _claim(self, slot: Numbers) -> Numbers:
        """Write a claim into each of these empty slots; return which claims stand."""
        mine = EMPTY - 1 - np.arange(len(slot), dtype=np.int32)
        self._slots[slot] = mine
        return np.flatnonzero(self._slots[slot] == mine)

    def _differ(self, held: NDArray[np.int32], batch: Words, left: Numbers) -> Truths:
        """Return whether the states held in the set are others than those of the batch."""
        all_of_it = len(left) == batch.shape[1]
        differ = np.zeros(len(left), dtype=np.bool_)
        for mine, theirs in zip(self.words, batch, strict=True):
            differ |= mine[held] != (theirs if all_of_it else theirs[left])
        return differ

    def _make_room(self, more: int) -> None:
        needed = self.count + more
        if needed <= self.words.shape[1]:
            return
        room = 1 << (needed - 1).bit_length()
        if room < QUICKLY:
            room *= 2
        slots = min(2 * room, 1 << self._bits)
        while_growing = self.bytes + room * (8 * len(self.words) + 12) + 4 * slots
        if while_growing > self._budget.bytes:
            limit, wanted = f"{self._budget.bytes / 2**20:,.0f} MiB", f"{while_growing / 2**20:,.0f} MiB"
            raise OutOfBudget(f"the budget of {limit} is used up: to go on, {wanted} would be needed")
        self.words = _longer(self.words, room)
        self.parents = _longer(self.parents, room)
        self.moves = _longer(self.moves, room)
        self._slots = np.full(slots, EMPTY, dtype=np.int32)
        left = np.arange(self.count, dtype=np.int32)
        slot = self._hash(self.words[:, : self.count])
        while len(left):  # all of them differ: who finds a slot taken goes on
            free = self._slots[slot] == EMPTY
            at = np.flatnonzero(free)
            won = at[self._claim(slot[at])]
            self._slots[slot[won]] = left[won]
            free[:] = True
            free[won] = False
            left, slot = left[free], (slot[free] + 1) & (len(self._slots) - 1)


def _longer(array: NDArray[Any], room: int) -> NDArray[Any]:
    longer = np.empty((*array.shape[:-1], room), dtype=array.dtype)
    longer[..., : array.shape[-1]] = array
    return longer
