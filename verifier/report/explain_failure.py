"""Explaining a failure: what exactly is false where a claim fails, for which values, and what the step changed.

Reads:  a core game and a record with a picture.   Writes: an `Explanation`.
After:  the part that is named is false in the state shown, and every value was asked of the reference evaluator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.footprint import values_of
from pilgrim_rules.core.ir import Expr, Game
from pilgrim_rules.core.values import show as show_value
from pilgrim_rules.evidence.record import FailureExplanation, Record, ShownStep
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.moves import MoveBook
from pilgrim_rules.semantics.reference import Reference
from pilgrim_rules.semantics.why_false import index_text, why_false
from verifier.claims import formulas
from verifier.claims.obligations import Obligation

Frozen = Mapping[str, Sequence[int]]

#: Kinds whose formula speaks of one state that is shown.
OF_STATES = ("defined", "one_side", "one_auto", "no_dead_end", "policy_covers", "weights", "no_ties", "follows")


def explain_failure(game: Game, obligation: Obligation, record: Record) -> FailureExplanation | None:
    """Return why a record says that something is false; None if it says nothing of the kind, or shows no state."""
    declared, picture = Declarations(game), record.picture
    if obligation.kind in ("initially", "law") and picture is None:
        return (
            _false(declared, obligation, Environment(declared, Reference(declared).start(), {}))
            if record.reason
            else None
        )
    if picture is None:
        return None
    changed = () if picture.after is None else tuple(changes(game, picture.before, picture.after))
    match obligation.kind:
        case "kept" if picture.after is not None:
            found = _false(declared, obligation, Environment(declared, picture.after, {}))
        case "step" if picture.after is not None and (
            picture.move is not None or not _is_contract(declared, obligation)
        ):
            names = _names(declared, obligation, picture)
            found = _false(declared, obligation, Environment(declared, picture.before, names, next=picture.after))
        case kind if kind in OF_STATES:
            found = _account(formulas.static(game, obligation), Environment(declared, picture.before, {}))
        case _:  # no formula to be taken apart
            found = FailureExplanation()
    return replace(found, changed=changed)


def changes(game: Game, before: Frozen, after: Frozen) -> Iterator[str]:
    """Yield each cell that differs between two states, with both values."""
    for variable in game.variables:
        old, new = before[variable.name], after[variable.name]
        if old == new:
            continue
        for index, was, now in zip(values_of(variable.index), old, new, strict=True):
            if was != now:
                cell = variable.name + index_text(zip(variable.index, index, strict=True))
                yield f"{cell}: {show_value(variable.type, was)} → {show_value(variable.type, now)}"


def _names(declared: Declarations, obligation: Obligation, picture: ShownStep) -> dict[str, int]:
    """Return the names that a contract takes from the move that is shown; those of other claims are none.

    A state that a solver imagines may refuse the move: it is asked for some of the requirements only.
    """
    if not _is_contract(declared, obligation) or picture.move is None:
        return {}
    number, args = MoveBook(declared.game).codes(picture.move)
    action = declared.game.actions[number]
    env = Reference(declared).guard(picture.before, action, args)
    given = {param.name: arg for param, arg in zip(action.params, args, strict=True)}
    return given if env is None else {**given, **env.names}


def _is_contract(declared: Declarations, obligation: Obligation) -> bool:
    return declared.claims[str(obligation.subject)].kind == "contract"


def _false(declared: Declarations, obligation: Obligation, env: Environment) -> FailureExplanation:
    return _account(declared.claims[str(obligation.subject)].formula, env)


def _account(formula: Expr, env: Environment) -> FailureExplanation:
    if evaluate(formula, env):  # it is false for other data, which the reason names, and not for those of the edition
        return FailureExplanation()
    found = why_false(formula, env)
    return FailureExplanation(found.part, found.where, found.values)
