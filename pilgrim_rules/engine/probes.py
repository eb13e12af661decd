"""Probes: formulas that play is to make true, as claims that it breaks.

Reads:  a core game, formulas.   Writes: the game with a claim for each formula; formulas about requirements.
After:  a probe is met exactly in the states in which its formula holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

from pilgrim_rules.core.ir import BOOL, Action, Apply, Binder, Claim, Expr, Fold, Game, Given, Let, Lit, Read, Require


def with_probes(game: Game, probes: Mapping[str, Expr]) -> Game:
    """Return the game whose only claims are that no probe is ever met, in the order of the probes."""
    claims = (Claim(name, "invariant", Apply("not", (probe,), BOOL)) for name, probe in probes.items())
    return replace(game, claims=tuple(claims), rankings=(), examples=())


def refusal_probe(game: Game, action: Action, key: str) -> Expr:
    """Return the formula that a requirement is what refuses a move: all lines before it hold, and it does not."""
    at = next(at for at, line in enumerate(action.guard) if isinstance(line, Require) and line.key == key)
    last = action.guard[at]
    assert isinstance(last, Require)
    refused: Expr = Apply("not", (last.test,), BOOL)
    for line in reversed(action.guard[:at]):
        match line:
            case Require(test=test):
                refused = Apply("and", (test, refused), BOOL)
            case Given(name=name, value=value):
                refused = Let(name, value, refused, BOOL)
    if action.params:
        binders = tuple(Binder(param.name, param.type) for param in action.params)
        refused = Fold("some", binders, None, refused, None, BOOL)
    stage = Read("stage", (), game.stage)
    times: list[Expr] = [Apply("==", (stage, Lit(code, game.stage)), BOOL) for code in action.stages]
    in_time = reduce(lambda one, other: Apply("or", (one, other), BOOL), times)
    return Apply("and", (in_time, refused), BOOL)
