"""Core expressions as one line of text.

Reads:  core expressions.   Writes: text close to the rules language, with brackets only where they are needed.
After:  two expressions of one scope with the same text mean the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from pilgrim_rules.core.forms import SILENT, form_of
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
    Form,
    FormName,
    Key,
    Let,
    Lit,
    Lookup,
    Operator,
    Pick,
    Read,
    Unique,
)
from pilgrim_rules.core.operators import OPERATIONS, operator_table
from pilgrim_rules.core.values import show as show_value

#: How tightly an infix operator binds; `min` and `max` are written as functions.
BINDS: Mapping[Operator, int] = operator_table("core/show", {
    "implies": 2, "or": 3, "and": 4, "not": 5,
    "==": 6, "!=": 6, "<": 6, "<=": 6, ">": 6, ">=": 6,
    "+": 7, "-": 7, "*": 8, "div": 8, "mod": 8,
    "min": 9, "max": 9,
})  # fmt: skip
#: How a form is written, how tightly it binds, and how tightly its parts must. What is converted is written as it is.
_SUM, _PREFIX, _POSTFIX = 7, 8.5, 9
FORMS: dict[FormName, tuple[str, float, float]] = {
    "next": ("next({0})", _POSTFIX, 0), "previous": ("previous({0})", _POSTFIX, 0), "ord": ("ord({0})", _POSTFIX, 0),
    "seats_after": ("seats_after({0}, {1})", _POSTFIX, 0), "players": ("players", _POSTFIX, 0),
    "seats_after_or_at": ("seats_after_or_at({0}, {1})", _POSTFIX, 0),
    "negative": ("-{0}", _PREFIX, _PREFIX),
    "raised": ("{0} raised by {1}, at most {2}", 1, _SUM), "lowered": ("{0} lowered by {1}, at least {2}", 1, _SUM),
    "is_some": ("{0} is some", 6, _SUM), "is_none": ("{0} is none", 6, _SUM), "is": ("{0} is {of}", 6, _SUM),
    "in_type": ("{0} in {of}", 6, _SUM), "in": ("{0} in {{{rest}}}", 6, _SUM), "in_stages": ("{0} in {label}", 6, _SUM),
    "none_of": ("none of {quantified}", 1, 0),
    "pair": ("({0}, {1})", _POSTFIX, 0), "first": ("{0}.1", _POSTFIX, _POSTFIX), "second": ("{0}.2", _POSTFIX, _POSTFIX),
    "stage": ("{label}({0})", _POSTFIX, 0), "carried": ("what {label} carries", 1, 0),
    "old": ("old {0}", _PREFIX, _PREFIX), "primed": ("{primed}", _POSTFIX, 0), "unchanged": ("unchanged {0}", 1, _PREFIX),
    "zone": ("{label}[{0}]", _POSTFIX, 0), "in_zone": ("{0} in {1}", 6, _SUM),
    **dict.fromkeys(SILENT, ("{0}", 0, 0)),
}  # fmt: skip
#: Tests whose opposite is written with `not` inside: `x not in {a, b}`.
_NEGATED_INSIDE = frozenset({"is", "in_type", "in", "in_stages", "in_zone"})
#: Tables made from graphs, which are asked like definitions.
GRAPH_TABLES = frozenset({"leads", "beside", "opposite", "distance"})
_LOOSE = 1
_ATOM = 9


def show(expr: Expr) -> str:
    """Return the expression as text."""
    return _text(expr)[0]


def show_binder(binder: Binder) -> str:
    """Return a binder as it stands after `all` or `for`."""
    domain = binder.type.name
    if binder.among is not None:
        table, index = binder.among
        graph, _, what = table.rpartition(".")
        domain = f"around({graph}, {_list(index)})" if what == "leads" else f"{table}({_list(index)})"
    if binder.start is not None:
        domain = f"turn from {_inside(binder.start, _SUM)}"
    return f"{binder.name} in {domain}{' down' if binder.descending else ''}"


def show_keys(keys: Iterable[Key]) -> str:
    """Return the keys of a ranking."""
    return ", ".join(f"{_inside(key.value, 2)} {'desc' if key.descending else 'asc'}" for key in keys)


def _text(expr: Expr) -> tuple[str, float]:
    """Return the text and how tightly its outermost operator binds."""
    form = form_of(expr)
    if form is not None:
        return _form(form)
    match expr:
        case Lit(value=value, type=type_):
            return show_value(type_, value), _ATOM
        case Bound(name=name):
            return name, _ATOM
        case Read(variable=variable, index=index, when=when):
            cell = variable + ("'" if when == "next" else "") + _index(index)
            return (f"old {cell}", _PREFIX) if when == "old" else (cell, _ATOM)
        case Lookup(table=table, index=index):
            return _lookup(table, index), _ATOM
        case Apply():
            return _apply(expr), BINDS[expr.op]
        case Cond(test=test, then=then, other=other):
            last = show(other) if isinstance(other, Cond) else _inside(other, 2)
            return f"{_inside(then, 2)} if {_inside(test, 2)} else {last}", _LOOSE
        case Let(name=name, value=value, body=body):
            return f"let {name} = {_inside(value, 2)} in {show(body)}", _LOOSE
        case Checked(value=value, type=type_):
            return f"the {_inside(value, _PREFIX)}", _PREFIX
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


def _lookup(table: str, index: tuple[Expr, ...]) -> str:
    """Return a cell of a constant table: of a graph `beside(Map, h, s)`, of a column `h.terrain`."""
    owner, dot, name = table.rpartition(".")
    if name in GRAPH_TABLES:
        return f"{name}({', '.join((owner, *map(show, index)))})"
    return f"{_inside(index[0], _POSTFIX)}.{name}{_index(index[1:])}" if dot and index else table + _index(index)


def _form(form: Form, *, holds: bool = True) -> tuple[str, float]:
    """Return the text of a form, or of its opposite, and how tightly it binds."""
    if form.name in SILENT:
        return _text(form.args[0])
    text, binds, inner = FORMS[form.name]
    if not holds:
        text = text.replace(" is ", " is not ").replace(" in ", " not in ")
    said = [_inside(arg, inner) for arg in form.args]
    parts = {
        "of": form.of.name, "label": form.label, "rest": ", ".join(said[1:]),
        "quantified": "".join(said).removeprefix("some "), "primed": "".join(said).replace("(", "'(", 1),
    }  # fmt: skip
    return text.format(*said, **parts), binds


def _apply(expr: Apply) -> str:
    op, args = expr.op, expr.args
    if op in ("min", "max"):
        return f"{op}({_list(args)})"
    if op == "not" and (form := form_of(args[0])) is not None and form.name in _NEGATED_INSIDE:
        return _form(form, holds=False)[0]
    if op == "not":
        return f"not {_inside(args[0], BINDS['not'])}"
    groups_left = OPERATIONS[op].associative or OPERATIONS[op].group == "arithmetic"
    first = BINDS[op] if groups_left else BINDS[op] + 1
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


def _inside(expr: Expr, level: float) -> str:
    text, binds = _text(expr)
    return text if binds >= level else f"({text})"


def _index(index: tuple[Expr, ...]) -> str:
    return f"[{_list(index)}]" if index else ""


def _list(exprs: Iterable[Expr]) -> str:
    return ", ".join(map(show, exprs))
