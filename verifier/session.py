"""A session: everything one process needs to settle the obligations of one game.

Reads:  a core game and the options of a run.   Writes: one record an obligation.
After:  each obligation is tried the cheap way first: evaluation, play, then the solver, then a bounded search for a play.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import assert_never

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.compile import Compiled, compiled
from pilgrim_rules.engine.layout import Position
from verifier import examples
from verifier.about import about, looks_at
from verifier.ground import Ground
from verifier.likeness import likeness
from verifier.obligations import Obligation, obligations
from verifier.play import (
    LONGER,
    PLAY,
    RECORDED,
    Visits,
    first_steps,
    good_states,
    play_again,
    play_on,
    random_play,
    random_states,
    search,
    shows,
    spell,
)
from verifier.replay import Failure, judge_play, judge_start
from verifier.settings import Settings
from verifier.smt import paths, vacuity
from verifier.smt.ladder import Ladder, Settled
from verifier.smt.options import symbolic_constants
from verifier.smt.oracle import Oracle
from verifier.smt.refine import EncoderBug, Failed, Open, Proved
from verifier.smt.smtlib import script
from verifier.strengthen import strengthened
from verifier.survey import Survey
from verifier.vacuity import seen
from verifier.verdict import Picture, Record, Verdict

#: Methods that look at the data as they are.
PLAIN = ("evaluation", "random state", "bounded search", PLAY, LONGER, RECORDED)
#: The method of a proof that needs no solver: the encoding folds the query to falsehood.
SIMPLIFIED = "simplification"
#: Well-typed states tried before a solver is asked whether a claim can be false.
SAMPLES = 12
#: Over how many steps an induction is tried where one step does not do.
MOST_STEPS = (2, 3)


@dataclass(frozen=True, slots=True)
class Result:
    """A record, and the queries behind it where somebody wants them."""

    record: Record
    queries: tuple[str, ...] = ()


@dataclass(frozen=True)
class Session:
    """Settles obligations."""

    game: Game
    settings: Settings

    # -------------------------------------------------------------------------------------------------- made when used

    @cached_property
    def survey(self) -> Survey:
        """What the expressions read."""
        return Survey.of(self.game)

    @cached_property
    def compiled(self) -> Compiled:
        """The game as functions, ghosts included."""
        return compiled(self.game, ghosts=True)

    @cached_property
    def ground(self) -> Ground:
        """What the examples stand on."""
        return Ground(self.compiled)

    @cached_property
    def visits(self) -> Visits:
        """What a little random play shows."""
        return random_play(self.compiled)

    @cached_property
    def recorded(self) -> Visits:
        """The same, and what the recorded plays show."""
        for name, moves in self.settings.plays:
            play_again(self.visits, name, moves)
        return self.visits

    @cached_property
    def searched(self) -> Visits:
        """The same, and what a bounded search from the start shows."""
        search(self.visits)
        return self.visits

    @cached_property
    def played_on(self) -> Visits:
        """The same, and what longer play shows: only what must be able to happen is looked for there."""
        play_on(self.searched)
        return self.searched

    @cached_property
    def seen(self) -> dict[str, str]:
        """Which lines of the rules matter in a state of a play, by the name of the obligation, and where."""
        return seen(self.ground, obligations(self.game), self.settings.plays)

    @cached_property
    def good(self) -> list[Position]:
        """States that are known to be reachable."""
        return list(good_states(self.visits))

    @cached_property
    def symbolic(self) -> frozenset[str]:
        """Constants that a proof leaves open."""
        return symbolic_constants(self.game, all_rulings=self.settings.all_rulings)

    @cached_property
    def ladder(self) -> Ladder:
        """The solver."""
        oracle = Oracle(self.survey, self.compiled)
        return Ladder(self.survey, oracle, self.good, self.symbolic, self.settings.budget)

    @cached_property
    def named(self) -> dict[str, str]:
        """What the rules say, as hashes, by the names that evidence uses."""
        return Fingerprints(self.game).named()

    # ---------------------------------------------------------------------------------------------------------- settle

    def settle(self, obligation: Obligation, hints: tuple[str, ...] = ()) -> Result:
        """Return what is known of an obligation."""
        begun = perf_counter()
        try:
            result = self._settle(obligation, hints)
        except EncoderBug as bug:
            record = self._record(
                obligation, Verdict.NOT_SETTLED, "induction", reason=f"engine and encoding disagree: {bug}"
            )
            result = Result(replace(record, confirmed="disagrees"))
        seconds = round(perf_counter() - begun, 4)
        return replace(result, record=replace(result.record, seconds=seconds))

    def abandoned(self, obligation: Obligation, why: str) -> Result:
        """Return the record of an obligation that nobody could work on to the end."""
        return Result(self._record(obligation, Verdict.NOT_SETTLED, "no answer", reason=why))

    def _settle(self, obligation: Obligation, hints: tuple[str, ...]) -> Result:
        match obligation.kind:
            case "law":
                return Result(self._evaluated(obligation))
            case "example":
                return Result(self._example(obligation))
            case "initially":
                if self._symbolic_in(obligation):
                    return self._proved(obligation, hints)
                return Result(self._evaluated(obligation))
            case "falsifiable":
                return self._falsifiable(obligation)
            case "can_refuse" | "triggered":
                return self._matters(obligation)
            case "can_happen" | "reachable":
                return self._reached(obligation, hints)
            case (
                "range" | "kept" | "step" | "decreases" | "one_side" | "one_auto" | "no_dead_end" | "weights" | "no_ties"
                | "sight" | "follows"
            ):  # fmt: skip
                seen = self._refuted(obligation, self.visits)
                return self._proved(obligation, hints) if seen is None else Result(seen)
            case "audit":
                raise ValueError("audits are asked of visited states, not proved")
            case _:
                assert_never(obligation.kind)

    # ---------------------------------------------------------------------------------------------------- without solver

    def _evaluated(self, obligation: Obligation) -> Record:
        failure = judge_start(self.survey.world, obligation)
        if failure is None:
            return self._record(obligation, Verdict.PROVED, "evaluation")
        return self._record(obligation, Verdict.REFUTED, "evaluation", reason=failure.says)

    def _example(self, obligation: Obligation) -> Record:
        example = next(each for each in self.game.examples if each.name == obligation.subject)
        told = examples.run(self.ground, example)
        verdict = Verdict.REFUTED if told.wrong else Verdict.PROVED
        return self._record(obligation, verdict, "play", reason=told.wrong, play=told.moves)

    def _refuted(self, obligation: Obligation, visits: Visits) -> Record | None:
        """Return a refutation that play has shown and the evaluator replays."""
        found = shows(visits, obligation)
        if found is None:
            return None
        moves, _ = found
        failure = judge_play(self.survey.world, obligation, moves)
        if failure is None:
            raise EncoderBug("the compiled engine shows a failure that the evaluator does not replay")
        play = tuple(spell(self.game, move) for move in moves)
        return self._record(
            obligation, Verdict.REFUTED, "play", reason=failure.says, play=play, picture=self._picture(failure)
        )

    # ------------------------------------------------------------------------------------------------------- with solver

    def _proved(self, obligation: Obligation, hints: tuple[str, ...]) -> Result:
        settled = self.ladder.settle(obligation, hints)
        match settled.outcome:
            case Proved(core=core, effort=effort):
                # What the encoding has folded to falsehood was never asked: no solver stands behind it, nor a second one.
                how = settled.rung if effort.queries else SIMPLIFIED
                return self._confirmed(obligation, settled, self._record(obligation, Verdict.PROVED, how, core=core))
            case Failed(example=failure):
                if obligation.kind == "initially":
                    return Result(self._record(obligation, Verdict.REFUTED, "data", reason=failure.says))
                seen = self._refuted(obligation, self.searched)
                if seen is not None:
                    return Result(self._spent(seen, settled))
                further = self._by_paths(obligation) or self._strengthened(obligation, failure)
                if further is not None:
                    return further
                from_what = "those" if obligation.kind == "follows" else "every invariant"
                reason = (
                    f"{failure.says}, in a state that satisfies {from_what}; no play to such a state is known: "
                    f"{likeness(self.visits, obligation, failure.before)}"
                )
                picture = self._picture(failure)
                record = self._record(obligation, Verdict.NOT_INDUCTIVE, settled.rung, reason=reason, picture=picture)
                return Result(self._spent(record, settled))
            case Open(reason=reason):
                seen = self._refuted(obligation, self.searched)
                record = seen or self._record(obligation, Verdict.NOT_SETTLED, settled.rung, reason=reason)
                return Result(self._spent(record, settled))
            case _:
                assert_never(settled.outcome)

    def _by_paths(self, obligation: Obligation) -> Result | None:
        """Try induction over several steps; None if it does not help."""
        if obligation.kind not in paths.KINDS or obligation.action is None:
            return None
        for steps in MOST_STEPS:
            first = first_steps(self.compiled, steps - 1)
            if first is None or any(name.partition("/")[0] == obligation.claim for name in first.broken):
                return None
            settled = paths.settle(self.ladder, obligation, steps)
            if isinstance(settled.outcome, Proved):
                core, verdict = settled.outcome.core, Verdict.LIMITED if self.symbolic else Verdict.PROVED
                record = self._record(obligation, verdict, settled.rung, core=core)
                if self.symbolic:
                    first_ones = f"the first {steps} states with the data of this edition only"
                    record = replace(record, bounds=(*record.bounds, first_ones))
                return self._confirmed(obligation, settled, record)
        return None

    def _strengthened(self, obligation: Obligation, failure: Failure) -> Result | None:
        """Try invariants that nobody has written; None if they do not help."""
        found = strengthened(self.ladder, self.searched, obligation, failure)
        if found is None:
            return None
        assert isinstance(found.settled.outcome, Proved)
        reason = "\n".join(("proved with a strengthening, which is proved as well; add it to the rules:", *found.text))
        core = found.settled.outcome.core
        record = self._record(obligation, Verdict.PROVED, found.settled.rung, core=core, reason=reason)
        return self._confirmed(obligation, found.settled, record)

    def _falsifiable(self, obligation: Obligation) -> Result:
        name = str(obligation.subject)
        for state in random_states(self.compiled, SAMPLES):
            try:
                if not self.compiled.holds(name, state):
                    return Result(self._record(obligation, Verdict.PROVED, "random state"))
            except (IndexError, ZeroDivisionError):
                continue  # the claim has no value there
        idle = "no well-typed state breaks it, so it says nothing"
        return self._unless_idle(obligation, self.ladder.settle(obligation), idle)

    def _matters(self, obligation: Obligation) -> Result:
        """See that a line of the rules makes a difference somewhere: in play, or in a state that the invariants allow."""
        shown = self.seen.get(obligation.name)
        if shown is not None:
            return Result(self._record(obligation, Verdict.PROVED, "play", reason=shown))
        idle = {
            "can_refuse": "it never fails: what is required before it and the invariants imply it",
            "triggered": "what it presupposes never comes about: the invariants exclude it",
        }
        return self._unless_idle(obligation, vacuity.settle(self.ladder, obligation), idle[obligation.kind])

    def _unless_idle(self, obligation: Obligation, settled: Settled, idle: str) -> Result:
        """Return the record of something that is vacuous if the query was unsatisfiable."""
        match settled.outcome:
            case Proved(core=core):
                record = self._record(obligation, Verdict.VACUOUS, settled.rung, reason=idle, core=core)
                return self._confirmed(obligation, settled, record)
            case Failed():
                return Result(self._spent(self._record(obligation, Verdict.PROVED, "solver's state"), settled))
            case Open(reason=reason):
                verdict = Verdict.LIMITED if reason == vacuity.NOT_EXCLUDED else Verdict.NOT_SETTLED
                return Result(self._spent(self._record(obligation, verdict, settled.rung, reason=reason), settled))
            case _:
                assert_never(settled.outcome)

    def _reached(self, obligation: Obligation, hints: tuple[str, ...]) -> Result:
        """Something must be reachable: a play shows it, or the invariants exclude it."""
        shown = self._witness(obligation, self.visits) or self._witness(obligation, self.recorded)
        if shown is not None:
            return Result(shown)
        settled = self.ladder.settle(obligation, hints)
        if isinstance(settled.outcome, Proved):
            reason = "the invariants exclude it"
            verdict = Verdict.VACUOUS if obligation.kind == "can_happen" else Verdict.REFUTED
            record = self._record(obligation, verdict, settled.rung, reason=reason, core=settled.outcome.core)
            return self._confirmed(obligation, settled, record)
        shown = self._witness(obligation, self.searched) or self._witness(obligation, self.played_on)
        if shown is not None:
            return Result(self._spent(shown, settled))
        reason = "no play was found that shows it; the invariants do not exclude it"
        if isinstance(settled.outcome, Open):
            reason = f"no play was found that shows it, and the solver gave no answer: {settled.outcome.reason}"
        reason = "\n".join((reason, *self.visits.stopped))
        return Result(
            self._spent(self._record(obligation, Verdict.NOT_SETTLED, "bounded search", reason=reason), settled)
        )

    def _witness(self, obligation: Obligation, visits: Visits) -> Record | None:
        found = visits.witness(obligation)
        if found is None:
            return None
        play = tuple(spell(self.game, move) for move in found[0])
        return self._record(obligation, Verdict.PROVED, found[1], play=play)

    def _confirmed(self, obligation: Obligation, settled: Settled, record: Record) -> Result:
        """Ask the second solver about every query behind a proof."""
        title = f"{obligation.name}: {obligation.sentence}"
        wanted = self.settings.confirm or self.settings.keep_queries
        texts = tuple(script(proof.assertions, proof.core, title) for proof in settled.proofs) if wanted else ()
        confirmed = ""
        if self.settings.confirm and settled.outcome.effort.queries:
            from verifier.smt.second import opinion  # noqa: PLC0415  (loading a second solver takes its time)

            opinions = {opinion(text) for text in texts}
            confirmed = "disagrees" if "sat" in opinions else "no answer" if "unknown" in opinions else "agrees"
        record = replace(self._spent(record, settled), confirmed=confirmed)
        return Result(record, texts if self.settings.keep_queries else ())

    # ------------------------------------------------------------------------------------------------------------ records

    def _record(
        self, obligation: Obligation, verdict: Verdict, method: str, core: tuple[str, ...] = (), **more: object
    ) -> Record:
        span = obligation.span
        return Record(
            name=obligation.name,
            kind=obligation.kind,
            claim=obligation.claim,
            sentence=obligation.sentence,
            verdict=verdict,
            method=method,
            core=core,
            clauses=obligation.clauses,
            bounds=self._bounds(obligation, method, core),
            fingerprints={name: self.named[name] for name in about(obligation, verdict, core)},
            place=None if span is None else (span.file, span.start, span.end),
            **more,  # type: ignore[arg-type]  # the fields of a record
        )

    def _spent(self, record: Record, settled: Settled) -> Record:
        effort = settled.outcome.effort
        return replace(record, rlimit=effort.rlimit, queries=effort.queries)

    def _bounds(self, obligation: Obligation, method: str, core: tuple[str, ...]) -> tuple[str, ...]:
        """Return what the verdict is limited to, and which of the data left open it looks at: only a solver does."""
        players = self.game.players
        open_data = () if method in PLAIN else sorted(looks_at(self.survey, obligation, core) & self.symbolic)
        seats = "1 player" if players == 1 else f"{players} players"
        return (seats, *(f"for every `{name}` in its range" for name in open_data))

    def _picture(self, failure: Failure) -> Picture:
        move = None if failure.move is None else spell(self.game, failure.move)
        return Picture(failure.before, move, failure.after)

    def _symbolic_in(self, obligation: Obligation) -> bool:
        """Return whether the start or the claim depends on data that a proof leaves open."""
        claim = self.survey.world.claims[str(obligation.subject)]
        exprs = (claim.formula, *(variable.initial for variable in self.game.variables))
        return bool(self.survey.footprints(exprs).constants & self.symbolic)
