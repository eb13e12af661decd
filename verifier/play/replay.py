"""Replay: the only judge of a failure. It asks the reference evaluator, and believes nothing else.

Reads:  an obligation and a concrete position, step or play.   Writes: what is wrong there, or None.
After:  a counterexample that a solver, a search or a player brought is one only if this says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from pilgrim_rules.core.contracts import asked_contract
from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.ir import Action, Claim, Given, Ranking, Require
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.reference import Args, Reference
from pilgrim_rules.semantics.state_layout import Position
from verifier.claims import formulas
from verifier.claims.obligations import Obligation

Frozen: TypeAlias = Mapping[str, tuple[int, ...]]
Move: TypeAlias = tuple[str, Args]


@dataclass(frozen=True, slots=True)
class Failure:
    """What is wrong, and the states that show it: before and, if a move was made, after."""

    says: str
    before: Frozen
    move: Move | None = None
    after: Frozen | None = None


def judge_state(declared: Declarations, obligation: Obligation, position: Position) -> Failure | None:
    """Return the failure if a static obligation is false of this position."""
    if evaluate(formulas.static(declared.game, obligation), Environment(declared, position, {})):
        return None
    return Failure(f"not so: {obligation.sentence}", frozen(position))


def judge_unchanged(declared: Declarations, obligation: Obligation, position: Position) -> Failure | None:
    """Return the failure if a claim about steps is false of a step that changes nothing it looks at."""
    if evaluate(_claim(declared, obligation).formula, Environment(declared, position, {}, next=position)):
        return None
    says = f"`{obligation.subject}` is false of a step that changes nothing it looks at"
    return Failure(says, frozen(position))


def judge_start(declared: Declarations, obligation: Obligation) -> Failure | None:
    """Return the failure if a claim is false at the start; a law reads no state, so the start does for it as well."""
    reference = Reference(declared)
    position = reference.start()
    if reference.holds(_claim(declared, obligation), position):
        return None
    return Failure(f"`{obligation.subject}` is false at the start", frozen(position))


def judge_step(declared: Declarations, obligation: Obligation, before: Position, move: Move) -> Failure | None:
    """Return the failure if making this move here is legal and breaks the obligation."""
    reference = Reference(declared)
    name, args = move
    action = declared.actions[name]
    if obligation.action not in (None, name) or not can_happen(reference, before, action, args):
        return None
    try:
        after = reference.apply(before, action, args)
    except Contradiction as found:
        # A step that contradicts itself breaks its range; what it would have led to is nobody's failure. A game that asks for
        # its contracts contradicts itself where it breaks one.
        contract = asked_contract(found.breach.key)
        to_blame = obligation.kind == "range" if contract is None else obligation.subject == contract
        return Failure(found.breach.says, frozen(before), move) if to_blame else None
    says = _broken(declared, obligation, (before, after), move)
    return None if says is None else Failure(says, frozen(before), move, frozen(after))


def can_happen(reference: Reference, position: Position, action: Action, args: Args) -> bool:
    """Return whether the action is legal here, and chance, if it decides, can bring it about."""
    return reference.allowed(position, action, args) and (
        action.weight is None or reference.weight(position, action, args) > 0
    )


def judge_play(declared: Declarations, obligation: Obligation, moves: Sequence[Move]) -> Failure | None:
    """Return the failure if the moves are a legal play from the start that ends in it."""
    if obligation.kind == "initially":
        return judge_start(declared, obligation)
    stepwise = obligation.kind in ("range", "kept", "step", "decreases")
    before = positions(declared, moves[:-1] if stepwise else moves)
    if before is None or (stepwise and not moves):
        return None
    if stepwise:
        return judge_step(declared, obligation, before[-1], moves[-1])
    return judge_state(declared, obligation, before[-1])


def positions(declared: Declarations, moves: Sequence[Move]) -> list[Position] | None:
    """Return the positions of a play, the start included; None if a move is not legal or contradicts the rules."""
    reference = Reference(declared)
    found: list[Position] = [reference.start()]
    for name, args in moves:
        action = declared.actions.get(name)
        if action is None or not can_happen(reference, found[-1], action, args):
            return None
        try:
            found.append(reference.apply(found[-1], action, args))
        except Contradiction:
            return None
    return found


def first_failing(declared: Declarations, position: Position, action: Action, args: Args) -> str | None:
    """Return the key of the first requirement that fails here, in one of the action's stages; None if there is none."""
    if position["stage"][0] not in action.stages:
        return None
    names = {param.name: arg for param, arg in zip(action.params, args, strict=True)}
    env = Environment(declared, position, names)
    for line in action.guard:
        match line:
            case Require(test=test, key=key):
                if not evaluate(test, env):
                    return key
            case Given(name=name, value=value):
                env = env.bind(name, evaluate(value, env))
    return None


def frozen(position: Position) -> Frozen:
    """Return a position that nobody can change."""
    return {name: tuple(codes) for name, codes in position.items()}


def _broken(
    declared: Declarations, obligation: Obligation, states: tuple[Position, Position], move: Move
) -> str | None:
    before, after = states
    match obligation.kind:
        case "kept":
            holds = evaluate(_claim(declared, obligation).formula, Environment(declared, after, {}))
            return None if holds else f"`{obligation.subject}` is false afterwards"
        case "step":
            claim = _claim(declared, obligation)
            holds = evaluate(
                claim.formula, Environment(declared, before, _names(declared, claim, before, move), next=after)
            )
            return None if holds else f"`{obligation.subject}` is false of this step"
        case "decreases":
            parts = _ranking(declared, obligation).parts
            old, new = (
                tuple(evaluate(part, Environment(declared, at, {})) for part in parts) for at in (before, after)
            )
            return None if new < old else f"the ranking goes from {old} to {new}"
        case (
            "law"
            | "range"
            | "defined"
            | "one_side"
            | "one_auto"
            | "no_dead_end"
            | "policy_covers"
            | "weights"
            | "can_happen"
            | "can_refuse"
            | "falsifiable"
            | "triggered"
            | "initially"
            | "follows"
            | "reachable"
            | "example"
            | "no_ties"
            | "sight"
            | "audit"
            | "no_leak"
            | "symmetry"
        ):
            return None  # it says nothing of a step
        case _:
            assert_never(obligation.kind)


def _names(declared: Declarations, claim: Claim, before: Position, move: Move) -> dict[str, int]:
    """Return the names that a contract takes from its action, with their values; those of other claims are none."""
    if claim.kind != "contract":
        return {}
    env = Reference(declared).guard(before, declared.actions[move[0]], move[1])
    return {} if env is None else dict(env.names)


def _claim(declared: Declarations, obligation: Obligation) -> Claim:
    return declared.claims[str(obligation.subject)]


def _ranking(declared: Declarations, obligation: Obligation) -> Ranking:
    return next(each for each in declared.game.rankings if each.name == obligation.subject)
