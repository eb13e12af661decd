"""Shorten: a long play that breaks an obligation becomes a short one.

Reads:  a compiled game, an obligation, a play.   Writes: a play that breaks the same, found by leaving out stretches of moves.
After:  no single decision can be left out, unless the number of steps ran out before. What happens by itself is made when it is
        due, whether or not it is in the play. Whoever believes the play asks the evaluator.
"""

from __future__ import annotations

from collections.abc import Sequence

from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.semantics.errors import STOPS
from verifier.claims.obligations import Obligation
from verifier.play.visits import Move, Visits

#: Steps of all tries together.
STEPS = 60_000
#: Kinds of which only the obligation's own action is asked, after it was made.
STEPWISE = ("kept", "step", "decreases", "range")


def shortened(
    code: Compiled, footprints: Footprints, obligation: Obligation, play: Sequence[Move], steps: int = STEPS
) -> list[Move]:
    """Return a play that breaks the obligation and is no longer than this one."""
    replay = _Replay(code, footprints, obligation, steps)
    best = list(play)
    size = max(1, len(best) // 2)
    while size and replay.left > 0:
        at, shorter = 0, False
        while at < len(best) and replay.left > 0:
            found = replay.breaks([*best[:at], *best[at + size :]])
            if found is not None and len(found) < len(best):
                best, shorter = found, True
            else:
                at += size
        if not shorter or size > 1:
            size //= 2
    return best


class _Replay:
    """Makes moves again, as far as they are legal; `left` are the steps that may still be made."""

    def __init__(self, code: Compiled, footprints: Footprints, obligation: Obligation, left: int) -> None:
        self.code, self.footprints, self.obligation, self.left = code, footprints, obligation, left
        self.kinds = {action.name: action.kind for action in code.game.actions}
        self.autos = {
            stage.code: [each.name for each in code.game.actions if each.kind == "auto" and stage.code in each.stages]
            for stage in code.game.stages
            if stage.kind == "auto"
        }

    def breaks(self, moves: Sequence[Move]) -> list[Move] | None:
        """Return the moves that were made until the obligation was broken; None if it was not."""
        state, made = self.code.start, list[Move]()
        waiting = [move for move in moves if self.kinds[move[0]] != "auto"][::-1]
        while self.left > 0:
            self.left -= 1
            try:
                move = self._next(state, waiting)
                if move is None:
                    return None
                made.append(move)
                if self._is_broken(state, move):
                    return made
                state = self.code.apply(state, *move)
                if self.obligation.kind not in STEPWISE and self._is_broken(state, None):
                    return made
            except STOPS:
                return None
        return None

    def _next(self, state: bytes, waiting: list[Move]) -> Move | None:
        stage = self.code.stage(state)
        for name in self.autos.get(stage.code, ()):
            for args in self.code.legal(state, name):
                return name, args
        while waiting:
            move = waiting.pop()
            if self.code.allowed(state, *move) and self._can_happen(state, move):
                return move
        return None

    def _can_happen(self, state: bytes, move: Move) -> bool:
        return self.kinds[move[0]] != "chance" or self.code.weight(state, *move) > 0

    def _is_broken(self, state: bytes, move: Move | None) -> bool:
        """Return whether a step, or a state, is what breaks the obligation."""
        wanted = self.obligation
        if wanted.kind in STEPWISE:
            if move is None or wanted.action not in (None, move[0]):
                return False
            if wanted.kind == "kept":
                return not self.code.holds(str(wanted.subject), self.code.apply(state, *move))
        seen = Visits(self.code, self.footprints)
        if move is None:
            seen.options(state)
            seen.visit(state, None)
        else:
            after = seen.step(state, move)
            if after is not None:
                seen.check_step(state, move, after)
        return wanted.name in seen.broken
