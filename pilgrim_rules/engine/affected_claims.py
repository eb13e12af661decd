"""Affected claims: which claims a step by each action can make false.

Reads:  a core game.   Writes: numbers of claims, by the number of the action.
After:  if the claims that an action does not affect held before a step by it, they hold after it.

A claim is given by its number; those that say that play ends (`terminates`) come after the others, and every step is asked for.

An invariant that reads nothing the action writes stays as it was. A claim about steps that is plainly true of a step which changes nothing
is affected only by what it reads of the state after the step.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from pilgrim_rules.core.footprint import footprint, reads, writes
from pilgrim_rules.core.ir import BOOL, Apply, Claim, Cond, Def, Expr, Fold, Game, Let, Lit, Read
from pilgrim_rules.core.walk import rebuild

_MOST_ATOMS = 10  #: of a formula whose truth table is written


def affected_claims(game: Game) -> dict[int, tuple[int, ...]]:
    """Return the invariants, conserved sums and claims about steps that each action can make false."""
    defs = {each.name: each for each in game.defs}
    looks_at = {
        number: _looks_at(claim, defs)
        for number, claim in enumerate(game.claims)
        if claim.kind in ("invariant", "conserved", "step")
    }
    rankings = range(len(game.claims), count_claims(game))
    return {
        at: (
            *(number for number, names in looks_at.items() if names is None or names & writes(action.body)),
            *rankings,
        )
        for at, action in enumerate(game.actions)
    }


def count_claims(game: Game) -> int:
    """Return how many claims there are, with those that say that play ends."""
    return len(game.claims) + len(game.rankings)


def _looks_at(claim: Claim, defs: Mapping[str, Def]) -> frozenset[str] | None:
    """Return the variables that must change for a claim to become false; None if it can be false though nothing changes."""
    if claim.kind != "step":
        return reads((claim.formula,), defs)
    if not _is_tautology(_now(claim.formula)):
        return None
    return frozenset(name for name, when in footprint((claim.formula,), defs).reads if when == "next")


def _is_tautology(expr: Expr) -> bool:
    """Return whether a formula is true whatever its comparisons come to, as far as a truth table shows."""
    match expr:
        case Apply(op="and", args=args):
            return all(map(_is_tautology, args))
        case Fold(op="all", where=None, body=body) | Let(body=body):
            return _is_tautology(body)
        case Fold(op="all", where=where, body=body) if where is not None:
            return _is_tautology(Apply("implies", (where, body), BOOL))
        case _:  # whatever it is made of, its truth table says
            atoms: dict[Expr, bool] = {}
            _truth(expr, atoms)
            if len(atoms) > _MOST_ATOMS:
                return False
            names = list(atoms)
            return all(
                _truth(expr, dict(zip(names, row, strict=True))) for row in product((False, True), repeat=len(names))
            )


def _truth(expr: Expr, atoms: dict[Expr, bool]) -> bool:
    """Return the truth of a formula by that of its atoms; an atom that is not known yet is added. Every part is looked at."""
    match expr:
        case Lit(value=value):
            return bool(value)
        case Apply(op="and", args=args):
            return False not in [_truth(arg, atoms) for arg in args]
        case Apply(op="or", args=args):
            return True in [_truth(arg, atoms) for arg in args]
        case Apply(op="not", args=(arg,)):
            return not _truth(arg, atoms)
        case Apply(op="implies", args=(left, right)):
            first, second = _truth(left, atoms), _truth(right, atoms)
            return second or not first
        case Cond(test=test, then=then, other=other):
            chosen = [_truth(each, atoms) for each in (test, then, other)]
            return chosen[1] if chosen[0] else chosen[2]
        case Apply(op="==" | "<=" | ">=", args=(left, right)) if left == right:
            return True
        case Apply(op="!=" | "<" | ">", args=(left, right)) if left == right:
            return False
        case Apply(op="!=", args=args):
            return not atoms.setdefault(Apply("==", args, BOOL), False)
        case Apply(op="<=", args=(left, right)):
            return not atoms.setdefault(Apply("<", (right, left), BOOL), False)
        case Apply(op=">=", args=args):
            return not atoms.setdefault(Apply("<", args, BOOL), False)
        case Apply(op=">", args=(left, right)):
            return atoms.setdefault(Apply("<", (right, left), BOOL), False)
        case _:  # nothing is known of it
            return atoms.setdefault(expr, False)


def _now(expr: Expr) -> Expr:
    """Return an expression that reads the present state where it read the next one; what is known of a cell is left out."""
    if isinstance(expr, Read):
        return Read(expr.variable, tuple(map(_now, expr.index)), BOOL)
    return rebuild(expr, _now)
