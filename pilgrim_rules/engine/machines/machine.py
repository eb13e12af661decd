"""Machine: memory, and kernels that work on it.

Reads:  nothing.   Writes: `Machine`, which `wasm_machine` and `python_machine` give.
After:  the same calls on the same memory give the same results on every machine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from pilgrim_rules.engine.wasm.packing import MovePacking

_ALIGNED = 8


class Stopped(Exception):
    """A kernel ended early: the rules contradict themselves. `reason` is a number of `STOPS` or of `primitives`."""

    def __init__(self, reason: int) -> None:
        super().__init__(reason)
        self.reason = reason


class Machine(ABC):
    """Memory, given out from low addresses to high ones and never taken back, and kernels."""

    def __init__(self, packing: MovePacking, free: int) -> None:
        self.packing = packing
        self._free = free

    def allocate(self, size: int) -> int:
        """Return the address of this many bytes, which hold zeros."""
        address = self._free
        self._free = -(-(address + size) // _ALIGNED) * _ALIGNED
        self._ensure_memory(self._free)
        return address

    def put(self, data: bytes) -> int:
        """Return an address at which these bytes lie from now on."""
        address = self.allocate(len(data))
        self.view(address, len(data))[:] = data
        return address

    @abstractmethod
    def call(self, kernel: str, *args: int) -> int:
        """Run a kernel and return its result, 0 if it has none; `Stopped` if it ends early."""

    @abstractmethod
    def view(self, address: int, size: int) -> memoryview:
        """Return memory to read and write; it stays valid until memory is allocated again."""

    @abstractmethod
    def _ensure_memory(self, size: int) -> None:
        """Make memory at least as large as this."""
