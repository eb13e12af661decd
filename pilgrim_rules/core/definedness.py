"""Definedness: when every `Checked` part of an expression lies in its type.

Reads:  core expressions and definitions.   Writes: a core formula over the same names, or None if nothing can go wrong.
After:  where the formula is true, evaluating the expression meets no contradiction. It asks in the order of evaluation,
        so that a part is only asked about where it is evaluated; but a quantifier must be defined for every value, even
        if an earlier one decides it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import assert_never

from pilgrim_rules.core.footprint import calls
from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
    AskNetwork,
    Binder,
    Bound,
    Call,
    Checked,
    Cond,
    Def,
    Expr,
    Fold,
    Given,
    Let,
    Lit,
    Lookup,
    Pick,
    Read,
    Require,
    Unique,
)
from pilgrim_rules.core.operators import OPERATIONS
from pilgrim_rules.core.smart_constructors import TRUE, conjunction
from pilgrim_rules.core.walk import binder_parts, children, subexpressions

Defs = Mapping[str, Def]


def is_partial(exprs: Iterable[Expr], defs: Defs) -> bool:
    """Return whether evaluating the expressions, or the definitions they call, can meet a contradiction."""
    asked = tuple(exprs)
    bodies = (defs[name].body for name in calls(asked, defs))
    return any(isinstance(node, Checked) for expr in (*asked, *bodies) for node in subexpressions(expr))


def defined(expr: Expr, defs: Defs) -> Expr | None:
    """Return when the expression can be evaluated; None if always."""
    return _defined(expr, defs) if is_partial((expr,), defs) else None


def all_defined(exprs: Iterable[Expr], defs: Defs) -> Expr | None:
    """Return when all of the expressions can be evaluated; None if always."""
    return _conjunction(*(defined(each, defs) for each in exprs))


def guard_defined(action: Action, defs: Defs) -> Expr | None:
    """Return when the guard of an action, and after it its weight and what it reveals, can be evaluated; None if always."""
    after = (*(() if action.weight is None else (action.weight,)), *(reveal.value for reveal in action.reveals))
    found = all_defined(after, defs)
    for line in reversed(action.guard):
        match line:
            case Require(test=test):
                found = _conjunction(defined(test, defs), found and Apply("implies", (test, found), BOOL))
            case Given(name=name, value=value):
                found = _conjunction(defined(value, defs), found and Let(name, value, found, BOOL))
            case _:
                assert_never(line)
    return found


def _defined(expr: Expr, defs: Defs) -> Expr | None:
    match expr:
        case Lit() | Bound():
            return None
        case Checked(value=value, type=type_):
            # The type of the value is what the checker thinks of it; whether that is so is the question.
            sides = ((Lit(type_.lo, type_), value), (value, Lit(type_.hi, type_)))
            return _conjunction(defined(value, defs), *(Apply("<=", pair, BOOL) for pair in sides))
        case Apply(op=op, args=args) if OPERATIONS[op].short_circuit is not None:
            return _one_after_another(expr, args, defs)
        case Cond(test=test, then=then, other=other):
            chosen = Cond(test, defined(then, defs) or TRUE, defined(other, defs) or TRUE, BOOL)
            return _conjunction(defined(test, defs), chosen)
        case Let(name=name, value=value, body=body):
            inner = defined(body, defs)
            return _conjunction(defined(value, defs), None if inner is None else Let(name, value, inner, BOOL))
        case Fold(binders=binders, where=where, body=body, default=default):
            outside = None if default is None else defined(default, defs)
            return _conjunction(_defined_for_all(binders, where, (body,), defs), outside)
        case Unique(binders=binders, where=where, keys=keys):
            return _defined_for_all(binders, where, keys, defs)
        case Pick(binder=binder, where=where, keys=keys_):
            return _defined_for_all((binder,), where, tuple(key.value for key in keys_), defs)
        case Call():
            return _conjunction(all_defined(expr.args, defs), _called(expr, defs))
        case Read() | Lookup() | Apply() | AskNetwork():
            return all_defined(children(expr), defs)
        case _:
            assert_never(expr)


def _conjunction(*parts: Expr | None) -> Expr | None:
    """Return the conjunction of what is there."""
    kept = tuple(part for part in parts if part is not None)
    return conjunction(*kept) if kept else None


def _called(expr: Call, defs: Defs) -> Expr | None:
    """Return when the body of a definition can be evaluated with these arguments."""
    definition = defs[expr.definition]
    found = defined(definition.body, defs)
    if found is None:
        return None
    # No text can spell these names, so no argument speaks of a parameter by accident.
    names = [f"argument {at} of {definition.name}" for at, _ in enumerate(expr.args)]
    for param, name in zip(definition.params, names, strict=True):
        found = Let(param.name, Bound(name, param.type), found, BOOL)
    for name, arg in zip(names, expr.args, strict=True):
        found = Let(name, arg, found, BOOL)
    return found


def _one_after_another(expr: Apply, args: tuple[Expr, ...], defs: Defs) -> Expr | None:
    """Each argument is evaluated only if all before it left the answer open."""
    short_circuit = OPERATIONS[expr.op].short_circuit
    assert short_circuit is not None, "some argument may decide"

    def before(rest: Expr | None, numbered: tuple[int, Expr]) -> Expr | None:
        at, arg = numbered
        if rest is not None and short_circuit(at, 0) is not None:
            rest = Apply("implies", (arg, rest), BOOL)
        elif rest is not None and short_circuit(at, 1) is not None:
            rest = Apply("or", (arg, rest), BOOL)
        return _conjunction(defined(arg, defs), rest)

    return reduce(before, reversed(list(enumerate(args))), None)


def _defined_for_all(
    binders: tuple[Binder, ...], where: Expr | None, parts: tuple[Expr, ...], defs: Defs
) -> Expr | None:
    """Every part is defined at every choice that counts, and so is the condition itself."""
    found: list[Expr | None] = []
    for at, binder in enumerate(binders):
        asked = all_defined(binder_parts(binder), defs)
        if asked is not None:
            found.append(Fold("all", binders[:at], None, asked, None, BOOL) if at else asked)
    inner = all_defined(parts, defs)
    if where is not None and (asked := defined(where, defs)) is not None:
        found.append(Fold("all", binders, None, asked, None, BOOL))
    if inner is not None:
        found.append(Fold("all", binders, where, inner, None, BOOL))
    return _conjunction(*found)
