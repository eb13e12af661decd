"""Premises of implications: what must come about for the implications in a claim to say anything.

Reads:  the formula of a claim.   Writes: one core formula for each implication: somewhere it applies.
After:  a claim whose trigger no state satisfies says nothing there. What the instance alone decides (the number of
        players, a ruling) is no trigger: it may well be otherwise at another table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.core.ir import BOOL, Apply, Expr, Fold, Let, Lit


def triggers(formula: Expr, footprints: Footprints) -> tuple[Expr, ...]:
    """Return when each implication of a formula applies, and each `all` that is restricted by `where`.

    Looked for below `and` and `all`: what stands on the right of `implies` may depend on how many play.
    """
    return tuple(_triggers(formula, footprints))


def _triggers(formula: Expr, footprints: Footprints) -> Iterator[Expr]:
    match formula:
        case Apply(op="and", args=args):
            for arg in args:
                yield from _triggers(arg, footprints)
        case Apply(op="implies", args=(given, _)):
            if _looks_at_the_state(given, footprints):
                yield given
        case Fold(op="all", where=where, body=body):
            inner = tuple(_triggers(body, footprints))
            if where is not None and not inner and _looks_at_the_state(where, footprints):
                inner = (Lit(1, BOOL),)
            yield from (replace(formula, op="some", body=each) for each in inner)
        case Let(body=body):
            yield from (replace(formula, body=each) for each in _triggers(body, footprints))
        case _:  # no implication: nothing can make it vacuous
            return


def _looks_at_the_state(expr: Expr, footprints: Footprints) -> bool:
    """Return whether it depends on the state."""
    return bool(footprints.footprint(expr).variables)
