"""Replay: the only judge of a failure. It asks the reference evaluator, and believes nothing else.

Reads:  an obligation and a concrete position, step or play.   Writes: what is wrong there, or None.
After:  a counterexample that a solver, a search or a player brought is one only if this says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pilgrim_rules.core.ir import Action, Claim, Given, Ranking, Require
from pilgrim_rules.engine.errors import Contradiction
from pilgrim_rules.engine.evaluate import evaluate
from pilgrim_rules.engine.layout import Position
from pilgrim_rules.engine.reference import Args, Reference
from pilgrim_rules.engine.scene import Scene, World
from verifier import formulas
from verifier.obligations import Obligation
from verifier.survey import values_of

Frozen: TypeAlias = Mapping[str, tuple[int, ...]]
Move: TypeAlias = tuple[str, Args]


@dataclass(frozen=True, slots=True)
class Failure:
    """What is wrong, and the states that show it: before and, if a move was made, after."""

    says: str
    before: Frozen
    move: Move | None = None
    after: Frozen | None = None


def judge_state(world: World, obligation: Obligation, position: Position) -> Failure | None:
    """Return the failure if a static obligation is false of this position."""
    if evaluate(formulas.static(world.game, obligation), Scene(world, position, {})):
        return None
    return Failure(f"not so: {obligation.sentence}", frozen(position))


def judge_unchanged(world: World, obligation: Obligation, position: Position) -> Failure | None:
    """Return the failure if a claim about steps is false of a step that changes nothing it looks at."""
    if evaluate(_claim(world, obligation).formula, Scene(world, position, {}, next=position)):
        return None
    says = f"`{obligation.subject}` is false of a step that changes nothing it looks at"
    return Failure(says, frozen(position))


def judge_start(world: World, obligation: Obligation) -> Failure | None:
    """Return the failure if a claim is false at the start; a law reads no state, so the start does for it as well."""
    reference = Reference(world)
    position = reference.start()
    if reference.holds(_claim(world, obligation), position):
        return None
    return Failure(f"`{obligation.subject}` is false at the start", frozen(position))


def judge_step(world: World, obligation: Obligation, before: Position, move: Move) -> Failure | None:
    """Return the failure if making this move here is legal and breaks the obligation."""
    reference = Reference(world)
    name, args = move
    action = world.actions[name]
    if obligation.action not in (None, name) or not _happens(reference, before, action, args):
        return None
    try:
        after = reference.apply(before, action, args)
    except Contradiction as found:
        # A step that contradicts itself breaks its range; what it would have led to is nobody's failure.
        return Failure(found.breach.says, frozen(before), move) if obligation.kind == "range" else None
    says = _broken(world, obligation, before, after)
    return None if says is None else Failure(says, frozen(before), move, frozen(after))


def judge_sight(world: World, move: Move, here: Position, there: Position) -> Failure | None:
    """Return the failure if the player to decide cannot tell the two positions apart, and the move is legal in one only."""
    reference = Reference(world)
    name, args = move
    player = reference.by(here)
    alike = player is not None and player == reference.by(there) and all(_looks_alike(world, player, here, there))
    legal = [reference.allowed(position, world.actions[name], args) for position in (here, there)]
    if not alike or legal[0] == legal[1]:
        return None
    return Failure("the move is legal in one of two positions that look the same", frozen(here), move, frozen(there))


def _looks_alike(world: World, player: int, here: Position, there: Position) -> Iterator[bool]:
    """Yield, for each cell that the player can see, whether it is the same in both positions."""
    for variable in world.game.variables:
        cells = zip(values_of(variable.index), here[variable.name], there[variable.name], strict=True)
        for index, mine, theirs in cells:
            names = dict(zip(variable.over, index, strict=True))
            opened = variable.until is not None and evaluate(variable.until, Scene(world, here, names))
            own = variable.sight == "private" and index[0] == player
            if variable.sight == "open" or opened or own:
                yield mine == theirs


def _happens(reference: Reference, position: Position, action: Action, args: Args) -> bool:
    """Return whether the action is legal here, and chance, if it decides, can bring it about."""
    return reference.allowed(position, action, args) and (
        action.weight is None or reference.weight(position, action, args) > 0
    )


def judge_play(world: World, obligation: Obligation, moves: Sequence[Move]) -> Failure | None:
    """Return the failure if the moves are a legal play from the start that ends in it."""
    if obligation.kind == "initially":
        return judge_start(world, obligation)
    stepwise = obligation.kind in ("range", "kept", "step", "decreases")
    before = positions(world, moves[:-1] if stepwise else moves)
    if before is None or (stepwise and not moves):
        return None
    if stepwise:
        return judge_step(world, obligation, before[-1], moves[-1])
    return judge_state(world, obligation, before[-1])


def positions(world: World, moves: Sequence[Move]) -> list[Position] | None:
    """Return the positions of a play, the start included; None if a move is not legal or contradicts the rules."""
    reference = Reference(world)
    found: list[Position] = [reference.start()]
    for name, args in moves:
        action = world.actions.get(name)
        if action is None or not _happens(reference, found[-1], action, args):
            return None
        try:
            found.append(reference.apply(found[-1], action, args))
        except Contradiction:
            return None
    return found


def first_failing(world: World, position: Position, action: Action, args: Args) -> str | None:
    """Return the key of the first requirement that fails here, in one of the action's stages; None if there is none."""
    if position["stage"][0] not in action.stages:
        return None
    names = {param.name: arg for param, arg in zip(action.params, args, strict=True)}
    scene = Scene(world, position, names)
    for line in action.guard:
        match line:
            case Require(test=test, key=key):
                if not evaluate(test, scene):
                    return key
            case Given(name=name, value=value):
                scene = scene.bind(name, evaluate(value, scene))
    return None


def frozen(position: Position) -> Frozen:
    """Return a position that nobody can change."""
    return {name: tuple(codes) for name, codes in position.items()}


def _broken(world: World, obligation: Obligation, before: Position, after: Position) -> str | None:
    match obligation.kind:
        case "kept":
            holds = evaluate(_claim(world, obligation).formula, Scene(world, after, {}))
            return None if holds else f"`{obligation.subject}` is false afterwards"
        case "step":
            holds = evaluate(_claim(world, obligation).formula, Scene(world, before, {}, next=after))
            return None if holds else f"`{obligation.subject}` is false of this step"
        case "decreases":
            parts = _ranking(world, obligation).parts
            old, new = (tuple(evaluate(part, Scene(world, at, {})) for part in parts) for at in (before, after))
            return None if new < old else f"the ranking goes from {old} to {new}"
        case _:
            return None


def _claim(world: World, obligation: Obligation) -> Claim:
    return world.claims[str(obligation.subject)]


def _ranking(world: World, obligation: Obligation) -> Ranking:
    return next(each for each in world.game.rankings if each.name == obligation.subject)
