"""Changes: the small mistakes that can be made in an expression.

Reads:  core expressions.   Writes: expressions that differ in one place, with a few words about what is different.
After:  every change keeps the type of the place it is made in, as far as the core's own rules go; whoever uses them
        validates the whole game again.

A change is found by its number. The same line of the text may have been expanded into several actions, with other
arguments each time; the change with the same words is made in each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from pilgrim_rules.core.ir import Apply, Cond, Expr, Lit, Lookup, Operator, Read, Variable
from pilgrim_rules.core.values import show
from pilgrim_rules.core.walk import children, rebuild

Change: TypeAlias = tuple[str, Expr]  #: what is different, and the whole expression with the difference

#: An operator that is easily written for another.
CONFUSED: dict[Operator, Operator] = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "and": "or", "or": "and",
    "min": "max", "max": "min",
}  # fmt: skip


def changes(expr: Expr, variables: dict[str, Variable], *, in_pair: bool = False) -> Iterator[Change]:
    """Yield the expression with one mistake in it, for each mistake that can be made."""
    coding = in_pair or _codes_pair(expr)
    if not coding:
        yield from _here(expr, variables)
    for at, part in enumerate(children(expr)):
        if coding and at == 1 and isinstance(expr, Apply) and expr.op != "+" and isinstance(part, Lit):
            continue  # a size or a bound of a type, which nobody has written
        inner = coding and isinstance(part, Apply) and part.op in ("*", "-")
        for words, changed in changes(part, variables, in_pair=inner):
            yield words, _with(expr, at, changed)


def _codes_pair(expr: Expr) -> bool:
    """Return whether the arithmetic puts a pair together or takes it apart: `(p, 1)` and `k.1` are no sums in the text."""
    if not isinstance(expr, Apply):
        return False
    if expr.op in ("div", "mod"):
        return expr.args[0].type.kind == "pair"
    return expr.op in ("+", "-", "*") and expr.type.kind == "pair"


def _with(expr: Expr, at: int, part: Expr) -> Expr:
    """Return the expression with one of its direct parts replaced. `rebuild` visits them in the order of `children`."""
    count = -1

    def change(old: Expr) -> Expr:
        nonlocal count
        count += 1
        return part if count == at else old

    return rebuild(expr, change)


def _here(expr: Expr, variables: dict[str, Variable]) -> Iterator[Change]:
    match expr:
        case Lit():
            yield from _literal(expr)
        case Read(variable=name):
            for other in variables.values():
                mine = variables[name]
                if other.name != name and (other.index, other.type, other.ghost) == (mine.index, mine.type, mine.ghost):
                    yield f"{name} → {other.name}", replace(expr, variable=other.name)
        case Apply(op=op, args=args) if op in CONFUSED:
            other_op = CONFUSED[op]
            if op not in ("+", "-") or len(args) == 2:  # noqa: PLR2004  (a sum of two)
                yield f"{op} → {other_op}", replace(expr, op=other_op)
        case Cond(then=then, other=other):
            if then != other:
                yield "branches swapped", replace(expr, then=other, other=then)
        case Lookup():
            pass  # another table is another rule, not a slip
        case _:
            pass


def _literal(lit: Lit) -> Iterator[Change]:
    type_ = lit.type
    if type_.kind == "bool":
        yield f"{show(type_, lit.value)} → {show(type_, 1 - lit.value)}", replace(lit, value=1 - lit.value)
        return
    if type_.kind == "int":
        # The type of a literal number is the number itself; the neighbours are typed alike.
        for value in (lit.value - 1, lit.value + 1):
            neighbour = type_ if type_.lo <= value <= type_.hi else replace(type_, name=str(value), lo=value, hi=value)
            yield f"{lit.value} → {value}", Lit(value, neighbour)
        return
    if type_.size > 1:
        value = type_.lo + (lit.value - type_.lo + 1) % type_.size
        yield f"{show(type_, lit.value)} → {show(type_, value)}", replace(lit, value=value)
