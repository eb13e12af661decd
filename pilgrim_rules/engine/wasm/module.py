"""Module: a whole game as WebAssembly, in the text format.

Reads:  a core game and its cell code.   Writes: `Module`: the text, and what its users must know of its memory.
After:  the module imports nothing; it exports its memory, the kernels, and what `dispatch` offers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.cells.cell_code import Function, Invoke, Program
from pilgrim_rules.engine.cells.cell_walk import values_in
from pilgrim_rules.engine.cells.share_values import share_values
from pilgrim_rules.engine.kernels import primitives
from pilgrim_rules.engine.wasm.dispatch import SIGNATURES, dispatch
from pilgrim_rules.engine.wasm.functions import Packing, printed
from pilgrim_rules.engine.wasm.memory import RESERVED, aligned, placed
from pilgrim_rules.engine.wasm.packing import MovePacking, move_packing
from pilgrim_rules.engine.wasm.state_words import state_words
from pilgrim_rules.engine.wasm.translate import translated
from pilgrim_rules.semantics.state_layout import StateLayout
from pilgrim_rules.util.fast_dataclass import dataclass

PAGE = 1 << 16
SCRATCH_SIZE = 1 << 12  #: bytes that kernels may use
_KERNELS = (
    "sort",
    "chance",
    "steps",
    "policies",
    "roll_out",
    "tree",
    "play",
    "script",
    "batch",
    "count",
    "images",
    "reach",
)


@dataclass(frozen=True, slots=True)
class WasmModule:
    """The text of a module. `free` is the first address that nothing uses; the memory ends a page or more behind it."""

    text: str
    free: int
    packing: MovePacking


def module(
    game: Game, program: Program, layout: StateLayout, checks: Mapping[int, Sequence[int]], exported: Sequence[str] = ()
) -> WasmModule:
    """Return the module of a game.

    checks    the claims that a step by each action can make false
    exported  functions of the program that the module offers besides
    """
    packing = move_packing(game)
    asked = (*program.groups["CLAIMS"], *program.groups["RANKINGS"])
    claims = sorted({asked[number] or "" for numbers in checks.values() for number in numbers})
    roots = [name for group in ("LEGAL", "APPLY", "WEIGHT", "BY", "SCORE") for name in program.groups.get(group, ())]
    functions = _reached(program, [name for name in (*roots, *claims, *exported) if name is not None])
    memory = placed(program, functions, layout.size)
    own = {
        name: Packing(number << packing.bits, tuple((lo, shift) for lo, shift, _ in packing.fields[number]))
        for number, name in enumerate(program.groups["LEGAL"])
    }
    texts = [
        printed(share_values(each, calls_only=True), memory, program.functions, own.get(each.name))
        for each in functions
    ]
    texts += dispatch(game, program, layout, packing, checks)
    free = aligned(memory.free)
    made = translated(kernel_source(), kernel_constants(game, layout, packing, free), SIGNATURES)
    offered = sorted({*made, *SIGNATURES, *exported} - {"stop"})
    free += SCRATCH_SIZE
    lines = [
        "(module",
        f'(memory (export "memory") {-(-free // PAGE) + 1})',
        f'(data (i32.const {RESERVED}) "{_escaped(memory.constant)}")',
        *_RUNTIME,
        *texts,
        *made.values(),
        *(f'(export "{name}" (func ${name}))' for name in offered),
        ")",
    ]
    return WasmModule("\n".join(lines), free, packing)


def kernel_source() -> str:
    """Return the source of all kernels."""
    folder = Path(primitives.__file__).parent
    return "\n".join((folder / f"{name}.py").read_text("utf-8") for name in _KERNELS)


def _reached(program: Program, roots: Iterable[str]) -> list[Function]:
    """Return functions and all that they call, each once."""
    found: dict[str, Function] = {}
    stack = list(roots)[::-1]
    while stack:
        name = stack.pop()
        if name not in found:
            found[name] = program.functions[name]
            stack.extend(each.function for each in values_in(found[name].body) if isinstance(each, Invoke))
    return list(found.values())


def kernel_constants(game: Game, layout: StateLayout, packing: MovePacking, scratch: int) -> dict[str, int]:
    """Return the numbers that a game gives to kernels."""
    fixed = {name: value for name, value in vars(primitives).items() if name.isupper() and isinstance(value, int)}
    sheet, words = game.score, state_words(game, layout)
    return fixed | {
        "STATE_SIZE": layout.size,
        "STATE_ROOM": aligned(layout.size),
        "PLAYERS": game.player.size,
        "ACTIONS": len(game.actions),
        "LINES": 0 if sheet is None else len(sheet.lines),
        "KEYS": 0 if sheet is None else len(sheet.keys),
        "ARGUMENT_BITS": packing.bits,
        "WORDS": words.words,
        "LAST_WORD": words.last_word,
        "STRIDE": words.stride,
        "SCRATCH": scratch,
    }


def _escaped(data: bytes) -> str:
    return "".join(f"\\{byte:02x}" for byte in data)


def _floor(type_: str) -> Iterator[str]:
    """Yield floor division and its remainder; the divisor is positive."""
    head = f"(param $a {type_}) (param $b {type_}) (result {type_})"
    rest = f"local.get $a local.get $b {type_}.rem_s local.tee $r {type_}.const 0 {type_}.lt_s"
    own = f"(local $r {type_})"
    yield (
        f"(func $floor_mod_{type_} {head} {own} {rest} if local.get $r local.get $b {type_}.add return end local.get $r)"
    )
    less = f"local.get $q {type_}.const 1 {type_}.sub return"
    quotient = f"(local $q {type_}) local.get $a local.get $b {type_}.div_s local.set $q"
    yield f"(func $floor_div_{type_} {head} {own} {quotient} {rest} if {less} end local.get $q)"


_RUNTIME = (
    """(func $stop (param $reason i32) (param $a i64) (param $b i64) (param $c i64)
i32.const 8 local.get $reason i32.store
i32.const 16 local.get $a i64.store
i32.const 24 local.get $b i64.store
i32.const 32 local.get $c i64.store
unreachable)""",
    *_floor("i32"),
    *_floor("i64"),
    # A number of a range without end: it stops the call unless it is less than 2**62 in size, so that a sum of two cannot overflow.
    """(func $held (param $a i64) (result i64)
local.get $a i64.const 62 i64.shr_s i64.const 1 i64.add i64.const 2 i64.ge_u
if i32.const 0 local.get $a i64.const 0 i64.const 0 call $stop end
local.get $a)""",
)
