"""Trials: moves with a mistake in them, made in states of the game without it.

Reads:  a sample of states, then mutants.   Writes: what is wrong after a move, and the play that leads there.
After:  every state tried is one of the original game, so all its claims hold there: whatever breaks after the move shows
        that the claim is no longer kept by the action, which is the proof that a mutant loses. From there the game goes
        on for some steps, for what shows later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from pilgrim_rules.engine.moves import Coded
from verifier.fuzz import checks
from verifier.fuzz.player import crash
from verifier.fuzz.subject import Broken, Problem, Subject
from verifier.mutate.killers import Killer, Noticed, claimed
from verifier.mutate.mutants import Mutant
from verifier.mutate.sample import Place, Sample

#: States tried for one mutant, moves made in each, and steps that follow the last of them.
STATES, MOVES, AFTER = 120, 4, 20


def by_trials(sample: Sample, known: frozenset[str] = frozenset()) -> Killer:
    """Return the killer that makes moves with the mistake in the states of a sample; `known` are old troubles."""

    def kill(mutant: Mutant) -> Noticed | None:
        trial = _Trial(sample, Subject(mutant.game), frozenset(mutant.actions), Random(0))  # noqa: S311  (no secrets)
        places = sample.near(mutant.actions, STATES)
        found = [each for each in trial.failures(places, 1) if each[0].name not in known]
        if not found:
            return None
        problem, play, example = found[0]
        moves = tuple(trial.theirs.move(coded) for coded in play)
        where = f" in example `{example}`" if example else ""
        says = f"{problem.name}: {problem.says}, after {len(moves)} steps{where}"
        return Noticed(says, example, moves, claimed(mutant.game, problem.name))

    return kill


@dataclass(frozen=True, slots=True)
class _Trial:
    sample: Sample
    theirs: Subject
    actions: frozenset[str]
    random: Random

    def failures(self, places: list[Place], most: int) -> Iterator[tuple[Problem, tuple[Coded, ...], str]]:
        """Yield what goes wrong, each with every move from the start, or from what an example arranges."""
        for place in places:
            if most <= 0:
                return
            state, before, example = self.sample.at(place)
            made: list[Coded] = []
            try:
                self._try(state, made)
            except Broken as broken:
                most -= 1
                yield broken.problem, (*before, *made), example
            except Exception as error:  # noqa: BLE001  (a value is used that does not exist: a finding like any other)
                most -= 1
                yield crash(self.theirs, error), (*before, *made), example

    def _try(self, state: bytes, made: list[Coded]) -> None:
        options = [coded for coded, _ in self.theirs.options(state)]
        touched = [coded for coded in options if self.theirs.core.actions[coded[0]].name in self.actions]
        new = [coded for coded in touched if not self.sample.subject.runner.allows(state, coded)]
        for coded in _some(new, MOVES, self.random) or _some(touched, MOVES, self.random):
            made[:] = [coded]
            after = self._step(state, coded)
        if not made:
            return
        for _ in range(AFTER):
            options = [coded for coded, _ in self.theirs.options(after)]
            if not options:
                return
            made.append(self.random.choice(options))
            after = self._step(after, made[-1])

    def _step(self, state: bytes, coded: Coded) -> bytes:
        after = self.theirs.make(state, coded)
        checks.step(self.theirs, state, coded, after)
        checks.state(self.theirs, coded, after)
        return after


def _some(moves: list[Coded], most: int, random: Random) -> list[Coded]:
    return moves if len(moves) <= most else random.sample(moves, most)
