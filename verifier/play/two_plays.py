"""Two plays: a leak shown by two plays from the start that look the same to somebody until one move tells them apart.

Reads:  visited states.   Writes: the failure and both plays, or None.
After:  both plays are legal, and `judge_secrecy` has seen the failure: the obligation is refuted, not only unproved.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from itertools import islice, product

from pilgrim_rules.core.move_text import move_text_in
from pilgrim_rules.semantics.observation import Moved, arguments_seen, observation, told
from pilgrim_rules.semantics.reference import Args, Reference
from verifier.claims.obligations import Obligation
from verifier.play.judge_secrecy import judge_leak, judge_sight
from verifier.play.judge_symmetry import broken_in_play
from verifier.play.replay import Failure, Move, can_happen, judge_play
from verifier.play.visits import Visits, counterexample_for

#: This many states are compared, each with this many that look the same; of refused moves, this many in each.
MOST_STATES, MOST_PAIRS, MOST_ARGUMENTS = 600, 6, 40


def failure_in_play(visits: Visits, obligation: Obligation) -> tuple[list[Move], Failure | None] | None:
    """Return a play that shows a failure, and what the evaluator says of it; None if there is none."""
    if obligation.kind in ("sight", "no_leak"):
        return told_apart(visits, obligation)
    if obligation.kind == "symmetry":
        return broken_in_play(visits, obligation)
    shown = counterexample_for(visits, obligation)
    if shown is None:
        return None
    return shown[0], judge_play(visits.footprints.declared, obligation, shown[0])


def told_apart(visits: Visits, obligation: Obligation) -> tuple[list[Move], Failure] | None:
    """Return a play that refutes an obligation about secrecy; the failure names the other. None if no visited states do."""
    reference = visits.compiled.reference
    action = reference.declared.actions[str(obligation.action)]
    moves = (
        (state, Moved(visits.compiled.layout.decode(state), action, args))
        for state in islice(
            (each for each in visits.came if visits.compiled.stage(each).code in action.stages), MOST_STATES
        )
        for args in _arguments(visits, state, obligation)
    )
    groups: dict[Hashable, list[tuple[bytes, Moved]]] = {}
    for state, moved in moves:
        for player in range(reference.game.players):
            group = groups.setdefault(_look(reference, obligation, moved, player), [])
            for other_state, other in group:
                failure = _judge(reference, obligation, player, other, moved)
                if failure is not None:
                    there = [*visits.play_to(state), (action.name, moved.args)]
                    told_there = "; ".join(move_text_in(reference.game, move) for move in there)
                    says = f"{failure.says}\nthe other world: {told_there}"
                    return [*visits.play_to(other_state), (action.name, other.args)], replace(failure, says=says)
            if len(group) < MOST_PAIRS:
                group.append((state, moved))
    return None


def _arguments(visits: Visits, state: bytes, obligation: Obligation) -> Iterator[Args]:
    """Yield the arguments worth comparing: of a leak those of legal moves, otherwise all that may be refused."""
    action = visits.compiled.reference.declared.actions[str(obligation.action)]
    if obligation.kind == "no_leak":
        yield from visits.compiled.legal(state, action.name)
    else:
        every = product(*(range(param.type.lo, param.type.hi + 1) for param in action.params))
        yield from islice(every, MOST_ARGUMENTS)


def _look(reference: Reference, obligation: Obligation, moved: Moved, player: int) -> Hashable:
    """Return what a move in a position looks like to a player."""
    seen = observation(reference.declared, moved.position, player)
    if obligation.kind == "sight":
        return player, seen, moved.args
    if not can_happen(reference, moved.position, moved.action, moved.args):
        return None
    return player, seen, arguments_seen(reference.declared, moved, player), told(reference.declared, moved, player)


def _judge(reference: Reference, obligation: Obligation, player: int, one: Moved, other: Moved) -> Failure | None:
    if obligation.kind == "no_leak":
        return judge_leak(reference.declared, player, one, other)
    move = one.action.name, one.args
    return judge_sight(reference.declared, player, move, one.position, other.position)
