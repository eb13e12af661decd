"""What to try: a line for an obligation whose proof did not come back.

Reads:  a core game, an obligation without an answer, and the data that its proof leaves open.   Writes: a sentence or two.
After:  each thing that is named is in the text of the claim or of the action: the widest count, the stage, the loop, the data.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import assert_never

from pilgrim_rules.core.footprint import reads, writes
from pilgrim_rules.core.ir import Assign, Branch, Call, Define, Expr, Fold, Game, Loop, Read, Stmt
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.core.sub_turns import is_stack
from pilgrim_rules.core.walk import subexpressions
from pilgrim_rules.core.zones import COUNT, LEFT, PLACE, POSITION
from verifier.claims.obligations import Obligation

WIDE = 8  #: values of a count or a loop from which on it is worth naming
_SHOWN = 60  #: characters of an expression


def what_to_try(game: Game, obligation: Obligation, open_data: tuple[str, ...]) -> str:
    """Return why a proof may be expensive, and what helps."""
    return "to try: " + "; or ".join(_advice(game, obligation, open_data))


def what_to_exclude(game: Game, obligation: Obligation) -> str:
    """Return what helps where a proof fails in a state that no play is known to reach."""
    match obligation.kind:
        case "step" if obligation.action is None:
            return _idle(game, obligation)
        case "kept" if _forgets_sub_turns(game, obligation):
            first = (
                "say in the claim what holds while a sub-turn or a draw goes back to its stage, `stage == S or "
                "interrupted(S)`, with what is on its way, `coming(…)` and `due(…)`; or an invariant that this state breaks"
            )
        case "no_leak" | "sight":
            first = "an invariant that one of the two worlds breaks; or say what is given away, with `reveal` or `public def`"
        case "follows":
            first = "another invariant behind `follows from`, one that this state breaks"
        case _:  # what holds in a state, or of a step
            first = "an invariant that this state breaks; what tells it from the nearest state is what to speak of"
    return f"to try: {first}; or `pilgrim explore`, which needs no induction if all states can be visited"


def _idle(game: Game, obligation: Obligation) -> str:
    """Return what helps where a step claim asks for a change, and actions that change nothing of it do not make one."""
    claim = next(each for each in game.claims if each.name == obligation.subject)
    primed = sorted(
        {part.variable for part in subexpressions(claim.formula) if isinstance(part, Read) and part.when == "next"}
    )
    named = ", ".join(f"`{name}'`" for name in primed) or "anything primed"
    return (
        f"to try: the claim asks something to change, and this part stands for all actions that write nothing it primes ({named}): "
        f"say in the claim what tells such steps apart, for instance `stage' != stage implies …`, or ask it of one action, "
        f"`contract {obligation.subject} of ACTION`"
    )


def what_is_on_its_way(game: Game, obligation: Obligation) -> str:
    """Return what a claim about pieces forgets where a play refutes it while some are being drawn; nothing if it is no such claim."""
    action = next((each for each in game.actions if each.name == obligation.action), None)
    if action is None or not any(name.startswith(LEFT) for name in writes(action.body)):
        return ""
    formulas = [each.formula for each in game.claims if each.name == obligation.subject and obligation.kind == "kept"]
    formulas += [part for each in game.rankings if each.name == obligation.subject for part in each.parts]
    asked = reads(formulas, {each.name: each for each in game.defs})
    if not asked & _zones(game) or any(name.startswith(LEFT) for name in asked):
        return ""
    if obligation.kind == "kept":
        return "to try: a draw is under way here; count what is on its way as well, `count(hand[p]) + coming(hand[p])`, `count(deck) - due(deck)`"
    return "to try: a draw begins here; what is still to be drawn makes the measure smaller, `count(deck) - due(deck)`"


def _zones(game: Game) -> frozenset[str]:
    """Return the variables that hold the pieces of zones, or their numbers."""
    kinds = {each.name for each in game.namings if each.kind == "zones"}
    return frozenset(
        each.name for each in game.variables if each.name in kinds or each.name.startswith((PLACE, COUNT, POSITION))
    )


def _forgets_sub_turns(game: Game, obligation: Obligation) -> bool:
    """Return whether a claim speaks of stages, and not of ways back to them, though the action goes such a way."""
    action = next((each for each in game.actions if each.name == obligation.action), None)
    claim = next((each for each in game.claims if each.name == obligation.subject), None)
    if action is None or claim is None:
        return False
    asked = reads((claim.formula,), {each.name: each for each in game.defs})
    return "stage" in asked and not any(map(is_stack, asked)) and any(map(is_stack, writes(action.body)))


def _advice(game: Game, obligation: Obligation, open_data: tuple[str, ...]) -> Iterator[str]:
    if obligation.kind == "no_dead_end" and obligation.stage is not None:
        stage = next(each for each in game.stages if each.code == obligation.stage)
        if stage.kind == "player" and not stage.always:
            yield f"say which action is always possible, `{stage.name} by … always ACTION`"
    claim = next((each for each in game.claims if each.name == obligation.subject), None)
    if claim is not None and obligation.kind == "kept" and claim.using and not claim.follows:
        lemmas = ", ".join(claim.using)
        yield f"`follows from {lemmas}` and what else implies it, in place of `using`: it is then shown once, of any state"
    folds = sorted(_folds(game, claim.formula), key=_width) if claim is not None else []
    counted = [each for each in folds if each.op in ("count", "sum") and _width(each) >= WIDE]
    if counted:
        text = show(counted[-1])
        said = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
        yield f"keep `{said}` in a variable or a ghost that the rules count, and claim once that it is the count"
    if len(counted) > 1:
        yield "claim each count by itself"
    action = next((each for each in game.actions if each.name == obligation.action), None)
    loops = [] if action is None else [each for each in _loops(action.body) if each.binder.type.size >= WIDE]
    if loops:
        all_of = loops[0].binder.type.name
        yield f"let `{obligation.action}` do in several steps what it does for all of `{all_of}` at once"
    if open_data:
        named = ", ".join(f"`{name}`" for name in open_data)
        yield f"a law about {named}, which the proof leaves open"
    yield f"`pilgrim prove --explain {obligation.name.partition('.')[2]}`, which says what is asked"


def _folds(game: Game, formula: Expr) -> Iterator[Fold]:
    """Yield the folds of a formula and of the definitions it asks."""
    bodies = {each.name: each.body for each in game.defs}
    waiting, seen = [formula], set[str]()
    while waiting:
        for part in subexpressions(waiting.pop()):
            if isinstance(part, Fold):
                yield part
            elif isinstance(part, Call) and part.definition not in seen:
                seen.add(part.definition)
                waiting.append(bodies[part.definition])


def _width(fold: Fold) -> int:
    return prod(each.type.size for each in fold.binders)


def _loops(block: tuple[Stmt, ...]) -> Iterator[Loop]:
    for stmt in block:
        match stmt:
            case Loop(body=body):
                yield stmt
                yield from _loops(body)
            case Branch(then=then, other=other):
                yield from _loops((*then, *other))
            case Assign() | Define():
                pass
            case _:
                assert_never(stmt)
