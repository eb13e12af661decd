"""Compare: whether a changed game behaves like the original in every state that the original can reach.

Reads:  all reachable states of a game, and a game with the same variables.   Writes: the first difference, or None.
After:  None means that the two games have the same reachable states, the same moves in each of them, with the same
        results, and the same decider: for this instance they are the same game.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pilgrim_rules.core.ir import Expr, Game
from verifier.explore import kernels
from verifier.explore.batch import batch_size, play_to
from verifier.explore.generated_module import GeneratedModule
from verifier.explore.runtime import Numbers, Words, columns
from verifier.explore.search import visited
from verifier.explore.search_program import SearchProgram, generate
from verifier.explore.search_result import PlayStep
from verifier.explore.state_set import States

#: What a kernel does in a batch: for each move the rows, and the states after it (-1 where the rules contradict themselves).
MovesMade = dict[int, tuple[Numbers, Words]]


@dataclass(frozen=True, slots=True)
class BehaviourDifference:
    """Where two games part: after a shortest play, a move is legal in one of them only, or leads to different states."""

    play: tuple[PlayStep, ...]
    says: str


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A game with all its reachable states."""

    game: Game
    program: SearchProgram
    states: States

    @classmethod
    def from_game(cls, game: Game, *, max_states: int) -> Behaviour | None:
        """Return the behaviour of a game; None if it has too many states."""
        found = visited(game, max_states=max_states)
        return None if found is None else cls(game, *found)

    def difference(self, other: Game, actions: Collection[str]) -> BehaviourDifference | None:
        """Return where the other game first behaves differently; only `actions` and deciders can be different."""
        changed = generate(other, check=False, packing=self.program.packing)
        deciders = _Deciders(self.game, other, self.program)
        size = batch_size(self.program.packing.words)
        for first in range(0, self.states.count, size):
            now = self.states.words[:, first : min(first + size, self.states.count)]
            stages = np.broadcast_to(self.program.stage_of(now), now.shape[1:])
            for stage in np.unique(stages):
                rows = np.flatnonzero(stages == stage)
                found = deciders.differ(int(stage), now[:, rows]) or _differ(
                    self.program, changed, int(stage), now[:, rows], actions
                )
                if found is not None:
                    row, says = found
                    return BehaviourDifference(play_to(self.program, self.states, first + int(rows[row])), says)
        return None


def _differ(
    mine: SearchProgram, theirs: SearchProgram, stage: int, now: Words, actions: Collection[str]
) -> tuple[int, str] | None:
    """Return the first row in which the two do something different, and what."""
    found: list[tuple[int, str]] = []
    one, two = (_moves_made(program, stage, now, actions) for program in (mine, theirs))
    nothing: tuple[Numbers, Words] = columns(0), now[:, :0]
    for move in sorted(one.keys() | two.keys()):
        (my_rows, my_after), (their_rows, their_after) = one.get(move, nothing), two.get(move, nothing)
        text = mine.move_text(move)
        for rows, where in ((my_rows, "the original"), (their_rows, "the changed game")):
            only = np.setdiff1d(rows, their_rows if rows is my_rows else my_rows)
            if len(only):
                found.append((int(only[0]), f"`{text}` is legal in {where} only"))
        both, at, other_at = np.intersect1d(my_rows, their_rows, return_indices=True)
        apart = np.flatnonzero((my_after[:, at] != their_after[:, other_at]).any(axis=0))
        if len(apart):
            found.append((int(both[apart[0]]), f"`{text}` leads to different states"))
    return min(found, default=None)


def _moves_made(program: SearchProgram, stage: int, now: Words, actions: Collection[str]) -> MovesMade:
    done: MovesMade = {}

    def out(move: int, rows: Numbers, after: Words, wrong: NDArray[np.int32] | None) -> None:
        if wrong is not None:
            after = np.where(wrong > 0, -1, after)
        done[move] = (rows, after)

    for moves, kernel in program.by_stage[stage]:
        if moves.action.name in actions:
            kernel(now, columns(now.shape[1]), out)
    return done


class _Deciders:
    """The expressions that say who decides, where two games have different ones."""

    def __init__(self, mine: Game, theirs: Game, program: SearchProgram) -> None:
        module = GeneratedModule(program.reference.declared, program.packing)
        names: dict[int, tuple[str, str]] = {}
        for one, two in zip(mine.stages, theirs.stages, strict=True):
            if one.by != two.by and one.by is not None and two.by is not None:
                names[one.code] = (self._add(module, one.by, f"m{one.code}"), self._add(module, two.by, f"t{one.code}"))
        functions = module.functions()
        self._pairs = {code: (functions[one], functions[two]) for code, (one, two) in names.items()}

    @staticmethod
    def _add(module: GeneratedModule, by: Expr, name: str) -> str:
        kernels.measure(module, by, name)
        return name

    def differ(self, stage: int, now: Words) -> tuple[int, str] | None:
        if stage not in self._pairs:
            return None
        one, two = self._pairs[stage]
        apart = np.flatnonzero(np.broadcast_to(one(now) != two(now), now.shape[1:]))
        return (int(apart[0]), "somebody else decides") if len(apart) else None
