"""The WebAssembly machine: a game's module, run by `wasmtime`.

Reads:  a core game, or what the cache has kept of its module.   Writes: `WasmCode`, which makes machines.
After:  machines of one code share the compiled module and nothing else, so each thread can have one; a call leaves Python's lock
        to others.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.metadata import version
from typing import Any

import wasmtime

from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.machines.machine import Machine, Stopped
from pilgrim_rules.engine.wasm.module import PAGE, module
from pilgrim_rules.engine.wasm.packing import move_packing
from pilgrim_rules.semantics.state_layout import layout
from pilgrim_rules.util import text_cache
from pilgrim_rules.util.code_hash import code_hash
from pilgrim_rules.util.collection import without_collection

_REASON = 8  #: the address of what `$stop` notes
_NOT_STOPPED = 0xFFFFFFFF
_SUFFIX = ".cwasm"


def assemble(text: str) -> bytes:
    """Return the binary form of a module: the same text gives the same bytes."""
    return bytes(wasmtime.wat2wasm(text))


class WasmCode:
    """The module of a game, compiled for this processor. `checks`: the claims that a step by each action can make false."""

    def __init__(self, game: Game, key: str, checks: Mapping[int, Sequence[int]] | None = None) -> None:
        self.packing = move_packing(game)
        self.engine = wasmtime.Engine()
        self.module, self.free = self._module(game, key, checks or {})

    def _module(self, game: Game, key: str, checks: Mapping[int, Sequence[int]]) -> tuple[wasmtime.Module, int]:
        text = f"{key} {sorted(checks.items())} {version('wasmtime')} {code_hash('pilgrim_rules.engine')}"
        kept_as = sha256(text.encode()).hexdigest()
        kept = text_cache.read_bytes(kept_as, _SUFFIX)
        if kept is not None:
            try:
                return wasmtime.Module.deserialize(self.engine, kept[4:]), int.from_bytes(kept[:4], "little")
            except wasmtime.WasmtimeError:  # made for another processor
                pass
        from pilgrim_rules.engine.lower.program import lowered  # noqa: PLC0415  (most uses find the module in the cache)

        with without_collection():
            made = module(game, lowered(game), layout(game), checks)
        compiled = wasmtime.Module(self.engine, assemble(made.text))
        text_cache.write_bytes(kept_as, made.free.to_bytes(4, "little") + bytes(compiled.serialize()), _SUFFIX)
        return compiled, made.free

    def machine(self) -> WasmMachine:
        """Return a new machine with memory of its own."""
        return WasmMachine(self)


class WasmMachine(Machine):
    """An instance of a game's module."""

    def __init__(self, code: WasmCode) -> None:
        super().__init__(code.packing, code.free)
        self._store = wasmtime.Store(code.engine)
        self._exports: Any = wasmtime.Instance(self._store, code.module, []).exports(self._store)
        self._memory: Any = self._exports["memory"]
        self._functions: dict[str, Any] = {}

    def call(self, kernel: str, *args: int) -> int:
        """Run a kernel and return its result."""
        function = self._functions.get(kernel)
        if function is None:
            function = self._functions[kernel] = self._exports[kernel]
        reason = self.view(_REASON, 4).cast("I")
        reason[0] = _NOT_STOPPED
        try:
            found = function(self._store, *(arg if arg < 1 << 63 else arg - (1 << 64) for arg in args))
        except wasmtime.Trap:
            if reason[0] == _NOT_STOPPED:
                raise
            raise Stopped(reason[0]) from None
        return int(found or 0)

    def view(self, address: int, size: int) -> memoryview:
        """Return memory to read and write."""
        assert address + size <= self._memory.data_len(self._store), "memory has to be allocated first"
        begin = ctypes.addressof(self._memory.data_ptr(self._store).contents) + address
        block: Any = (ctypes.c_ubyte * size).from_address(begin)
        block.owner = self  # the memory stays as long as anybody looks at it
        return memoryview(block).cast("B")

    def _ensure_memory(self, size: int) -> None:
        missing = size - int(self._memory.data_len(self._store))
        if missing > 0:
            self._memory.grow(self._store, -(-missing // PAGE))
