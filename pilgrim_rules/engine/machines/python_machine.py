"""The Python machine: kernels run as they are written, on the compiled Python of a game.

Reads:  a compiled game, the source of the kernels.   Writes: `PythonMachine`.
After:  what a kernel leaves in memory is what the WebAssembly machine leaves there. A contradiction is raised as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import isqrt
from types import CodeType
from typing import Any, NoReturn

from pilgrim_rules.engine.kernels import primitives
from pilgrim_rules.engine.machines.machine import Machine, Stopped
from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.engine.wasm.dispatch import KINDS
from pilgrim_rules.engine.wasm.memory import RESERVED
from pilgrim_rules.engine.wasm.module import SCRATCH_SIZE, kernel_constants, kernel_source
from pilgrim_rules.engine.wasm.packing import move_packing
from pilgrim_rules.engine.wasm.state_words import state_words
from pilgrim_rules.engine.wasm.translate import functions_of, own_constants

_MASK = (1 << 64) - 1


@cache
def _kernel_code() -> tuple[dict[str, int], CodeType]:
    """Return the constants of the kernels, and their functions, which are the same in every game."""
    tree = ast.parse(kernel_source())
    own = own_constants(tree)
    tree.body = [*functions_of(tree)]
    return own, compile(tree, "<kernels>", "exec")


class PythonMachine(Machine):
    """Kernels in Python. `checks`: the claims that a step by each action can make false."""

    def __init__(self, code: Compiled, checks: Mapping[int, Sequence[int]] | None = None) -> None:
        super().__init__(move_packing(code.game), RESERVED + SCRATCH_SIZE)
        self._heap = bytearray(self._free)
        self._code = code
        self._checks = checks or {}
        constants = kernel_constants(code.game, code.layout, self.packing, RESERVED)
        self._kernels: dict[str, Any] = {"i32": int, "i64": int, **constants, **self._memory_functions(), **_WORDS}
        self._kernels |= self._game_functions()
        own, functions = _kernel_code()
        self._kernels |= own
        exec(functions, self._kernels)  # noqa: S102  (our own source)

    def call(self, kernel: str, *args: int) -> int:
        """Run a kernel and return its result."""
        return int(self._kernels[kernel](*args) or 0)

    def view(self, address: int, size: int) -> memoryview:
        """Return memory to read and write."""
        return memoryview(self._heap)[address : address + size]

    def _ensure_memory(self, size: int) -> None:
        if size > len(self._heap):  # a new object: views of the old one stay what they are
            self._heap = self._heap + bytes(size - len(self._heap))

    # ------------------------------------------------------------------------------------------------------- primitives

    def _load(self, size: int, *, signed: bool = False) -> Callable[[int], int]:
        return lambda at: int.from_bytes(self._heap[at : at + size], "little", signed=signed)

    def _store(self, size: int) -> Callable[[int, int], None]:
        mask = (1 << 8 * size) - 1

        def store(at: int, value: int) -> None:
            self._heap[at : at + size] = (value & mask).to_bytes(size, "little")

        return store

    def _memory_functions(self) -> dict[str, Any]:
        def copy(to: int, source: int, size: int) -> None:
            self._heap[to : to + size] = self._heap[source : source + size]

        def fill(to: int, value: int, size: int) -> None:
            self._heap[to : to + size] = bytes([value]) * size

        return {
            "load8": self._load(1), "load32": self._load(4, signed=True), "load64": self._load(8, signed=True),
            "load_word": self._load(8), "store8": self._store(1), "store32": self._store(4), "store64": self._store(8),
            "copy": copy, "fill": fill,
        }  # fmt: skip

    def _state(self, address: int) -> bytes:
        return bytes(self._heap[address : address + self._code.layout.size])

    def _game_functions(self) -> dict[str, Any]:
        code, game, packing = self._code, self._code.game, self.packing
        stages, automata = {stage.code: stage for stage in game.stages}, frozenset(game.automata)
        names = [claim.name for claim in game.claims]
        kinds = [claim.kind for claim in game.claims]
        store, short, load = self._store(8), self._store(4), self._load(4)

        def kind(state: int) -> int:
            data = self._state(state)
            stage = stages[code.stage_code(data)]
            return KINDS.index(
                "auto" if automata and stage.by is not None and code.by(data) in automata else stage.kind
            )

        def by(state: int) -> int:
            player = code.by(self._state(state))
            return game.player.size if player is None else player

        def moves(state: int, out: int) -> int:
            data = self._state(state)
            stage = code.stage_code(data)
            for number, action in enumerate(game.actions):
                if stage in action.stages:
                    for args in code.legal_of[number](data):
                        store(out, packing.pack((number, args)))
                        out += 8
            return out

        def apply(state: int, to: int, move: int) -> None:
            number, args = packing.unpack(move)
            self._heap[to : to + code.layout.size] = code.apply_of[number](self._state(state), *args)

        def weight(state: int, move: int) -> int:
            return code.weight(self._state(state), *packing.unpack(move))

        def numbers_to(function: Callable[[bytes, int], tuple[int, ...]]) -> Callable[[int, int, int], None]:
            def write(state: int, player: int, to: int) -> None:
                for at, value in enumerate(function(self._state(state), player)):
                    store(to + 8 * at, value)

            return write

        def broken(before: int, after: int, action: int) -> Iterator[int]:
            states = self._state(before), self._state(after)
            for number in self._checks.get(action, ()):
                if number >= len(names):
                    ranking = game.rankings[number - len(names)].name
                    holds = code.ranking(ranking, states[1]) < code.ranking(ranking, states[0])
                else:
                    first = states[0] if kinds[number] == "step" else states[1]
                    holds = code.holds(names[number], first, states[1])
                if not holds:
                    yield number

        def check(before: int, after: int, action: int) -> int:
            return next(broken(before, after, action), -1) + 1

        def note(before: int, after: int, action: int, met: int, game: int, step: int) -> None:
            for number in broken(before, after, action):
                if not load(met + 8 * number):
                    short(met + 8 * number, game)
                    short(met + 8 * number + 4, step)

        words = state_words(game, code.layout)

        def pack(state: int, to: int) -> None:
            whole = self._state(state)
            if not words.keeps(whole):
                raise Stopped(primitives.CLAIM_BROKEN)
            self._heap[to : to + 8 * words.words] = words.pack(whole)

        def unpack(state: int, source: int) -> None:
            packed = bytes(self._heap[source : source + 8 * words.words])
            self._heap[state : state + code.layout.size] = words.unpack(packed, self._state(state))

        def stop(reason: int, _first: int, _second: int, _third: int) -> NoReturn:
            raise Stopped(reason)

        return {
            "kind": kind, "by": by, "moves": moves, "apply": apply, "weight": weight, "check": check, "note": note, "stop": stop,
            "pack": pack, "unpack": unpack,
            "score_to": numbers_to(code.score), "rank_to": numbers_to(code.rank),
        }  # fmt: skip


_WORDS: dict[str, Callable[..., int]] = {
    "add64": lambda left, right: (left + right) & _MASK,
    "sub64": lambda left, right: (left - right) & _MASK,
    "mul64": lambda left, right: (left * right) & _MASK,
    "rem64": lambda left, right: left % right,
    "less64": lambda left, right: int(left < right),
    "narrow": lambda value: value,
    "log2": lambda value: value.bit_length() - 1,
    "root": isqrt,
}
