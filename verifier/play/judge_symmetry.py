"""Judges of symmetry: whether a position, a step or a move shows that a declared symmetry is none, by the evaluator alone.

Reads:  an obligation of kind `symmetry`, positions.   Writes: what is wrong, or None.
After:  a counterexample of a symmetry is one only if this says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.move_text import move_text_in
from pilgrim_rules.core.symmetry import BY, SCORE, START, Places
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.reference import Reference
from pilgrim_rules.semantics.state_layout import Position
from verifier.claims.obligations import Obligation
from verifier.play.replay import Failure, Move, can_happen, frozen
from verifier.play.visits import Visits

MOST_STATES = 600  #: visited states that are looked at


def places_of(declared: Declarations, obligation: Obligation) -> Places:
    """Return where values go by the symmetry that an obligation is about."""
    symmetry = next(each for each in declared.game.symmetries if each.name == obligation.subject)
    return Places.of(declared.game, symmetry)


def judge_symmetry(
    declared: Declarations,
    obligation: Obligation,
    here: Position,
    move: Move | None = None,
    after: Position | None = None,
) -> Failure | None:
    """Return the failure if the obligation is false of a position, of a move in it, or of a step that leads to another."""
    places, reference = places_of(declared, obligation), Reference(declared)
    there = places.position(declared.game, here)
    part = str(obligation.line)
    says: str | None
    if part == START:
        says = None if there == reference.start() else "the start is not its own image"
    elif part == BY:
        says = _deciders(reference, places, here, there)
    elif part == SCORE:
        says = _scores(reference, places, here, there)
    elif obligation.action is not None and part == obligation.action:
        assert move is not None, "a move is judged"
        return _moved(reference, places, here, there, move)
    else:
        return _claimed(reference, places, obligation, (here, there), move, after)
    return None if says is None else Failure(says, frozen(here))


def _deciders(reference: Reference, places: Places, here: Position, there: Position) -> str | None:
    player = reference.game.player
    deciders = reference.by(here), reference.by(there)
    wanted = None if deciders[0] is None else places.value(player, deciders[0])
    return None if wanted == deciders[1] else "in the image of this position somebody else decides than should"


def _scores(reference: Reference, places: Places, here: Position, there: Position) -> str | None:
    player = reference.game.player
    for code in range(player.lo, player.hi + 1):
        image = places.value(player, code)
        for told in (reference.score, reference.rank):
            if told(here, code) != told(there, image):
                return f"{player.labels[image]} has another score in the image of this position than {player.labels[code]} here"
    return None


def _moved(reference: Reference, places: Places, here: Position, there: Position, move: Move) -> Failure | None:
    name, args = move
    game, action = reference.game, reference.declared.actions[name]
    if not can_happen(reference, here, action, args):
        return None
    image = places.values((param.type for param in action.params), args)
    told = f"`{move_text_in(game, (name, image))}`"
    if not can_happen(reference, there, action, image):
        says = f"{told}, the image of the move, is not legal in the image of this position"
        return Failure(says, frozen(here), move)
    if reference.weight(here, action, args) != reference.weight(there, action, image):
        return Failure(f"{told}, the image of this outcome, has another weight", frozen(here), move)
    try:
        after, after_there = reference.apply(here, action, args), reference.apply(there, action, image)
    except Contradiction:
        return None
    wanted = places.position(game, after)
    differ = sorted(each for each in wanted if list(wanted[each]) != list(after_there[each]))
    if not differ:
        return None
    said = ", ".join(f"`{each}`" for each in differ)
    says = f"{told}, the image of the move, does not lead to the image of the position after it: {said} would differ"
    return Failure(says, frozen(here), move, frozen(after))


def _claimed(
    reference: Reference,
    places: Places,
    obligation: Obligation,
    positions: tuple[Position, Position],
    move: Move | None,
    after: Position | None,
) -> Failure | None:
    declared, game = reference.declared, reference.game
    name = str(obligation.line).partition(".")[2]
    later = (None, None) if after is None else (after, places.position(game, after))
    ranking = next((each for each in game.rankings if obligation.line == f"terminates.{each.name}"), None)
    if ranking is not None:
        told = [
            [evaluate(part, Environment(declared, position, {})) for part in ranking.parts] for position in positions
        ]
        says = f"the measure is {told[0]} here and {told[1]} in the image of this position"
        return None if told[0] == told[1] else Failure(says, frozen(positions[0]))
    claim = declared.claims[name]
    if claim.kind == "step" and after is None:
        return None
    holds = [reference.holds(claim, *each) for each in zip(positions, later, strict=True)]
    if not holds[0] or holds[1]:
        return None
    what = "position" if claim.kind != "step" else "step"
    says = f"`{name}` is true of this {what} and false of its image"
    return Failure(says, frozen(positions[0]), move, None if after is None else frozen(after))


def broken_in_play(visits: Visits, obligation: Obligation) -> tuple[list[Move], Failure] | None:
    """Return a play whose last position or move shows that a symmetry is none; None if no visited state does."""
    declared, decode = visits.footprints.declared, visits.compiled.layout.decode
    for state, move, after in islice(_steps(visits, obligation), MOST_STATES):
        then = None if after is None else decode(after)
        failure = judge_symmetry(declared, obligation, decode(state), move, then)
        if failure is not None:
            return [*visits.play_to(state), *(() if move is None else (move,))], failure
    return None


def _steps(visits: Visits, obligation: Obligation) -> Iterator[tuple[bytes, Move | None, bytes | None]]:
    """Yield visited states, with their moves if the obligation is about an action, with the step to them if about steps."""
    part = str(obligation.line)
    if obligation.action is not None and part == obligation.action:
        for state in list(visits.came):
            if visits.compiled.stage(state).code in visits.footprints.declared.actions[part].stages:
                yield from ((state, (part, args), None) for args in visits.compiled.legal(state, part))
        return
    for state, step in visits.came.items():
        if step is None or part != START:  # there is one start
            yield state, None, None
        if step is not None and part.startswith("claim."):
            yield step[0], step[1], state
