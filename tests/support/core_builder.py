"""Short names for building core games by hand."""

from __future__ import annotations

from itertools import product

from pilgrim_rules.core.ir import (
    BOOL,
    Apply,
    Assign,
    Binder,
    Bound,
    Cond,
    Constant,
    Expr,
    Fold,
    Game,
    Lit,
    Lookup,
    Pick,
    Read,
    Require,
    Type,
    Variable,
)
from pilgrim_rules.diagnostics.source import Span

HERE = Span("test.rules", 0, 1)


def enum(name: str, *labels: str) -> Type:
    return Type(name, "enum", 0, len(labels) - 1, labels)


def number(lo: int, hi: int) -> Type:
    return Type(f"{lo}..{hi}", "int", lo, hi)


def maybe(type_: Type) -> Type:
    return Type(f"{type_.name}?", "optional", type_.lo, type_.hi + 1, parts=(type_,))


def both(left: Type, right: Type) -> Type:
    return Type(f"{left.name} * {right.name}", "pair", 0, left.size * right.size - 1, parts=(left, right))


def lit(type_: Type, value: int | str) -> Lit:
    return Lit(type_.labels.index(value) if isinstance(value, str) else value, type_)


def none(type_: Type) -> Lit:
    return Lit(type_.hi, type_)


def op(name: str, *args: Expr, type_: Type = BOOL) -> Apply:
    return Apply(name, args, type_)  # type: ignore[arg-type]


def num(name: str, *args: Expr) -> Apply:
    return Apply(name, args, number(-1000, 1000))  # type: ignore[arg-type]


def eq(left: Expr, right: Expr) -> Apply:
    return op("==", left, right)


def every(name: str, type_: Type, body: Expr, where: Expr | None = None) -> Fold:
    return Fold("all", (Binder(name, type_),), where, body, None, BOOL)


def some(name: str, type_: Type, body: Expr, where: Expr | None = None) -> Fold:
    return Fold("some", (Binder(name, type_),), where, body, None, BOOL)


def put(variable: str, index: tuple[Expr, ...], value: Expr, mode: str = "set", key: str | None = None) -> Assign:
    return Assign(variable, index, mode, value, key or f"{variable}.{mode}", span=HERE)  # type: ignore[arg-type]


def require(test: Expr, key: str = "", says: str | None = None, clauses: tuple[str, ...] = ()) -> Require:
    return Require(test, key or "guard", says, clauses, span=HERE)


def var(name: str, type_: Type, initial: Expr, *index: Type, **rest) -> Variable:
    return Variable(name, index, type_, tuple(f"i{at}" for at in range(len(index))), initial, **rest)


def table(name: str, type_: Type, index: tuple[Type, ...], rule) -> Constant:
    cells = product(*(range(each.lo, each.hi + 1) for each in index))
    return Constant(name, index, type_, tuple(int(rule(*cell)) for cell in cells), "column")


def game(name: str, player: Type, stage: Type, **parts) -> Game:
    empty = dict.fromkeys(
        ("types", "stages", "variables", "constants", "defs", "effects", "actions", "claims", "rankings", "rulings",
         "networks", "examples"), ()
    )  # fmt: skip
    return Game(name=name, title=name.title(), player=player, stage=stage, **{**empty, "score": None, **parts})


__all__ = [
    "BOOL", "HERE", "Binder", "Bound", "Cond", "Lookup", "Pick", "Read", "both", "enum", "eq", "every", "game", "lit",
    "maybe", "none", "num", "number", "op", "put", "require", "some", "table", "var",
]  # fmt: skip
