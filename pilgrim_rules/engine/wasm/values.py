"""Values: cell code's values as WebAssembly, in the text format, instruction after instruction.

Reads:  values, where things lie, the functions that are called.   Writes: text that leaves the value on the stack.
After:  a truth is 0 or 1. Both sides of a connective or choice are evaluated where that is quicker and can do no harm.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import assert_never

from pilgrim_rules.core.intervals import Interval, inside, join
from pilgrim_rules.core.operators import OPERATIONS
from pilgrim_rules.engine.cells.cell_code import (
    AskGraph,
    Binary,
    BinaryOp,
    Choose,
    Function,
    Invoke,
    Load,
    Local,
    Logic,
    Not,
    Number,
    Return,
    Slot,
    TableItem,
    Tee,
    Value,
)
from pilgrim_rules.engine.cells.cell_values import is_simple, split_constant
from pilgrim_rules.engine.cells.cell_walk import parts, statements
from pilgrim_rules.engine.wasm.memory import RESERVED, Memory, Placed
from pilgrim_rules.engine.wasm.types import I64, Stored, Unprintable, is_open, type_of

_CHEAP = 8  #: operations that are quicker than a branch around them
_HARMLESS: Interval = (-RESERVED // 2, RESERVED // 2)  #: how far beside its place a cell may be read if nobody uses it
_COMPARE = {"==": "eq", "!=": "ne", "<": "lt_s", "<=": "le_s", ">": "gt_s", ">=": "ge_s"}
_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul"}


def result_types(function: Function) -> tuple[str, ...]:
    """Return the types of what a function gives."""
    ranges: list[Interval] = []
    for statement in statements(function.body):
        if isinstance(statement, Return):
            mine = [value.range for value in statement.values]
            ranges = [join(one, two) for one, two in zip(ranges, mine, strict=True)] if ranges else mine
    return tuple(map(type_of, ranges))


class Values:
    """Prints the values of one function."""

    def __init__(self, declared: dict[str, Interval], memory: Memory, functions: Mapping[str, Function]) -> None:
        self.declared = declared
        self.memory = memory
        self.functions = functions
        self.own_locals: dict[str, str] = {}  #: locals of the printer's own, with their types
        self._numbers = count(1)

    def own_local(self, type_: str) -> str:
        """Return the name of a new local of the printer's own."""
        name = f"p{next(self._numbers)}"
        self.own_locals[name] = type_
        return name

    def value(self, value: Value, type_: str = "") -> str:
        """Return the text of a value, of this type if one is given."""
        text, found = self._value(value)
        return text if not type_ or type_ == found else f"{text} {_CONVERT[found, type_]}"

    def address(self, base: str, at: Value, item: Stored) -> tuple[str, int]:
        """Return an address as text and an offset; `base` is text that leaves an address, or nothing for none."""
        rest, constant = split_constant(at)
        constant *= item.width
        if rest is None:
            return (base, constant) if base else (f"i32.const {constant}", 0)
        index = self.value(rest, "i32")
        if item.width > 1:
            index = f"{index} i32.const {item.width.bit_length() - 1} i32.shl"
        text = f"{base} {index} i32.add" if base else index
        return (text, constant) if constant >= 0 else (f"{text} i32.const {-constant} i32.sub", 0)

    def place(self, placed: Placed, at: Value) -> tuple[str, int]:
        """Return the address of a number in memory, as text and an offset."""
        text, offset = self.address("", at, placed.item)
        rest, _ = split_constant(at)
        if rest is None:
            return f"i32.const {placed.address + int(text.split()[-1])}", 0
        if rest.range[0] >= 0:  # an offset is added to what is left without a sign
            return text, offset + placed.address
        return f"{text} i32.const {offset + placed.address} i32.add", 0

    # ------------------------------------------------------------------------------------------------------- one value

    def _value(self, value: Value) -> tuple[str, str]:
        match value:
            case Number(value=number):
                return f"{type_of(value.range)}.const {number}", type_of(value.range)
            case Local(name=name):
                return f"local.get ${name}", type_of(self.declared[name])
            case Load(state=state, at=at, width=width):
                text, offset = self.state_address(state, at)
                return f"{text} {Stored(width).load(offset)}", Stored(width).type
            case TableItem(table=table, at=at):
                return self._from(self.memory.tables[table], at)
            case Slot(array=array, at=at):
                return self._from(self.memory.arrays[array], at)
            case Binary():
                return self._binary(value)
            case Logic():
                return self._logic(value), "i32"
            case Not(value=inner):
                return f"{self.value(inner, 'i32')} i32.eqz", "i32"
            case Choose():
                return self._choose(value)
            case Invoke(function=name, states=states, args=args):
                called = self.functions[name]
                texts = [f"local.get ${state}" for state in map(self.state, states)]
                texts += [self.value(a, type_of(p.range)) for p, a in zip(called.params, args, strict=True)]
                return f"{' '.join(texts)} call ${name}", result_types(called)[0]
            case Tee(local=local, value=inner):
                type_ = type_of(self.declared[local.name])
                return f"{self.value(inner, type_)} local.tee ${local.name}", type_
            case AskGraph():
                raise Unprintable("questions about networks stay with the evaluator")
            case _:
                assert_never(value)

    def state(self, name: str) -> str:
        """Return the local that holds the address of a state."""
        if name in self.memory.copies:
            self.own_locals[name] = "i32"
        return name

    def state_address(self, state: str, at: Value) -> tuple[str, int]:
        """Return the address of a cell, as text and an offset."""
        rest, constant = split_constant(at)
        base = f"local.get ${self.state(state)}"
        text = base if rest is None else f"{base} {self.value(rest, 'i32')} i32.add"
        # An offset is not negative; what lies before the first cell is never read, but it may be written behind a stop.
        return (text, constant) if constant >= 0 else (f"{text} i32.const {-constant} i32.sub", 0)

    def _from(self, placed: Placed, at: Value) -> tuple[str, str]:
        text, offset = self.place(placed, at)
        return f"{text} {placed.item.load(offset)}", placed.item.type

    def _binary(self, value: Binary) -> tuple[str, str]:
        op, left, right = value.op, value.left, value.right
        span = join(left.range, right.range)
        type_ = type_of(span if op in _COMPARE else join(span, value.range))
        if op in _COMPARE:
            if op == "==" and right == Number(0):
                return f"{self.value(left, type_)} {type_}.eqz", "i32"
            return f"{self.value(left, type_)} {self.value(right, type_)} {type_}.{_COMPARE[op]}", "i32"
        one, two = self.value(left, type_), self.value(right, type_)
        match op:
            case "min" | "max":
                return self._extreme(value, type_), type_
            case "div" | "mod":
                return f"{one} {self._divide(op, left, right, two, type_)}", type_
            case "+" | "-" if is_open(
                value.range
            ):  # counters without end are at most 31 bits long, so this never stops a play
                return f"{one} {two} i64.{_ARITHMETIC[op]} call $held", type_
            case "*" if is_open(value.range):
                raise Unprintable("a number may need more than 64 bits")
            case "*" if isinstance(right, Number) and right.value > 0 and right.value & (right.value - 1) == 0:
                return f"{one} {type_}.const {right.value.bit_length() - 1} {type_}.shl", type_
            case "+" if isinstance(right, Number) and right.value < 0:
                return f"{one} {type_}.const {-right.value} {type_}.sub", type_
            case _:  # one instruction does it
                return f"{one} {two} {type_}.{_ARITHMETIC[op]}", type_

    def _extreme(self, value: Binary, type_: str) -> str:
        names = []
        texts = []
        for each in (value.left, value.right):
            if is_simple(each):
                names.append(self.value(each, type_))
                texts.append(names[-1])
            else:
                own = self.own_local(type_)
                names.append(f"local.get ${own}")
                texts.append(f"{self.value(each, type_)} local.tee ${own}")
        return f"{' '.join([*texts, *names])} {type_}.{'lt_s' if value.op == 'min' else 'gt_s'} select"

    @staticmethod
    def _divide(op: BinaryOp, left: Value, right: Value, text: str, type_: str) -> str:
        if (
            isinstance(right, Number) and right.value & (right.value - 1) == 0
        ):  # a power of two: sign or not, it is a shift
            if op == "div":
                return f"{type_}.const {right.value.bit_length() - 1} {type_}.shr_s"
            return f"{type_}.const {right.value - 1} {type_}.and"
        if left.range[0] >= 0:
            return f"{text} {type_}.{'div_u' if op == 'div' else 'rem_u'}"
        return f"{text} call $floor_{op}_{type_}"

    def _logic(self, value: Logic) -> str:
        first, *rest = value.parts
        text = self.value(first, "i32")
        for at, part in enumerate(rest):
            if not self.is_cheap(part):
                inner = (
                    self._logic(Logic(value.op, (part, *rest[at + 1 :]))) if rest[at + 1 :] else self.value(part, "i32")
                )
                then, other = (inner, "i32.const 0") if value.op == "and" else ("i32.const 1", inner)
                return f"{text} if (result i32) {then} else {other} end"
            text = f"{text} {self.value(part, 'i32')} i32.{value.op}"
        return text

    def _choose(self, value: Choose) -> tuple[str, str]:
        type_ = type_of(join(value.then.range, value.other.range))
        test, then, other = self.value(value.test, "i32"), self.value(value.then, type_), self.value(value.other, type_)
        if (value.then, value.other) == (Number(1), Number(0)) and value.test.range == (0, 1):
            return test, "i32"
        if self.is_cheap(value.then) and self.is_cheap(value.other):
            return f"{then} {other} {test} select", type_
        return f"{test} if (result {type_}) {then} else {other} end", type_

    # ------------------------------------------------------------------------------------------------- what does no harm

    def is_cheap(self, value: Value) -> bool:
        """Return whether a value can be evaluated where nobody asks for it, more quickly than going round it."""
        nodes = list(parts(value))
        return len(nodes) <= _CHEAP and all(map(self._is_harmless, nodes))

    def _is_harmless(self, value: Value) -> bool:
        match value:
            case Invoke() | Tee() | AskGraph():
                return False
            case Binary(op="div" | "mod", right=right):
                return isinstance(right, Number)
            case Load(at=at) | TableItem(at=at) | Slot(at=at):
                return inside(self._reach(at), _HARMLESS)
            case Number() | Local() | Binary() | Logic() | Not() | Choose():
                return True
            case _:
                assert_never(value)

    def _reach(self, value: Value) -> Interval:
        """Return where a value lies if nothing is known from tests around it; every number if that is not plain to see."""
        match value:
            case Number():
                return value.range
            case Local(name=name):
                return self.declared[name]
            case Load(width=1):
                return 0, 255
            case Binary(op="+" | "-" | "*" as op, left=left, right=right):
                return OPERATIONS[op].interval(self._reach(left), self._reach(right))
            case TableItem(table=table):
                placed = self.memory.tables[table].item
                return (0, 256**placed.width - 1) if not placed.signed else I64
            case _:  # not plain to see
                return I64


_CONVERT = {("i32", "i64"): "i64.extend_i32_s", ("i64", "i32"): "i32.wrap_i64"}
