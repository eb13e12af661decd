"""Printing Python: cell code as the source of a Python module.

Reads:  a program of cell code.   Writes: the text of a module; `pilgrim compile --emit python` prints it.
After:  the module needs nothing but the functions `stop` and `ask`, which its loader puts in its namespace. A state is a `bytes`
        object; truths are 0 and 1, or False and True.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from pilgrim_rules.engine.cells.cell_code import (
    WORK,
    AddSlot,
    AskGraph,
    Binary,
    BinaryOp,
    Block,
    Break,
    Choose,
    Clear,
    Continue,
    Copy,
    Domain,
    Emit,
    For,
    Function,
    If,
    Invoke,
    Load,
    Local,
    Logic,
    Not,
    Number,
    NumberRange,
    Program,
    Return,
    Set,
    SetSlot,
    Slot,
    Statement,
    Stop,
    Store,
    TableItem,
    TableRow,
    Tee,
    UpTo,
    Value,
)
from pilgrim_rules.engine.cells.cell_values import is_simple, plus
from pilgrim_rules.engine.cells.cell_walk import statements
from pilgrim_rules.engine.cells.share_values import share_values

# How tightly Python's operators bind, tightest first.
ATOM, MUL, ADD, BITS, COMPARE, NOT, AND, OR, CHOICE, WALRUS = range(10)
_LEVELS: dict[BinaryOp, int] = {"*": MUL, "div": MUL, "mod": MUL, "+": ADD, "-": ADD}
_SIGNS: dict[BinaryOp, str] = {"div": "//", "mod": "%"}
_SHORTEST_RANGE = 17  #: a shorter list of numbers stands where it is used: Python goes through it more quickly


def printed(program: Program) -> str:
    """Return the source of a program's module."""
    lines = [f"# {program.title}, compiled from its rules. Written by a program: change the rules instead.", ""]
    lines += [f"{name} = {values!r}" for name, values in (*program.tables.items(), *program.rows.items())]
    for function in program.functions.values():
        lines += ["", "", *_function(share_values(function))]
    lines += ["", ""]
    lines += [f"{name} = {_tuple([str(each) for each in names])}" for name, names in program.groups.items()]
    networks = [
        _tuple([str(each.index), _tuple([_tuple([p.search, _tuple(p.ends), str(p.nodes_only)]) for p in each.parts])])
        for each in program.networks
    ]
    return "\n".join([*lines, f"NETWORKS = {_tuple(networks)}", ""])


def _tuple(texts: list[str] | tuple[str, ...]) -> str:
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


# ---------------------------------------------------------------------------------------------------------- statements


def _function(function: Function) -> Iterator[str]:
    yield f"def {function.name}({', '.join([*function.states, *(each.name for each in function.params)])}):"
    if function.result == "moves":
        yield "    out = []"
    cleared = {each.array for each in statements(function.body) if isinstance(each, Clear)}
    yield from (f"    {each.name} = [0] * {each.size}" for each in function.arrays if each.name not in cleared)
    yield from _block(function.body, function, "    ")
    if function.result == "moves":
        if function.sorts:
            yield "    out.sort()"
        yield "    return out"


def _block(block: Block, function: Function, indent: str) -> Iterator[str]:
    if not block:
        yield f"{indent}pass"
    for statement in block:
        yield from _statement(statement, function, indent)


def _statement(statement: Statement, function: Function, indent: str) -> Iterator[str]:
    match statement:
        case If(test=test, then=then, other=other, note=note):
            yield f"{indent}if {text(test)}:{f'  # {note}' if note else ''}"
            yield from _block(then, function, indent + "    ")
            if len(other) == 1 and isinstance(other[0], If):
                first, *rest = _statement(other[0], function, indent)
                yield f"{indent}el{first[len(indent) :]}"
                yield from rest
            elif other:
                yield f"{indent}else:"
                yield from _block(other, function, indent + "    ")
        case For(local=local, over=over, body=body):
            yield f"{indent}for {local.name} in {_domain(over)}:"
            yield from _block(body, function, indent + "    ")
        case _:  # all others are one line
            yield f"{indent}{_line(statement, function)}"


def _line(
    statement: Set | Store | SetSlot | AddSlot | Break | Continue | Return | Emit | Copy | Clear | Stop,
    function: Function,
) -> str:
    match statement:
        case Set(local=local, value=value):
            return f"{local.name} = {text(value)}"
        case Store(state=state, at=at, value=value, width=1):
            return f"{state}[{text(at)}] = {text(value)}"
        case Store(state=state, at=at, value=value, width=width):
            end = text(plus(at, Number(width)))
            return f"{state}[{text(at)}:{end}] = ({text(value)}).to_bytes({width}, 'little')"
        case SetSlot(array=array, at=at, value=value):
            return f"{array}[{text(at)}] = {text(value)}"
        case AddSlot(array=array, at=at, value=value):
            return f"{array}[{text(at)}] += {text(value)}"
        case Break():
            return "break"
        case Continue():
            return "continue"
        case Return(values=values):
            return f"return {_result(function, values)}"
        case Emit(values=values):
            return f"out.append({_tuple(list(map(text, values)))})"
        case Copy(state=state, source=source):
            return f"{state} = {'bytearray' if state == WORK else 'bytes'}({source})"
        case Clear(array=array):
            return f"{array} = [0] * {next(each.size for each in function.arrays if each.name == array)}"
        case Stop(kind=kind, args=args):
            return f"stop({', '.join([repr(kind), *map(text, args)])})"
        case _:
            assert_never(statement)


def _result(function: Function, values: tuple[Value, ...]) -> str:
    match function.result:
        case "number":
            return text(values[0])
        case "numbers":
            return _tuple(list(map(text, values)))
        case "moves":
            return "out"
        case "state":
            return f"bytes({WORK})"
        case _:
            assert_never(function.result)


def _domain(over: Domain) -> str:
    match over:
        case NumberRange(first=first, last=last):
            step = 1 if first <= last else -1
            values = range(first, last + step, step)
            if len(values) < _SHORTEST_RANGE:
                return repr(tuple(values))
            return f"range({first}, {last + 1})" if step == 1 else f"range({first}, {last - 1}, -1)"
        case UpTo(limit=limit):
            return f"range({text(limit)})"
        case TableRow(table=table, at=at):
            return f"{table}[{text(at)}]"
        case _:
            assert_never(over)


# -------------------------------------------------------------------------------------------------------------- values


def text(value: Value, most: int = WALRUS - 1) -> str:
    """Return a value as a Python expression, for a place where only operators up to a level may stand bare."""
    found, level = _value(value)
    return found if level <= most else f"({found})"


def _value(value: Value) -> tuple[str, int]:
    """Return a value as a Python expression, and how tightly its outermost operator binds."""
    match value:
        case Number(value=number):
            return str(number), ATOM if number >= 0 else ADD
        case Local(name=name):
            return name, ATOM
        case Load(state=state, at=at, width=1):
            return f"{state}[{text(at)}]", ATOM
        case Load(state=state, at=at, width=width):
            rest = (f"{state}[{text(plus(at, Number(byte)))}] << {8 * byte}" for byte in range(1, width))
            return " | ".join((f"{state}[{text(at)}]", *rest)), BITS
        case TableItem(table=table, at=at):
            return f"{table}[{text(at)}]", ATOM
        case Slot(array=array, at=at):
            return f"{array}[{text(at)}]", ATOM
        case Binary():
            return _binary(value)
        case Logic(op=op, parts=parts):
            level = AND if op == "and" else OR
            return f" {op} ".join(text(part, level) for part in parts), level
        case Not(value=inner):
            return f"not {text(inner, NOT)}", NOT
        case Choose(test=test, then=then, other=other):
            return f"{text(then, OR)} if {text(test, OR)} else {text(other, CHOICE)}", CHOICE
        case Invoke(function=function, states=states, args=args):
            return f"{function}({', '.join([*states, *map(text, args)])})", ATOM
        case Tee(local=local, value=inner):
            return f"{local.name} := {text(inner)}", WALRUS
        case AskGraph(network=network, question=question, state=state, index=index, nodes=nodes, none=none):
            asked = [_tuple(list(map(text, group))) for group in (index, *nodes)]
            return f"ask({', '.join([str(none), str(network), repr(question), state, *asked])})", ATOM
        case _:
            assert_never(value)


def _binary(value: Binary) -> tuple[str, int]:
    op, left, right = value.op, value.left, value.right
    match op:
        case "min" | "max":
            if is_simple(left) and is_simple(right):  # quicker than a call
                one, two = text(left), text(right)
                return f"{one} if {one} {'<' if op == 'min' else '>'} {two} else {two}", CHOICE
            args = ", ".join(text(each) for each in _flat(op, value))
            return f"{op}({args})", ATOM
        case "+" if isinstance(right, Number) and right.value < 0:
            return f"{text(left, ADD)} - {-right.value}", ADD
        case "-" if isinstance(left, Number) and left.value == 0:
            return f"-{text(right, ATOM)}", ADD
        case _:  # all others stand between their arguments
            level = _LEVELS.get(op, COMPARE)
            # A comparison inside a comparison would chain; only `+` does not mind what stands right of it.
            own = text(left, level if level != COMPARE else BITS)
            return f"{own} {_SIGNS.get(op, op)} {text(right, level if op == '+' else level - 1)}", level


def _flat(op: BinaryOp, value: Value) -> Iterator[Value]:
    if isinstance(value, Binary) and value.op == op:
        yield from _flat(op, value.left)
        yield from _flat(op, value.right)
    else:
        yield value
