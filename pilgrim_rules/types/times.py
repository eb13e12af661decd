"""Times: an expression about the present, asked of the state before or after instead.

Reads:  a core expression and the definitions.   Writes: the same expression with all its reads moved in time.
After:  no read of the present is left; definitions have been opened where they stood.
"""

from __future__ import annotations

from collections.abc import Mapping

from pilgrim_rules.core import ir
from pilgrim_rules.core.walk import rebuild


def moved(expr: ir.Expr, when: ir.When, defs: Mapping[str, ir.Def]) -> ir.Expr:
    """Return the expression as asked of the state at another time."""
    match expr:
        case ir.Read(variable=variable, index=index, type=type_):
            return ir.Read(variable, tuple(moved(each, when, defs) for each in index), type_, when)
        case ir.Call(definition=name, args=args, type=type_):
            body = moved(defs[name].body, when, defs)
            # The arguments get names that no text can spell, so that they capture nothing inside the body.
            for param in defs[name].params:
                body = ir.Let(param.name, ir.Bound(f"{param.name} of {name}", param.type), body, type_)
            for param, arg in zip(defs[name].params, args, strict=True):
                body = ir.Let(f"{param.name} of {name}", moved(arg, when, defs), body, type_)
            return body
        case _:
            return rebuild(expr, lambda part: moved(part, when, defs))
