"""Times: an expression about the present, asked of the state before or after instead.

Reads:  a core expression and the definitions.   Writes: the same expression with its reads moved in time.
After:  no read of the present is left, but for the arguments of what is primed; definitions have been opened where they
        stood, and the expression remembers that it was written as `old e`, as `f'(x)`, or as what no step changes.
"""

from __future__ import annotations

from collections.abc import Mapping

from pilgrim_rules.core.forms import MADE_OF_MORE, form_of, with_form
from pilgrim_rules.core.ir import BOOL, Apply, Bound, Call, Def, Expr, Form, Let, Read, Type, When
from pilgrim_rules.core.type_order import fits
from pilgrim_rules.core.walk import rebuild, rebuild_written

Defs = Mapping[str, Def]


def old(expr: Expr, defs: Defs) -> Expr:
    """Return the value that an expression had before the action: `old e`."""
    return with_form(moved(expr, "old", defs), Form("old", (expr,), expr.type))


def primed(call: Call, defs: Defs) -> Expr:
    """Return a definition asked of the state after the step, of arguments before it: `f'(x)`."""
    names = tuple(f"{number} before the step" for number, _ in enumerate(call.args, 1))
    bound = tuple(Bound(name, arg.type) for name, arg in zip(names, call.args, strict=True))
    body = moved(Call(call.definition, bound, call.type), "next", defs)
    for name, arg in zip(names, call.args, strict=True):
        body = Let(name, arg, body, call.type)
    return with_form(body, Form("primed", (call,), call.type))


def unchanged(expr: Expr, defs: Defs) -> Expr:
    """Return that no step changes the value of an expression."""
    kept = Apply("==", (moved(expr, "next", defs), expr), BOOL)
    return with_form(kept, Form("unchanged", (expr,), expr.type))


def expand_forms_again(form: Form, defs: Defs) -> Expr:
    """Return what a form that is about another time stands for."""
    expr = form.args[0]
    match form.name:
        case "old":
            return old(expr, defs)
        case "primed":
            assert isinstance(expr, Call), "only what is defined is primed"
            return primed(expr, defs)
        case "unchanged":
            return unchanged(expr, defs)
        case _:
            raise AssertionError(f"`{form.name}` is about no other time")


def moved(expr: Expr, when: When, defs: Defs) -> Expr:
    """Return an expression about the present, asked of another state."""
    match expr:
        case Read(variable=variable, index=index, type=type_):
            return Read(variable, tuple(moved(each, when, defs) for each in index), type_, when)
        case Call(definition=name, args=args, type=type_):
            body = moved(defs[name].body, when, defs)
            # The arguments get names that no text can spell, so that they capture nothing inside the body.
            for param in defs[name].params:
                body = Let(param.name, Bound(f"{param.name} of {name}", param.type), body, body.type)
            for param, arg in zip(defs[name].params, args, strict=True):
                body = Let(f"{param.name} of {name}", moved(arg, when, defs), body, body.type)
            return _as_known(body, f"value of {name}", type_)
        case _ if (form := form_of(expr)) is not None and form.name in MADE_OF_MORE:  # whatever node spells it
            return rebuild(expr, lambda part: moved(part, when, defs))
        case _:  # only what is read has a time
            return rebuild_written(expr, lambda part: moved(part, when, defs))


def _as_known(value: Expr, name: str, type_: Type) -> Expr:
    """Return a value under the type that a test around it has narrowed it to."""
    return value if fits(value.type, type_) else Let(name, value, Bound(name, type_), type_)
