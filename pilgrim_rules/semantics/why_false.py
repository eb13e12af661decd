"""Why something is false in a position: the smallest part that is to blame, for which values, and what it looks at.

Reads:  a formula and the environment in which it is false.   Writes: texts close to the rules language.
After:  the part that is named is false there, and every value was asked of the evaluator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pilgrim_rules.core.ir import Apply, Bound, Call, Cond, Expr, Fold, Let, Lit, Lookup, Read, Type
from pilgrim_rules.core.operators import NotPositive
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.core.table_cells import OutsideTable
from pilgrim_rules.core.values import show as show_value
from pilgrim_rules.core.walk import children, conjuncts, free_names
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.evaluate import environments, evaluate


@dataclass(frozen=True, slots=True)
class WhyFalse:
    """Why a formula is false.

    part    the smallest part that is false, as the rules would say it.
    where   the values of the names in it: `p = red`.     values  what it reads: `store[red, stone] = 7`.
    """

    part: str
    where: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


def why_false(formula: Expr, env: Environment) -> WhyFalse:
    """Return why a formula is false."""
    part, there, wanted = _blame(formula, env, wanted=True)
    where = tuple(f"{name} = {text}" for name, text in _names(part, there))
    return WhyFalse(show(part) if wanted else f"not ({show(part)})", where, tuple(_values(part, there)))


def said_of_conjuncts(formula: Expr, env: Environment) -> Iterator[str]:
    """Yield, for each part of a conjunction, whether it holds and the values that it looks at; what is false comes first."""
    # A part behind one that is false may have no value: the test before it was there for that.
    known = [each for at, each in enumerate(conjuncts(formula)) if at == 0 or _has_value(each, env)]
    for part in sorted(known, key=lambda each: evaluate(each, env)):
        values = ", ".join(_values(part, env))
        says = "holds" if evaluate(part, env) else "is false"
        yield f"`{show(part)}` {says}" + (f": {values}" if values else "")


def _has_value(expr: Expr, env: Environment) -> bool:
    try:
        evaluate(expr, env)
    except (OutsideTable, NotPositive):
        return False
    return True


def _blame(expr: Expr, env: Environment, *, wanted: bool) -> tuple[Expr, Environment, bool]:
    """Return the smallest part whose truth decides that the expression is not as wanted, and the env it stands in."""
    match expr:
        case Apply(op="not", args=(inner,)):
            return _blame(inner, env, wanted=not wanted)
        case Apply(op="and", args=args) if wanted:
            return _blame(next(each for each in args if not evaluate(each, env)), env, wanted=True)
        case Apply(op="or", args=args) if not wanted:
            return _blame(next(each for each in args if evaluate(each, env)), env, wanted=False)
        case Apply(op="implies", args=(_, then)) if wanted:
            return _blame(then, env, wanted=True)
        case Fold(op="all", body=body) if wanted:
            there = next(each for each in environments(expr.binders, expr.where, env) if not evaluate(body, each))
            return _blame(body, there, wanted=True)
        case Fold(op="some", body=body) if not wanted:
            there = next(each for each in environments(expr.binders, expr.where, env) if evaluate(body, each))
            return _blame(body, there, wanted=False)
        case Cond(test=test, then=then, other=other):
            return _blame(then if evaluate(test, env) else other, env, wanted=wanted)
        case Let(name=name, value=value, body=body):
            return _blame(body, env.bind(name, evaluate(value, env)), wanted=wanted)
        case Call(definition=name, args=args):
            called = env.declared.defs[name]
            names = {param.name: evaluate(arg, env) for param, arg in zip(called.params, args, strict=True)}
            return _blame(called.body, replace(env, names=names), wanted=wanted)
        case _:  # it has no parts that decide for it
            return expr, env, wanted


def _names(part: Expr, env: Environment) -> Iterator[tuple[str, str]]:
    """Yield the names that the part takes from outside, with their values."""
    types: dict[str, Type] = {}
    stack = [part]
    while stack:
        node = stack.pop()
        if isinstance(node, Bound):
            types.setdefault(node.name, node.type)
        stack += children(node)
    for name in sorted(free_names(part)):
        yield name, _text(types[name], env.names[name])


def _values(part: Expr, env: Environment) -> Iterator[str]:
    """Yield everything that the part looks at, with its value; parts that need names of their own stay whole."""
    found: dict[str, None] = {}

    def look(expr: Expr) -> None:
        match expr:
            case Lit() | Bound():
                return
            case Read(variable=name, index=index, when=when):
                mark = "'" if when == "next" else ""
                found[f"{name}{mark}{_indexed(index, env)} = {_text(expr.type, evaluate(expr, env))}"] = None
            case Lookup(table=name, index=index):
                found[f"{name}{_indexed(index, env)} = {_text(expr.type, evaluate(expr, env))}"] = None
            case Cond(test=test, then=then, other=other):
                look(test)
                look(then if evaluate(test, env) else other)
            case Apply(op="and" | "or" | "implies" as op, args=args):
                for each in args:
                    look(each)
                    if evaluate(each, env) == (op == "or"):
                        break  # what comes after does not matter, and perhaps no value
            case Apply(args=args):
                for each in args:
                    look(each)
            case _:  # a part that needs names of its own stays whole
                found[f"{show(expr)} = {_text(expr.type, evaluate(expr, env))}"] = None

    look(part)
    return iter(found)


def _indexed(index: tuple[Expr, ...], env: Environment) -> str:
    return index_text((each.type, evaluate(each, env)) for each in index)


def index_text(parts: Iterable[tuple[Type, int]]) -> str:
    """Return the index of a cell, given by types and codes: `[red, stone]`; nothing if there is none."""
    shown = ", ".join(_text(type_, code) for type_, code in parts)
    return f"[{shown}]" if shown else ""


def _text(type_: Type, code: int) -> str:
    """Return a value as text; a number that leaves its type is shown as it is."""
    return show_value(type_, code) if type_.lo <= code <= type_.hi else str(code)
