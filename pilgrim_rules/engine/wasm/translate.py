"""Translate: functions in a small part of Python as WebAssembly, in the text format.

Reads:  the source of a module of functions (`engine/kernels`), and numbers for its constants.   Writes: text.
After:  a function does what Python would do, as long as every number fits its type.

What is understood: functions of numbers annotated `i32` or `i64`; assignments to names (annotated if the type is not that of
the value); `if`, `while`, `for … in range(…)`, `break`, `continue`, `return`; arithmetic, bits, comparisons, `and`, `or`, `not`, `x if c else
y`; calls of functions of the module, of the game, and of the primitives that `engine/kernels/primitives.py` declares. `//`, `%` and `>>` take
numbers that are not negative. Anything else is refused: `NotUnderstood`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from itertools import count

from pilgrim_rules.util.fast_dataclass import dataclass


class NotUnderstood(Exception):
    """The source uses something that is not translated. A mistake of ours."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The types of the parameters and of the result; no result is the empty text."""

    params: tuple[str, ...]
    result: str


#: What each primitive is: the types of its arguments, of its result, and its instructions.
_PRIMITIVES: dict[str, tuple[Signature, str]] = {
    "load8": (Signature(("i32",), "i32"), "i32.load8_u"),
    "load32": (Signature(("i32",), "i32"), "i32.load"),
    "load64": (Signature(("i32",), "i64"), "i64.load"),
    "load_word": (Signature(("i32",), "i64"), "i64.load"),
    "store8": (Signature(("i32", "i32"), ""), "i32.store8"),
    "store32": (Signature(("i32", "i32"), ""), "i32.store"),
    "store64": (Signature(("i32", "i64"), ""), "i64.store"),
    "copy": (Signature(("i32", "i32", "i32"), ""), "memory.copy"),
    "fill": (Signature(("i32", "i32", "i32"), ""), "memory.fill"),
    "add64": (Signature(("i64", "i64"), "i64"), "i64.add"),
    "sub64": (Signature(("i64", "i64"), "i64"), "i64.sub"),
    "mul64": (Signature(("i64", "i64"), "i64"), "i64.mul"),
    "rem64": (Signature(("i64", "i64"), "i64"), "i64.rem_u"),
    "less64": (Signature(("i64", "i64"), "i32"), "i64.lt_u"),
    "narrow": (Signature(("i64",), "i32"), "i32.wrap_i64"),
    "log2": (Signature(("i64",), "i64"), "i64.clz i64.const 63 i64.xor"),
    "root": (Signature(("i64",), "i64"), "f64.convert_i64_s f64.sqrt i64.trunc_f64_s"),
}
_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.FloorDiv: "div_u", ast.Mod: "rem_u",
    ast.LShift: "shl", ast.RShift: "shr_u", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt_s", ast.LtE: "le_s", ast.Gt: "gt_s", ast.GtE: "ge_s",
}  # fmt: skip
_WORD = 1 << 64


def translated(source: str, constants: Mapping[str, int], game: Mapping[str, Signature]) -> dict[str, str]:
    """Return the text of each function; `game` are functions that are there already."""
    tree = ast.parse(source)
    functions = functions_of(tree, {*game, *_PRIMITIVES})
    signatures = dict(game) | {node.name: _signature(node) for node in functions}
    every = {**constants, **own_constants(tree)}
    short = {node.name: node for node in functions if _is_short(node)}
    return {node.name: _Translator(node, every, signatures, short).text() for node in functions}


def _is_short(node: ast.FunctionDef) -> bool:
    """Return whether a function is one expression: it is written where it is called."""
    match node.body:
        case [ast.Expr(), ast.Return(value=ast.expr() as value)]:
            return all(each.id != node.name for each in ast.walk(value) if isinstance(each, ast.Name))
        case _:  # more than an expression
            return False


class _Renamed(ast.NodeTransformer):
    """An expression with other names."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._names.get(node.id, node.id))


def functions_of(tree: ast.Module, taken: Collection[str] = ()) -> list[ast.FunctionDef]:
    """Return the functions of all kernels, which share their names: none may hide another, or what is there already."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    times = Counter([*taken, *(node.name for node in functions)])
    twice = sorted(name for name, count in times.items() if count > 1)
    if twice:
        raise NotUnderstood(f"two functions have one name: {', '.join(twice)}")
    return functions


def own_constants(tree: ast.Module) -> dict[str, int]:
    """Return the constants that kernels define themselves."""
    found: dict[str, int] = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int(value))):
                if found.setdefault(name, value) != value:
                    raise NotUnderstood(f"two constants have one name: {name}")
            case _:
                pass  # imports and functions
    return found


def _signature(node: ast.FunctionDef) -> Signature:
    result = "" if isinstance(node.returns, ast.Constant) else _type(node.returns)
    return Signature(tuple(_type(each.annotation) for each in node.args.args), result)


def _type(annotation: ast.expr | None) -> str:
    if isinstance(annotation, ast.Name) and annotation.id in ("i32", "i64"):
        return annotation.id
    raise NotUnderstood("a number is annotated `i32` or `i64`")


class _Translator:
    def __init__(
        self,
        node: ast.FunctionDef,
        constants: Mapping[str, int],
        functions: Mapping[str, Signature],
        short: Mapping[str, ast.FunctionDef],
    ) -> None:
        self._node = node
        self._short = short
        self._constants = constants
        self._functions = functions
        self._params = {each.arg: _type(each.annotation) for each in node.args.args}
        self._types = dict(self._params)
        self._numbers = count(1)
        self._loops: list[int] = []

    def text(self) -> str:
        own = self._functions[self._node.name]
        body = list(self._block(self._node.body))
        params = "".join(f" (param ${name} {type_})" for name, type_ in self._params.items())
        result = f" (result {own.result})" if own.result else ""
        locals_ = [f"(local ${name} {type_})" for name, type_ in self._types.items() if name not in self._params]
        end = ["unreachable"] if own.result else []
        return "\n".join([f"(func ${self._node.name}{params}{result}", *locals_, *body, *end, ")"])

    # ------------------------------------------------------------------------------------------------------ statements

    def _block(self, block: list[ast.stmt]) -> Iterator[str]:
        for statement in block:
            yield from self._statement(statement)

    def _statement(self, node: ast.stmt) -> Iterator[str]:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value=ast.Call() as call):
                text, type_ = self._expr(call)
                yield f"{text} drop" if type_ else text
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield self._assign(name, value, self._types.get(name, ""))
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=ast.expr() as value):
                yield self._assign(name, value, _type(annotation))
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                yield self._assign(name, ast.BinOp(ast.Name(name), op, value), self._types[name])
            case ast.If(test=test, body=body, orelse=orelse):
                yield f"{self._truth(test)} if"
                yield from self._block(body)
                if orelse:
                    yield "else"
                    yield from self._block(orelse)
                yield "end"
            case ast.While(test=test, body=body, orelse=[]):
                yield from self._while(test, body)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=args), orelse=[]):
                yield from self._for(name, args, node.body)
            case ast.Break():
                yield f"br $end{self._loops[-1]}"
            case ast.Continue():
                yield f"br $next{self._loops[-1]}"
            case ast.Return(value=value):
                result = self._functions[self._node.name].result
                yield "return" if value is None else f"{self._as(value, result)} return"
            case _:
                raise self._wrong(node)

    def _assign(self, name: str, value: ast.expr, type_: str) -> str:
        text, found = self._expr(value)
        wanted = type_ or found
        if self._types.setdefault(name, wanted) != wanted:
            raise self._wrong(value)
        return f"{_converted(text, found, wanted)} local.set ${name}"

    def _while(self, test: ast.expr, body: list[ast.stmt]) -> Iterator[str]:
        self._loops.append(next(self._numbers))
        number = self._loops[-1]
        yield f"block $end{number} loop $next{number}"
        if not (isinstance(test, ast.Constant) and test.value is True):
            yield f"{self._truth(test)} i32.eqz br_if $end{number}"
        yield from self._block(body)
        yield f"br $next{number} end end"
        self._loops.pop()

    def _for(self, name: str, args: list[ast.expr], body: list[ast.stmt]) -> Iterator[str]:
        first, last = args if len(args) > 1 else (ast.Constant(0), args[0])
        self._loops.append(next(self._numbers))
        number = self._loops[-1]
        limit = f"limit{number}"
        self._types[limit] = "i32"
        yield self._assign(name, first, "i32")
        yield f"{self._as(last, 'i32')} local.set ${limit}"
        yield f"block $end{number} loop $loop{number}"
        yield f"local.get ${name} local.get ${limit} i32.ge_s br_if $end{number} block $next{number}"
        yield from self._block(body)
        yield f"end local.get ${name} i32.const 1 i32.add local.set ${name} br $loop{number} end end"
        self._loops.pop()

    # ----------------------------------------------------------------------------------------------------- expressions

    def _as(self, node: ast.expr, type_: str) -> str:
        text, found = self._expr(node, type_)
        return _converted(text, found, type_)

    def _truth(self, node: ast.expr) -> str:
        text, type_ = self._expr(node)
        return text if type_ == "i32" else f"{text} i64.const 0 i64.ne"

    def _expr(self, node: ast.expr, wanted: str = "") -> tuple[str, str]:
        match node:
            case ast.Constant(value=int(value)):
                return self._number(int(value), wanted)
            case ast.Name(id=name) if name in self._types:
                return f"local.get ${name}", self._types[name]
            case ast.Name(id=name) if name in self._constants:
                return self._number(self._constants[name], wanted)
            case ast.BinOp(left=left, op=op, right=right):
                one, two, type_ = self._pair(left, right)
                return f"{one} {two} {type_}.{_BINARY[type(op)]}", type_
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                return self._number(-value, wanted)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"{self._truth(operand)} i32.eqz", "i32"
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                one, two, type_ = self._pair(left, right)
                return f"{one} {two} {type_}.{_COMPARE[type(op)]}", "i32"
            case ast.BoolOp(op=op, values=[first, *rest]):
                inner = self._truth(ast.BoolOp(op, rest) if len(rest) > 1 else rest[0])
                then, other = (inner, "i32.const 0") if isinstance(op, ast.And) else ("i32.const 1", inner)
                return f"{self._truth(first)} if (result i32) {then} else {other} end", "i32"
            case ast.IfExp(test=test, body=body, orelse=orelse):
                one, two, type_ = self._pair(body, orelse)
                return f"{self._truth(test)} if (result {type_}) {one} else {two} end", type_
            case ast.Call(func=ast.Name(id=name), args=args):
                return self._call(node, name, args)
            case _:
                raise self._wrong(node)

    def _number(self, value: int, wanted: str) -> tuple[str, str]:
        small = -(1 << 31) <= value < (1 << 31)
        type_ = wanted or ("i32" if small else "i64")
        return f"{type_}.const {value if value < _WORD // 2 else value - _WORD}", type_

    def _pair(self, left: ast.expr, right: ast.expr) -> tuple[str, str, str]:
        """Return two values of one type: the larger of their types."""
        (one, first), (two, second) = self._expr(left), self._expr(right)
        type_ = "i64" if "i64" in (first, second) else "i32"
        return _converted(one, first, type_), _converted(two, second, type_), type_

    def _call(self, node: ast.Call, name: str, args: list[ast.expr]) -> tuple[str, str]:
        known, text = _PRIMITIVES.get(name) or (self._functions.get(name), f"call ${name}")
        if known is None or len(known.params) != len(args):
            raise self._wrong(node)
        given = [self._as(arg, type_) for arg, type_ in zip(args, known.params, strict=True)]
        if name in self._short:
            return self._written_out(self._short[name], known, given), known.result
        return " ".join([*given, text]), known.result

    def _written_out(self, short: ast.FunctionDef, known: Signature, given: list[str]) -> str:
        """Return what a short function gives, without a call: its parameters are locals here."""
        number = next(self._numbers)
        names = {each.arg: f"{each.arg}.{number}" for each in short.args.args}
        self._types |= dict(zip(names.values(), known.params, strict=True))
        value = short.body[-1]
        assert isinstance(value, ast.Return)
        assert value.value is not None
        text = self._as(_Renamed(names).visit(deepcopy(value.value)), known.result)
        return " ".join([*(f"{arg} local.set ${own}" for arg, own in zip(given, names.values(), strict=True)), text])

    def _wrong(self, node: ast.AST) -> NotUnderstood:
        return NotUnderstood(f"in `{self._node.name}`: {ast.unparse(node)}")


def _converted(text: str, found: str, wanted: str) -> str:
    if not wanted or found == wanted:
        return text
    if (found, wanted) != ("i32", "i64"):
        raise NotUnderstood(f"{found or 'nothing'} where {wanted} is wanted: {text}")
    return f"{text} i64.extend_i32_s"
