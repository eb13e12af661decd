"""Core expressions as one line of text.

Reads:  core expressions.   Writes: text close to the rules language, with brackets only where they are needed.
After:  two expressions of one scope with the same text mean the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from pilgrim_rules.core.ir import (
    Apply,
    AskNetwork,
    Binder,
    Bound,
    Call,
    Checked,
    Cond,
    Expr,
    Fold,
    Key,
    Let,
    Lit,
    Lookup,
    Operator,
    Pick,
    Read,
    Unique,
)
from pilgrim_rules.core.values import show as show_value

#: How tightly an infix operator binds; `min` and `max` are written as functions.
BINDS: dict[Operator, int] = {
    "implies": 2, "or": 3, "and": 4, "not": 5,
    "==": 6, "!=": 6, "<": 6, "<=": 6, ">": 6, ">=": 6,
    "+": 7, "-": 7, "*": 8, "div": 8, "mod": 8,
    "min": 9, "max": 9,
}  # fmt: skip
_LOOSE = 1
_ATOM = 9
_ASSOCIATIVE = frozenset({"and", "or", "+", "*"})


def show(expr: Expr) -> str:
    """Return the expression as text."""
    return _text(expr)[0]


def show_binder(binder: Binder) -> str:
    """Return a binder as it stands after `all` or `for`."""
    domain = binder.type.name
    if binder.among is not None:
        table, index = binder.among
        domain = f"{table}({_list(index)})" if index else table
    if binder.start is not None:
        domain = f"{domain} from {show(binder.start)}"
    return f"{binder.name} in {domain}{' descending' if binder.descending else ''}"


def show_keys(keys: Iterable[Key]) -> str:
    """Return the keys of a ranking."""
    return ", ".join(f"{_inside(key.value, 2)} {'desc' if key.descending else 'asc'}" for key in keys)


def _text(expr: Expr) -> tuple[str, int]:
    """Return the text and how tightly its outermost operator binds."""
    match expr:
        case Lit(value=value, type=type_):
            return show_value(type_, value), _ATOM
        case Bound(name=name):
            return name, _ATOM
        case Read(variable=variable, index=index, when=when):
            cell = variable + ("'" if when == "next" else "") + _index(index)
            return (f"old {cell}", _LOOSE) if when == "old" else (cell, _ATOM)
        case Lookup(table=table, index=index):
            return table + _index(index), _ATOM
        case Apply():
            return _apply(expr), BINDS[expr.op]
        case Cond(test=test, then=then, other=other):
            last = show(other) if isinstance(other, Cond) else _inside(other, 2)
            return f"{_inside(then, 2)} if {_inside(test, 2)} else {last}", _LOOSE
        case Let(name=name, value=value, body=body):
            return f"let {name} = {_inside(value, 2)} in {show(body)}", _LOOSE
        case Checked(value=value, type=type_):
            return f"the {type_.name} {_inside(value, _ATOM)}", _LOOSE
        case Fold():
            return _fold(expr), _LOOSE
        case Unique(binders=binders, where=where, keys=keys):
            return f"unique ({_list(keys)}) for {_domain(binders, where)}", _LOOSE
        case Pick(binder=binder, where=where, keys=keys_):
            domain = _domain((binder,), where)
            return (f"best {domain} by {show_keys(keys_)}" if keys_ else f"first {domain}"), _LOOSE
        case Call(definition=definition, args=args):
            return f"{definition}({_list(args)})", _ATOM
        case AskNetwork(question=question, network=network, index=index, nodes=nodes):
            said = "".join(f", ({_list(node)})" for node in nodes)
            return f"{question}({network}{_index(index)}{said})", _ATOM
        case _:
            assert_never(expr)


def _apply(expr: Apply) -> str:
    op, args = expr.op, expr.args
    if op in ("min", "max"):
        return f"{op}({_list(args)})"
    if op == "not":
        return f"not {_inside(args[0], BINDS['not'])}"
    first = BINDS[op] if op in _ASSOCIATIVE or op in ("-", "div", "mod") else BINDS[op] + 1
    rest = BINDS[op] + 1
    return f" {op} ".join(_inside(arg, rest if at else first) for at, arg in enumerate(args))


def _fold(expr: Fold) -> str:
    domain = _domain(expr.binders, expr.where)
    match expr.op:
        case "all" | "some":
            return f"{expr.op} {domain}: {show(expr.body)}"
        case "count":
            return f"count of {domain}"
        case "sum" | "max" | "min":
            default = "" if expr.default is None else f" else {_inside(expr.default, 2)}"
            return f"{expr.op} of {_inside(expr.body, 2)} for {domain}{default}"
        case _:
            assert_never(expr.op)


def _domain(binders: tuple[Binder, ...], where: Expr | None) -> str:
    said = ", ".join(map(show_binder, binders))
    return said if where is None else f"{said} where {_inside(where, 2)}"


def _inside(expr: Expr, level: int) -> str:
    text, binds = _text(expr)
    return text if binds >= level else f"({text})"


def _index(index: tuple[Expr, ...]) -> str:
    return f"[{_list(index)}]" if index else ""


def _list(exprs: Iterable[Expr]) -> str:
    return ", ".join(map(show, exprs))
