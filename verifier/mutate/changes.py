"""Changes: the small mistakes that can be made in an expression.

Reads:  core expressions.   Writes: expressions that differ in one place, with a few words about what is different.
After:  every change keeps the type of the place it is made in, as far as the core's own rules go; whoever uses them
        validates the whole game again.

A change is found by its number. The same line of the text may have been expanded into several actions, with other
arguments each time; the change with the same words is made in each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias, assert_never

from pilgrim_rules.core.forms import AT_A_TIME, expand_form_again, form_of
from pilgrim_rules.core.ir import (
    Apply,
    AskNetwork,
    Bound,
    Call,
    Checked,
    Cond,
    Expr,
    Fold,
    Form,
    FormName,
    Game,
    Let,
    Lit,
    Lookup,
    Operator,
    Pick,
    Read,
    Unique,
    Variable,
)
from pilgrim_rules.core.operators import operator_table
from pilgrim_rules.core.show_expr import show as show_expr
from pilgrim_rules.core.smart_constructors import number
from pilgrim_rules.core.values import show
from pilgrim_rules.core.walk import children, rebuild

Change: TypeAlias = tuple[str, Expr]  #: what is different, and the whole expression with the difference

#: An operator that is easily written for another; None if there is none.
CONFUSED: Mapping[Operator, Operator | None] = operator_table("mutate", {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "and": "or", "or": "and",
    "min": "max", "max": "min", "*": None, "div": None, "mod": None, "not": None, "implies": None,
})  # fmt: skip


#: A form that is easily written for another of the same parts.
CONFUSED_FORMS: dict[FormName, FormName] = {
    "next": "previous", "previous": "next", "is_some": "is_none", "is_none": "is_some",
}  # fmt: skip


def changes(expr: Expr, variables: dict[str, Variable]) -> Iterator[Change]:
    """Yield the expression with one mistake in it, for each mistake that can be made in what its author wrote."""
    form = form_of(expr)
    if form is not None:
        yield from _of_form(expr, form, variables)
        return
    yield from _changes_at(expr, variables)
    for at, part in enumerate(children(expr)):
        for words, changed in changes(part, variables):
            yield words, _with(expr, at, changed)


def _of_form(expr: Expr, form: Form, variables: dict[str, Variable]) -> Iterator[Change]:
    """Yield the changes of a form; what is asked of another time is opened for that time, and changed nowhere inside."""
    if form.name in AT_A_TIME:
        return
    other = CONFUSED_FORMS.get(form.name)
    if other is not None:
        yield f"{form.name} → {other}".replace("_", " "), expand_form_again(expr, form.args, other)
    if form.name == "players":
        for by in (-1, 1):
            yield f"players → players {by:+}", Lit(form.of.size + by, number(form.of.size + by, form.of.size + by))
    if form.name == "in" and len(form.args) > 2:  # noqa: PLR2004  (a value and two to be one of)
        for at, item in enumerate(form.args[1:], start=1):
            yield f"{{… {show_expr(item)} …}} → {{…}}", expand_form_again(expr, (*form.args[:at], *form.args[at + 1 :]))
    for at, part in enumerate(form.args):
        for words, changed in changes(part, variables):
            yield words, expand_form_again(expr, (*form.args[:at], changed, *form.args[at + 1 :]))


def _with(expr: Expr, at: int, part: Expr) -> Expr:
    """Return the expression with one of its direct parts replaced. `rebuild` visits them in the order of `children`."""
    count = -1

    def change(old: Expr) -> Expr:
        nonlocal count
        count += 1
        return part if count == at else old

    return rebuild(expr, change)


def _changes_at(expr: Expr, variables: dict[str, Variable]) -> Iterator[Change]:
    match expr:
        case Lit():
            yield from _literal(expr)
        case Read(variable=name):
            for other in variables.values():
                mine = variables[name]
                if other.name != name and (other.index, other.type, other.ghost) == (mine.index, mine.type, mine.ghost):
                    yield f"{name} → {other.name}", replace(expr, variable=other.name)
        case Apply(op=op, args=args) if (other_op := CONFUSED[op]) is not None:
            if op not in ("+", "-") or len(args) == 2:  # noqa: PLR2004  (a sum of two)
                yield f"{op} → {other_op}", replace(expr, op=other_op)
        case Cond(then=then, other=other):
            if then != other:
                yield "branches swapped", replace(expr, then=other, other=then)
        case Lookup():
            pass  # another table is another rule, not a slip
        case Apply() | Bound() | Let() | Checked() | Fold() | Unique() | Pick() | Call() | AskNetwork():
            pass  # no slip of its own; its parts have some
        case _:
            assert_never(expr)


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


def numbered(expr: Expr, game: Game) -> Iterator[Change]:
    """Yield the changes of an expression; where two have the same words, the later ones are numbered."""
    variables = {variable.name: variable for variable in game.variables}
    seen: dict[str, int] = {}
    for words, changed in changes(expr, variables):
        seen[words] = seen.get(words, 0) + 1
        yield (words if seen[words] == 1 else f"{words} ({seen[words]})"), changed
