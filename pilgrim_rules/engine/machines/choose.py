"""Choosing a machine: WebAssembly if it is installed and can hold the game, otherwise Python.

Reads:  a compiled game.   Writes: a function that makes machines.
After:  nothing is compiled before a machine is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec

from pilgrim_rules.engine.machines.machine import Machine
from pilgrim_rules.engine.machines.python_machine import PythonMachine
from pilgrim_rules.engine.python.compile import Compiled, module_key
from pilgrim_rules.engine.wasm.types import Unprintable

Checks = Mapping[int, Sequence[int]]


@cache
def wasm_is_installed() -> bool:
    """Return whether WebAssembly can be run here."""
    return find_spec("wasmtime") is not None


def machines(code: Compiled, checks: Checks | None = None, *, wasm: bool | None = None) -> Callable[[], Machine]:
    """Return what makes machines of a game; `wasm` says which, instead of what is installed.

    `checks`: the claims that a step by each action can make false.
    """
    if wasm is not False and (wasm or wasm_is_installed()):
        from pilgrim_rules.engine.machines.wasm_machine import WasmCode  # noqa: PLC0415  (an extra)

        try:
            game = (
                code.played if checks else code.made_of
            )  # without claims it is the one that Python's functions were made of
            return WasmCode(game, module_key(code.fingerprint, game), checks).machine
        except Unprintable:
            if wasm:
                raise
    return lambda: PythonMachine(code, checks)
