"""Murphi: what a lifted expression does, as the statements of a function; and loops in the order of a binder.

Reads:  folds, choices and names for values.   Writes: lines, and the variables that they use.
After:  the lines end with `return`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from pilgrim_rules.core.ir import Binder, Expr, Fold, Let, Pick
from pilgrim_rules.export.murphi_expressions import NUMBER, Expressions, Scope, number, values

Lines = list[str]


def body_of(say: Expressions, expr: Let | Fold | Pick, scope: Scope) -> tuple[Lines, Lines]:
    """Return the local variables of the function that an expression has become, and its lines."""
    local: Lines = []
    match expr:
        case Let(name=name, value=value, body=body, type=type_):
            own = variable(say, local, name)
            text = (say.truth if type_.kind == "bool" else say.code)(body, scope.bind(name, own))
            return local, [f"{own} := {say.code(value, scope)};", f"return {text};"]
        case Fold():
            return local, _fold(say, local, expr, scope)
        case Pick():
            return local, _pick(say, local, expr, scope)
        case _:
            assert_never(expr)


def variable(say: Expressions, local: Lines, wish: str, type_: str = NUMBER) -> str:
    """Return a new local variable."""
    name = say.names.fresh(wish)
    local.append(f"{name}: {type_}")
    return name


def loop(say: Expressions, local: Lines, binder: Binder, scope: Scope, body: Callable[[Scope], Lines]) -> Lines:
    """Return a loop through the values of a binder, in its order; what it ranges over is settled before the first round."""
    before: Lines = []

    def settled(wish: str, expr: Expr) -> str:
        name = variable(say, local, wish)
        before.append(f"{name} := {say.code(expr, scope)};")
        return name

    own = say.names.fresh(binder.name)
    rows = [] if binder.among is None else [settled("row", each) for each in binder.among[1]]
    head, first = f"for {own}: {values(binder.type)} do", []
    lo, hi, size = number(binder.type.lo), number(binder.type.hi), binder.type.size
    if binder.descending or binder.start is not None:
        rounds = say.names.fresh("round")
        local.append(f"{own}: {NUMBER}")
        head = f"for {rounds}: 0..{size - 1} do"
        if binder.start is None:
            first = [f"{own} := {hi} - {rounds};"]
        else:
            begin = settled("first", binder.start)
            first = [f"{own} := {lo} + ({begin} - {lo} + {rounds}) % {size};"]
    inner = body(scope.bind(binder.name, own))
    tests = say.conditions(binder, own, rows)
    return [*before, head, *indented([*first, *when(tests, inner)]), "endfor;"]


def when(tests: Sequence[str], body: Lines) -> Lines:
    """Return lines under a condition."""
    return [f"if {' & '.join(tests)} then", *indented(body), "endif;"] if tests else body


def indented(lines: Lines) -> Lines:
    """Return lines, further to the right."""
    return [f"  {line}" for line in lines]


def _each(
    say: Expressions,
    local: Lines,
    binders: Sequence[Binder],
    where: Expr | None,
    scope: Scope,
    body: Callable[[Scope], Lines],
) -> Lines:
    """Return loops through all combinations of values that satisfy a condition."""
    if binders:
        rest = lambda inner: _each(say, local, binders[1:], where, inner, body)  # noqa: E731  (said once, used at once)
        return loop(say, local, binders[0], scope, rest)
    return when([] if where is None else [say.truth(where, scope)], body(scope))


def _fold(say: Expressions, local: Lines, expr: Fold, scope: Scope) -> Lines:
    total, item = variable(say, local, "total"), variable(say, local, "item")
    if expr.op in ("count", "sum"):
        added = _each(
            say,
            local,
            expr.binders,
            expr.where,
            scope,
            lambda inner: [f"{total} := {total} + {say.code(expr.body, inner)};"],
        )
        return [f"{total} := 0;", *added, f"return {total};"]
    found = variable(say, local, "found", "boolean")
    sign = ">" if expr.op == "max" else "<"

    def better(inner: Scope) -> Lines:
        return [
            f"{item} := {say.code(expr.body, inner)};",
            f"if !{found} | {item} {sign} {total} then {total} := {item}; {found} := true; endif;",
        ]

    looked = _each(say, local, expr.binders, expr.where, scope, better)
    otherwise = "0" if expr.default is None else say.code(expr.default, scope)
    begin = [f"{found} := false;", f"{total} := 0;", f"{item} := 0;"]
    return [*begin, *looked, f"return {found} ? {total} : {otherwise};"]


def _pick(say: Expressions, local: Lines, expr: Pick, scope: Scope) -> Lines:
    best, found = variable(say, local, "best"), variable(say, local, "found", "boolean")
    keys = [(variable(say, local, "key"), variable(say, local, "best_key")) for _ in expr.keys]

    def look(inner: Scope) -> Lines:
        lines, test = [], "false"
        for (own, known), key in reversed(list(zip(keys, expr.keys, strict=True))):
            sign = ">" if key.descending else "<"
            test = f"({own} {sign} {known} | ({own} = {known} & {test}))"
        for (own, _), key in zip(keys, expr.keys, strict=True):
            lines.append(f"{own} := {say.code(key.value, inner)};")
        kept = " ".join(f"{known} := {own};" for own, known in keys)
        taken = f"{best} := {inner.names[expr.binder.name]}; {found} := true; {kept}"
        return [*lines, f"if !{found} | {test} then {taken} endif;"]

    begin = [f"{found} := false;", f"{best} := {number(expr.type.hi)};", *(f"{known} := 0;" for _, known in keys)]
    return [*begin, *_each(say, local, (expr.binder,), expr.where, scope, look), f"return {best};"]
