"""Detectors: what may notice a mistake in the rules.

Reads:  mutants.   Writes: what was noticed; None if nothing was.
After:  a detector speaks only of what it did not say of the game without the mistake.

A detector is any callable from a mutant to what it noticed or None, so that a prover is plugged in from outside. Trials are
moves with a mistake in them, made in states of the original game: all its claims hold there, so whatever breaks after the
move shows that the claim is no longer kept by the action, which is the proof that a mutant loses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.python.compile import compiled
from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.semantics.reference import Reference
from pilgrim_rules.walk.random_source import RandomSource
from verifier.claims.obligations import Obligation, obligations
from verifier.explore.search import explore
from verifier.explore.search_result import Exploration
from verifier.fuzz import checks
from verifier.fuzz.campaign import run as campaign
from verifier.fuzz.game_under_test import GameUnderTest, Problem, ProblemFound
from verifier.fuzz.player import crash
from verifier.mutate.mutants import Mutant
from verifier.mutate.prepared_examples import PreparedExamples
from verifier.mutate.sample import Place, Sample
from verifier.play.boundaries import Boundary, read_boundaries, shifted
from verifier.prove.run import BUDGET, verify


@dataclass(frozen=True, slots=True)
class Detection:
    """What is wrong with a mutant.

    example  that no longer comes out as written, or from whose position the play begins.
    play     every move to where it shows, by the rules with the mistake; may be empty.
    claims   of the author that are broken there.
    """

    says: str
    example: str = ""
    play: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()


Detector: TypeAlias = Callable[[Mutant], Detection | None]


def by_examples(examples: PreparedExamples) -> Detector:
    """Return the detector that runs the worked examples and witnesses."""

    def detect(mutant: Mutant) -> Detection | None:
        run = examples.wrong(mutant)
        if run is None or run.problem is None:
            return None
        name, problem = run.example.name, run.problem
        play = (*run.moves, problem.allowed) if problem.allowed else run.moves
        return Detection(f"example `{name}`: {run.says}", name, play, (problem.broken,) if problem.broken else ())

    return detect


def by_laws(mutant: Mutant) -> Detection | None:
    """Notice data that break a law: with them the rules cannot be loaded."""
    reference = Reference.from_game(mutant.game)
    start = reference.start()
    for claim in mutant.game.claims:
        if claim.kind == "law" and not reference.holds(claim, start):
            return Detection(f"the data break the law `{claim.name}`", claims=(claim.name,))
    return None


def kept_boundaries(game: Game) -> tuple[Boundary, ...]:
    """Return the boundaries that are kept beside the rules; none if the game was made from no files."""
    if game.origin is None or not game.origin.files:
        return ()
    folder = next((path.parent for path in map(Path, game.origin.files) if path.name == "game.rules"), None)
    return () if folder is None else read_boundaries(folder, game.players)


def by_boundaries(kept: Sequence[Boundary]) -> Detector:
    """Return the detector that asks where moves were just allowed, and just refused."""

    def detect(mutant: Mutant) -> Detection | None:
        concerned = mutant.actions or tuple(action.name for action in mutant.game.actions)
        found = next(shifted(compiled(mutant.game, ghosts=True), kept, concerned), None)
        return None if found is None else Detection(found.says)

    return detect


def by_exploration(game: Game, *, max_states: int) -> Detector | None:
    """Return the detector that searches all states; None if the game itself has too many of them."""
    if any(variable.type.is_open for variable in game.variables):
        return None
    usual = explore(game, max_states=max_states)
    if not usual.closed:
        return None
    known = {(finding.kind, finding.name) for finding in usual.findings}

    def detect(mutant: Mutant) -> Detection | None:
        found = explore(mutant.game, max_states=4 * max_states, stop_at_finding=not known)
        for finding in found.findings:
            if (finding.kind, finding.name) not in known:
                says = f"{finding.kind} `{finding.name}`: {finding.says}, after {len(finding.play)} steps"
                return Detection(says, play=tuple(finding.moves))
        return _missing(usual, found) if found.closed else None

    return detect


def _missing(usual: Exploration, found: Exploration) -> Detection | None:
    """Return what can be reached in the game, but not with the mistake."""
    for name in found.unreached:
        if name not in usual.unreached:
            return Detection(f"reachable `{name}`: no state satisfies it any more")
    for action, times in usual.actions.items():
        if times and not found.actions[action]:
            return Detection(f"`{action}` cannot happen any more")
    return None


def by_play(game: Game, *, games: int, longest: int, seed: int = 0) -> Detector:
    """Return the detector that plays at random from the start, and likes what has the mistake."""
    known = known_problems(game, games=games, longest=longest, seed=seed)

    def detect(mutant: Mutant) -> Detection | None:
        favour = frozenset(mutant.actions)
        found = campaign(
            mutant.game,
            games=games,
            longest=longest,
            seed=seed,
            favour=favour,
            only_first=not known,
            shrinking=False,
            native=False,
        )
        for failure in found.failures:
            if failure.name not in known:
                says = f"{failure.name}: {failure.says}, after {len(failure.moves)} steps"
                return Detection(says, play=failure.moves, claims=claimed(mutant.game, failure.name))
        return None

    return detect


def claimed(game: Game, problem: str) -> tuple[str, ...]:
    """Return the claim of the author that a problem is about, if it is about one."""
    names = {f"{game.name}.{claim.kind}.{claim.name}": claim.name for claim in game.claims}
    found = names.get(problem.partition("/")[0])
    return () if found is None else (found,)


def known_problems(game: Game, *, games: int, longest: int, seed: int = 0) -> frozenset[str]:
    """Return the names of what is wrong with the game as it is, as far as some random games show."""
    usual = campaign(game, games=games, longest=longest, seed=seed, shrinking=False, native=False)
    return frozenset(failure.name for failure in usual.failures)


#: States tried for one mutant, moves made in each, and steps that follow the last of them.
STATES, MOVES, AFTER = 120, 4, 20


def by_trials(sample: Sample, known: frozenset[str] = frozenset()) -> Detector:
    """Return the detector that makes moves with the mistake in the states of a sample; `known` are old troubles."""

    def detect(mutant: Mutant) -> Detection | None:
        trial = _Trial(sample, GameUnderTest(mutant.game), frozenset(mutant.actions), RandomSource(0))
        places = sample.near(mutant.actions, STATES)
        found = [each for each in trial.failures(places, 1) if each[0].name not in known]
        if not found:
            return None
        problem, play, example = found[0]
        moves = tuple(trial.theirs.move(coded) for coded in play)
        where = f" in example `{example}`" if example else ""
        says = f"{problem.name}: {problem.says}, after {len(moves)} steps{where}"
        return Detection(says, example, moves, claimed(mutant.game, problem.name))

    return detect


@dataclass(frozen=True, slots=True)
class _Trial:
    sample: Sample
    theirs: GameUnderTest
    actions: frozenset[str]
    random: RandomSource

    def failures(self, places: list[Place], most: int) -> Iterator[tuple[Problem, tuple[Coded, ...], str]]:
        """Yield what goes wrong, each with every move from the start, or from what an example arranges."""
        for place in places:
            if most <= 0:
                return
            state, before, example = self.sample.at(place)
            made: list[Coded] = []
            try:
                self._try(state, made)
            except ProblemFound as broken:
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
            made.append(self.random.pick(options))
            after = self._step(after, made[-1])

    def _step(self, state: bytes, coded: Coded) -> bytes:
        after = self.theirs.make(state, coded)
        checks.step(self.theirs, state, coded, after)
        checks.state(self.theirs, coded, after)
        return after


def _some(moves: list[Coded], most: int, random: RandomSource) -> list[Coded]:
    return moves if len(moves) <= most else random.sample(moves, most)


#: What counts here: a few obligations are compared with themselves, whatever they rest on.
PROOFS = (Verdict.PROVED, Verdict.LIMITED, Verdict.CONDITIONAL)


def by_proofs(game: Game, *, budget: int = BUDGET) -> Detector:
    """Return the detector that proves again what may have changed; what was proved before is looked up when it is asked."""
    proved: dict[str, bool] = {}

    def known(names: list[str]) -> list[str]:
        missing = [name for name in names if name not in proved]
        if missing:
            report = verify(game, names=missing, jobs=1, budget=budget, confirm=False)
            proved.update({record.name: record.verdict in PROOFS for record in report.records})
        return [name for name in names if proved.get(name)]

    def detect(mutant: Mutant) -> Detection | None:
        names = known([each.name for each in obligations(mutant.game) if _touched(each, mutant)])
        if not names:
            return None
        again = verify(mutant.game, names=names, jobs=1, budget=budget, confirm=False, cache=False)
        for record in again.records:
            if record.verdict not in PROOFS:
                return Detection(f"{record.name} is {record.verdict}" + (f": {record.reason}" if record.reason else ""))
        return None

    return detect


def by_secrecy(game: Game, *, budget: int = BUDGET) -> Detector:
    """Return the detector that proves again that no move tells what is hidden; play shows nothing of that."""
    proved: set[str] = set()
    asked: set[str] = set()

    def known(names: list[str]) -> list[str]:
        missing = [name for name in names if name not in asked]
        if missing:
            report = verify(game, names=missing, jobs=1, budget=budget, confirm=False)
            asked.update(missing)
            proved.update(record.name for record in report.records if record.verdict in PROOFS)
        return [name for name in names if name in proved]

    def detect(mutant: Mutant) -> Detection | None:
        of_secrecy = [each for each in obligations(mutant.game) if each.kind in ("sight", "no_leak")]
        names = known([each.name for each in of_secrecy if not mutant.actions or each.action in mutant.actions])
        again = verify(mutant.game, names=names, jobs=1, budget=budget, confirm=False, cache=False) if names else None
        for record in () if again is None else again.records:
            if record.verdict not in PROOFS:
                return Detection(f"{record.name} is {record.verdict}: {record.reason}", play=record.play)
        return None

    return detect


def _touched(obligation: Obligation, mutant: Mutant) -> bool:
    """Return whether the mistake can make a difference to the obligation."""
    if obligation.action is not None:
        return obligation.action in mutant.actions
    if obligation.stage is not None:
        here = {action.name for action in mutant.game.actions if obligation.stage in action.stages}
        return not here.isdisjoint(mutant.actions) or mutant.mistake.kind in ("decider", "stage")
    return False
