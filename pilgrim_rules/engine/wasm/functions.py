"""Functions: cell code's functions as WebAssembly, in the text format.

Reads:  functions, where things lie, how moves are packed.   Writes: text.
After:  a function changes nothing but the state it was given to write, its arrays and its copies; or it has called `$stop`, which
        notes why and ends the call. A state is its address; a search takes the address to write to, and gives the one behind
        what it wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import assert_never

from pilgrim_rules.core.intervals import join
from pilgrim_rules.engine.cells.cell_code import (
    WORK,
    AddSlot,
    Block,
    Break,
    Clear,
    Continue,
    Copy,
    Emit,
    For,
    Function,
    If,
    Local,
    Not,
    NumberRange,
    Return,
    Set,
    SetSlot,
    Statement,
    Stop,
    StopKind,
    Store,
    TableRow,
    Tee,
    UpTo,
    Value,
)
from pilgrim_rules.engine.cells.cell_walk import statements, values_in
from pilgrim_rules.engine.wasm.memory import Memory
from pilgrim_rules.engine.wasm.types import Stored, Unprintable, type_of
from pilgrim_rules.engine.wasm.values import Values, result_types
from pilgrim_rules.util.fast_dataclass import dataclass

STOPS: tuple[StopKind, ...] = (
    "range",
    "twice",
    "checked",
    "outside",
    "divisor",
)  #: by the number that `$stop` is given
STOP_ARGS = 3
_FEW_BYTES = 128
_MOST_LOCALS = 50_000  # a limit of every implementation of WebAssembly
MOVE = Stored(8)  #: how a packed move is stored


@dataclass(frozen=True, slots=True)
class Packing:
    """How a move is packed into one number: the bits of its action, and of each argument the lowest value and the shift."""

    action: int
    fields: tuple[tuple[int, int], ...]


def printed(
    function: Function, memory: Memory, functions: Mapping[str, Function], packing: Packing | None = None
) -> str:
    """Return the text of a function; that of a search needs to know how its moves are packed."""
    return "\n".join(_Printer(function, memory, functions, packing).lines())


class _Printer:
    def __init__(
        self, function: Function, memory: Memory, functions: Mapping[str, Function], packing: Packing | None
    ) -> None:
        self._function = function
        self._memory = memory
        self._packing = packing
        self._declared = {each.name: each.range for each in function.params}
        for local in _set_locals(function.body):
            self._declared[local.name] = join(self._declared.get(local.name, local.range), local.range)
        self._values = Values(self._declared, memory, functions)
        self._numbers = count(1)
        self._loops: list[int] = []

    def lines(self) -> Iterator[str]:
        function = self._function
        body = list(self._block(function.body))
        states = [*function.states, *{"moves": ["out"], "state": [WORK]}.get(function.result, [])]
        head = [f"(param ${name} i32)" for name in states]
        head += [f"(param ${each.name} {type_of(each.range)})" for each in function.params]
        yield f"(func ${function.name} {' '.join([*head, *self._results()])}"
        params = {each.name for each in function.params}
        types = {name: type_of(range_) for name, range_ in self._declared.items() if name not in params}
        own = types | self._values.own_locals
        if len(own) + len(head) > _MOST_LOCALS:
            raise Unprintable(f"{function.name} needs more than {_MOST_LOCALS:,} locals")
        if own:
            yield " ".join(f"(local ${name} {type_})" for name, type_ in own.items())
        for name in self._values.own_locals.keys() & self._memory.copies.keys():
            yield f"i32.const {self._memory.copies[name]} local.set ${name}"
        if function.sorts:
            yield "local.get $out local.set $begin"
        yield from body
        if function.result == "moves":
            yield "local.get $begin local.get $out call $sort local.get $out" if function.sorts else "local.get $out"
        elif function.result != "state":
            yield "unreachable"  # every way through ends with a return
        yield ")"

    def _results(self) -> list[str]:
        match self._function.result:
            case "number" | "numbers":
                return [f"(result {type_})" for type_ in result_types(self._function)]
            case "moves":
                if self._function.sorts:
                    self._values.own_locals["begin"] = "i32"
                return ["(result i32)"]
            case "state":
                return []
            case _:
                assert_never(self._function.result)

    # ------------------------------------------------------------------------------------------------------ statements

    def _block(self, block: Block) -> Iterator[str]:
        for statement in block:
            yield from self._statement(statement)

    def _statement(self, statement: Statement) -> Iterator[str]:
        value = self._values.value
        match statement:
            case Set(local=local, value=set_to):
                yield f"{value(set_to, type_of(self._declared[local.name]))} local.set ${local.name}"
            case Store(state=state, at=at, value=stored, width=width):
                text, offset = self._values.state_address(state, at)
                yield f"{text} {value(stored, Stored(width).type)} {Stored(width).store(Stored(width).type, offset)}"
            case SetSlot(array=array, at=at, value=stored):
                placed = self._memory.arrays[array]
                text, offset = self._values.place(placed, at)
                yield f"{text} {value(stored, placed.item.type)} {placed.item.store(placed.item.type, offset)}"
            case AddSlot(array=array, at=at, value=added):
                item = self._memory.arrays[array].item
                text, offset = self._values.place(self._memory.arrays[array], at)
                add = f"{text} {item.load(offset)} {value(added, item.type)} {item.type}.add"
                yield f"{text} {add} {item.store(item.type, offset)}"
            case If():
                yield from self._if(statement)
            case For():
                self._loops.append(next(self._numbers))
                yield from self._for(statement)
                self._loops.pop()
            case Break():
                yield f"br $end{self._loops[-1]}"
            case Continue():
                yield f"br $next{self._loops[-1]}"
            case Return(values=values):
                yield self._return(values)
            case Emit(values=values):
                yield self._emit(values)
            case Copy(state=state, source=source):
                to = WORK if state == WORK else self._values.state(state)
                yield copied(to, source, self._memory.state_size)
            case Clear(array=array):
                address, size = self._memory.arrays[array].address, self._memory.sizes[array]
                yield f"i32.const {address} i32.const 0 i32.const {size} memory.fill"
            case Stop(kind=kind, args=args):
                texts = [value(each, "i64") for each in args] + ["i64.const 0"] * (STOP_ARGS - len(args))
                yield f"i32.const {STOPS.index(kind)} {' '.join(texts)} call $stop unreachable"
            case _:
                assert_never(statement)

    def _if(self, statement: If) -> Iterator[str]:
        then, other = statement.then, statement.other
        test = statement.test
        if not other and len(then) == 1 and isinstance(then[0], Break | Continue):
            (jump,) = self._statement(then[0])
            yield f"{self._values.value(test, 'i32')} br_if {jump.removeprefix('br ')}"
            return
        if isinstance(test, Not) and other:
            test, then, other = test.value, other, then
        yield f"{self._values.value(test, 'i32')} if"
        yield from self._block(then)
        if other:
            yield "else"
            yield from self._block(other)
        yield "end"

    def _return(self, values: tuple[Value, ...]) -> str:
        match self._function.result:
            case "number" | "numbers":
                types = result_types(self._function)
                texts = [self._values.value(each, type_) for each, type_ in zip(values, types, strict=True)]
                return " ".join([*texts, "return"])
            case "moves":
                return "local.get $out return"  # nothing has been found yet, or it is in order
            case "state":
                return "return"
            case _:
                assert_never(self._function.result)

    def _emit(self, values: tuple[Value, ...]) -> str:
        packing = self._packing
        assert packing is not None, "a search needs to know how moves are packed"
        text = f"local.get $out i64.const {packing.action - sum(lo << shift for lo, shift in packing.fields)}"
        for (_, shift), each in zip(packing.fields, values, strict=True):
            shifted = f"i64.const {shift} i64.shl " if shift else ""
            text += f" {self._values.value(each, 'i64')} {shifted}i64.add"
        return f"{text} {MOVE.store('i64')} local.get $out i32.const {MOVE.width} i32.add local.set $out"

    # ----------------------------------------------------------------------------------------------------------- loops

    def _for(self, statement: For) -> Iterator[str]:
        match statement.over:
            case NumberRange() as over:
                return self._span(statement, over)
            case UpTo(limit=limit):
                return self._up_to(statement, limit)
            case TableRow() as over:
                return self._row(statement, over)
            case _:
                assert_never(statement.over)

    def _body(self, body: Block) -> Iterator[str]:
        """Yield the body of a loop, with a place to go to for the next round if it needs one."""
        number = self._loops[-1]
        lines = list(self._block(body))
        needs_next = any(f"$next{number}" in line for line in lines)
        yield from [f"block $next{number}", *lines, "end"] if needs_next else lines

    def _span(self, statement: For, over: NumberRange) -> Iterator[str]:
        name = statement.local.name
        number = self._loops[-1]
        step, test = (1, "lt_s") if over.first <= over.last else (-1, "gt_s")
        yield f"i32.const {over.first} local.set ${name}"
        yield f"block $end{number} loop $loop{number}"
        yield from self._body(statement.body)
        again = f"local.get ${name} i32.const {over.last} i32.{test}"
        yield f"{again} if local.get ${name} i32.const {step} i32.add local.set ${name} br $loop{number} end"
        yield "end end"

    def _up_to(self, statement: For, limit: Value) -> Iterator[str]:
        name, most = statement.local.name, self._values.own_local("i32")
        number = self._loops[-1]
        yield f"i32.const 0 local.set ${name} {self._values.value(limit, 'i32')} local.set ${most}"
        yield f"block $end{number} loop $loop{number}"
        yield f"local.get ${name} local.get ${most} i32.ge_s br_if $end{number}"
        yield from self._body(statement.body)
        yield f"local.get ${name} i32.const 1 i32.add local.set ${name} br $loop{number}"
        yield "end end"

    def _row(self, statement: For, over: TableRow) -> Iterator[str]:
        """Yield a loop over a row: an address goes from the row's first number to behind its last."""
        name, at, end = statement.local.name, self._values.own_local("i32"), self._values.own_local("i32")
        number = self._loops[-1]
        rows = self._memory.rows[over.table]
        item = rows.numbers.item
        value = self._values.value
        if rows.starts is None:
            size = rows.length * item.width
            yield f"{value(over.at, 'i32')} i32.const {size} i32.mul i32.const {rows.numbers.address} i32.add local.tee ${at}"
            yield f"i32.const {size} i32.add local.set ${end}"
        else:
            starts = rows.starts
            own = self._values.own_local("i32")
            scale = f" i32.const {item.width} i32.mul" if item.width > 1 else ""
            base = f"{scale} i32.const {rows.numbers.address} i32.add"
            yield f"{value(over.at, 'i32')} i32.const {starts.item.width} i32.mul local.tee ${own}"
            yield f"{starts.item.load(starts.address)}{base} local.set ${at}"
            yield f"local.get ${own} {starts.item.load(starts.address + starts.item.width)}{base} local.set ${end}"
        yield f"block $end{number} loop $loop{number}"
        yield f"local.get ${at} local.get ${end} i32.ge_u br_if $end{number}"
        yield f"local.get ${at} {item.load()} local.set ${name}"
        yield from self._body(statement.body)
        yield f"local.get ${at} i32.const {item.width} i32.add local.set ${at} br $loop{number}"
        yield "end end"


def copied(to: str, source: str, size: int) -> str:
    """Return code that copies bytes between two addresses in locals; few of them one word after the other, which is quicker."""
    if size > _FEW_BYTES:
        return f"local.get ${to} local.get ${source} i32.const {size} memory.copy"
    texts, at = list[str](), 0
    for width in (8, 4, 2, 1):
        while size - at >= width:
            type_, bits = ("i64", "") if width == 8 else ("i32", "" if width == 4 else str(8 * width))  # noqa: PLR2004  (bytes)
            load = f"{type_}.load{bits}{'_u' if bits else ''} offset={at}"
            texts.append(f"local.get ${to} local.get ${source} {load} {type_}.store{bits} offset={at}")
            at += width
    return " ".join(texts)


def _set_locals(block: Block) -> Iterator[Local]:
    """Yield every local that is given a value in a block."""
    for statement in statements(block):
        if isinstance(statement, Set | For):
            yield statement.local
    for value in values_in(block):
        if isinstance(value, Tee):
            yield value.local
