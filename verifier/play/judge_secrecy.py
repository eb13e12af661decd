"""Judges of secrecy: whether a player can tell two worlds apart that looked the same, by the evaluator alone.

Reads:  two positions, or a move in each.   Writes: what is wrong, or None.
After:  a counterexample of two worlds is one only if this says so. What the rules open or announce tells nothing that it
        should not: two worlds in which that differs are none.
"""

from __future__ import annotations

from collections.abc import Iterator

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.footprint import Footprints, values_of
from pilgrim_rules.core.ir import Action, Given, Variable
from pilgrim_rules.core.values import show
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.observation import Moved, arguments_seen, belongs, observation, public_values, sees, told
from pilgrim_rules.semantics.reference import Reference
from pilgrim_rules.semantics.refusal import refusals
from pilgrim_rules.semantics.state_layout import Position
from verifier.claims.secrecy import lies_in_a_zone, where_it_lies
from verifier.play.replay import Failure, Move, can_happen, frozen

_MOST_SHOWN = 3  #: unseen cells in which two worlds differ


def judge_sight(declared: Declarations, player: int, move: Move, here: Position, there: Position) -> Failure | None:
    """Return the failure if the player cannot tell the positions apart, and the move is refused in one for other reasons."""
    reference = Reference(declared)
    name, args = move
    action = declared.actions[name]
    if not _looks_alike(declared, player, here, there) or (action.kind == "action" and reference.by(here) != player):
        return None
    if action.kind == "auto" and not _reveals_alike(declared, player, action, here, there):
        return None
    reasons = [
        [(each.kind, each.key) for each in refusals(declared, position, action, args, {})] for position in (here, there)
    ]
    if reasons[0] == reasons[1]:
        return None
    legal = bool(reasons[0]) != bool(reasons[1])
    what = "the move is legal in one" if legal else "the move is refused for other reasons in one"
    if action.kind == "auto":
        what = "it happens in one" if legal else "it does not happen for other reasons in one"
    says = f"{what} of two positions that look the same to {show(declared.game.player, player)}"
    return Failure(f"{says}{_difference(declared, player, here, there)}", frozen(here), move, frozen(there))


def _reveals_alike(declared: Declarations, player: int, action: Action, here: Position, there: Position) -> bool:
    """Return whether an auto would reveal the same in both positions; requirements are left aside."""
    told_in: list[list[int | None]] = []
    for position in (here, there):
        env = Environment(declared, position, {})
        for line in action.guard:
            if isinstance(line, Given):
                env = env.bind(line.name, evaluate(line.value, env))
        told_in.append(
            [evaluate(each.value, env) if belongs(each.to, player, env) else None for each in action.reveals]
        )
    return told_in[0] == told_in[1]


def judge_leak(declared: Declarations, player: int, one: Moved, other: Moved) -> Failure | None:
    """Return the failure if two moves in two positions look the same to the player, and what they lead to does not."""
    reference = Reference(declared)
    moves = one, other
    if not all(can_happen(reference, each.position, each.action, each.args) for each in moves):
        return None
    if not _looks_alike(declared, player, one.position, other.position):
        return None
    if arguments_seen(declared, one, player) != arguments_seen(declared, other, player):
        return None
    if told(declared, one, player) != told(declared, other, player):
        return None
    try:
        after, after_there = (reference.apply(each.position, each.action, each.args) for each in moves)
    except Contradiction:
        return None
    shown = list(_tells(declared, player, one.position, after, after_there))
    befores = one.position, other.position
    if _opens(declared, player, befores, (after, after_there)) or not shown:
        return None
    name = show(declared.game.player, player)
    says = (
        f"{name} can tell two worlds apart by {shown[0]}{_difference(declared, player, one.position, other.position)}"
    )
    return Failure(says, frozen(one.position), (one.action.name, one.args), frozen(other.position))


def _looks_alike(declared: Declarations, player: int, here: Position, there: Position) -> bool:
    return observation(declared, here, player) == observation(declared, there, player)


def _tells(declared: Declarations, player: int, before: Position, here: Position, there: Position) -> Iterator[str]:
    """Yield by what a player tells two positions apart after a step."""
    for variable, index, at in _cells(declared):
        mine, theirs = (sees(declared, position, variable, index, player) for position in (here, there))
        values = here[variable.name][at], there[variable.name][at]
        if mine != theirs:
            yield f"whether `{_cell(variable, index)}` is seen"
        elif mine and values[0] != values[1] and sees(declared, before, variable, index, player):
            said = " or ".join(show(variable.type, value) for value in values)
            yield f"`{_cell(variable, index)}`: {said}"
    reference = Reference(declared)
    deciders = reference.by(here), reference.by(there)
    if deciders[0] != deciders[1]:
        said = " or ".join("nobody" if each is None else show(declared.game.player, each) for each in deciders)
        yield f"who decides: {said}"


def _opens(
    declared: Declarations, player: int, befores: tuple[Position, Position], afters: tuple[Position, Position]
) -> bool:
    """Return whether the step gives the player something to see on purpose that differs in the two worlds.

    That is a public value, or a cell that was not seen: one that is seen in both worlds, or a piece that is seen in one of them
    though the step left it where it was, since the zone in which it lies was opened.
    """
    here, there = afters
    if list(public_values(declared, here)) != list(public_values(declared, there)):
        return True
    for variable, index, at in _cells(declared):
        if here[variable.name][at] == there[variable.name][at] or sees(declared, befores[0], variable, index, player):
            continue
        seen = [sees(declared, position, variable, index, player) for position in afters]
        kept = [
            all(before[each.name][at] == after[each.name][at] for each in where_it_lies(declared.game, variable))
            for before, after in zip(befores, afters, strict=True)
        ]
        shown = _is_opened_alike(declared, variable, afters) and any(map(all, zip(seen, kept, strict=True)))
        if all(seen) or shown:
            return True
    return False


def _is_opened_alike(declared: Declarations, variable: Variable, afters: tuple[Position, Position]) -> bool:
    """Tell whether a variable holds where pieces lie, and the same zones are open in both worlds."""
    if not lies_in_a_zone(variable) or variable.seen is None:
        return False
    names = Footprints(declared).footprint(variable.seen.test).variables - {variable.name}
    return all(
        afters[0][each.name] == afters[1][each.name]
        for each in declared.game.variables
        if each.name in names and not lies_in_a_zone(each)
    )


def _difference(declared: Declarations, player: int, here: Position, there: Position) -> str:
    """Return in which cells that the player does not see two worlds differ, as an end of a sentence."""
    found = [
        f"`{_cell(variable, index)}` is {show(variable.type, here[variable.name][at])} or "
        f"{show(variable.type, there[variable.name][at])}"
        for variable, index, at in _cells(declared)
        if here[variable.name][at] != there[variable.name][at]
    ]
    more = f" and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
    unseen = show(declared.game.player, player)
    return f"; unseen by {unseen}, {', '.join(found[:_MOST_SHOWN])}{more}" if found else ""


def _cells(declared: Declarations) -> Iterator[tuple[Variable, tuple[int, ...], int]]:
    for variable in declared.game.variables:
        if not variable.ghost:
            yield from ((variable, index, at) for at, index in enumerate(values_of(variable.index)))


def _cell(variable: Variable, index: tuple[int, ...]) -> str:
    inside = ", ".join(show(type_, code) for type_, code in zip(variable.index, index, strict=True))
    return f"{variable.name}[{inside}]" if index else variable.name
