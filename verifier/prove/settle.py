"""A settler: everything one process needs to settle the obligations of one game.

Reads:  a core game and the options of a run.   Writes: one record an obligation.
After:  each obligation is tried the cheap way first: evaluation, play, then the solver, then a bounded search for a play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import thread_time
from typing import assert_never

from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.core.ir import Game
from pilgrim_rules.core.move_text import move_text_in
from pilgrim_rules.core.symmetry import START
from pilgrim_rules.engine.python.compile import Compiled, compiled
from pilgrim_rules.evidence.record import Record, Verdict
from pilgrim_rules.examples import CompiledReadings, run_example
from pilgrim_rules.semantics.state_layout import Position
from verifier.claims.obligations import Obligation
from verifier.claims.verdict_dependencies import footprint_of, start_constants
from verifier.play.directed_hunt import DirectedHunt
from verifier.play.replay import Failure, judge_start
from verifier.play.two_plays import failure_in_play
from verifier.play.visits import (
    SEARCHED,
    Visits,
    counterexample_for,
    first_steps,
    good_states,
    play_until_seen,
    random_play,
    replay_recorded,
    search,
    visit_all,
)
from verifier.prove.gates import Gates
from verifier.prove.hints import NO_HINTS, Hints
from verifier.prove.make_records import RecordMaker, Result, with_cost
from verifier.prove.nearest_visited import nearest_visited
from verifier.prove.settings import ProofSettings
from verifier.prove.strengthen import strengthened
from verifier.prove.what_to_try import what_is_on_its_way, what_to_exclude
from verifier.smt.strategy import k_induction
from verifier.smt.strategy.encoding_options import symbolic_constants
from verifier.smt.strategy.ladder import Ladder, Settled
from verifier.smt.strategy.oracle import Oracle
from verifier.smt.strategy.recipes import Recipe
from verifier.smt.strategy.refine import EncoderBug, Failed, Proved, Unsettled

#: The method of a proof that needs no solver: the encoding folds the query to falsehood.
SIMPLIFIED = "simplification"
#: This many obligations are worth a look at many games before anything else.
WORTH_A_SWEEP = 200
#: The kinds of obligations that play may break at any step.
HUNTED = ("range", "kept", "step", "decreases", "no_dead_end", "one_auto")
#: The kinds of obligations that are looked at together.
GATED = ("example", "falsifiable", "can_refuse", "triggered")
#: Bytes of a state from which on many games are played before a search from the start.
LARGE = 200
#: Over how many steps an induction is tried where one step does not do.
MOST_STEPS = (2, 3)


@dataclass(frozen=True)
class Settler:
    """Settles obligations."""

    game: Game
    settings: ProofSettings

    # -------------------------------------------------------------------------------------------------- made when used

    @cached_property
    def footprints(self) -> Footprints:
        """What the expressions read."""
        return Footprints.from_game(self.game)

    @cached_property
    def compiled(self) -> Compiled:
        """The game as functions, ghosts included."""
        return compiled(self.game, ghosts=True)

    @cached_property
    def readings(self) -> CompiledReadings:
        """The game in the readings that its examples are about."""
        return CompiledReadings(self.compiled)

    @cached_property
    def visits(self) -> Visits:
        """What a little random play shows."""
        return random_play(self.compiled)

    @cached_property
    def recorded(self) -> Visits:
        """The same, and what the recorded plays show."""
        for name, moves in self.settings.plays:
            replay_recorded(self.visits, name, moves)
        return self.visits

    @cached_property
    def searched(self) -> Visits:
        """The same, and what a bounded search from the start shows."""
        search(self.visits)
        return self.visits

    @cached_property
    def all_is_visited(self) -> bool:
        """Whether there are so few states that all of them have been visited: then no play shows anything else."""
        return not self.is_large and len(self.searched.came) < SEARCHED and visit_all(self.searched)

    @cached_property
    def played_on(self) -> Visits:
        """The same, and what longer play shows: only what must be able to happen is looked for there."""
        play_until_seen(self.searched, steps=self.settings.longer_play)
        return self.searched

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
        oracle = Oracle(self.footprints, lambda: self.compiled)
        return Ladder(self.footprints, oracle, lambda: self.good, self.symbolic, self.settings.budget)

    @cached_property
    def records(self) -> RecordMaker:
        """What writes down what is found."""
        return RecordMaker(self.footprints, self.settings, self.symbolic)

    @cached_property
    def hunt(self) -> DirectedHunt:
        """What plays many games in search of a counterexample."""
        return DirectedHunt(self.visits)

    @property
    def is_large(self) -> bool:
        """Whether a search gets nowhere in such a state space, and asking the claims of every state takes long."""
        return self.compiled.layout.size > LARGE

    @cached_property
    def gates(self) -> Gates:
        """What sees that claims and lines say something."""
        return Gates(self.records, self.readings, self.ladder, self.settings.plays)

    def make_ready(self, work: Sequence[tuple[Obligation, Hints]], *, copied: bool = True) -> None:
        """Make now what the work will ask for, so that processes that begin as copies of this one have it.

        copied  whether there will be any. A little work that is all about proofs makes what it needs when it needs it.
        """
        if not copied and len(work) < WORTH_A_SWEEP and not any(each.kind in GATED for each, _ in work):
            return
        if all(obligation.kind == "example" for obligation, _ in work):
            assert self.readings.game is self.game, "examples need nothing else"
            return
        self.gates.look(work)
        if self.is_large and len(work) >= WORTH_A_SWEEP:
            self.hunt.sweep()
        assert self.records.named, "the rules have fingerprints"
        assert self.good, "the start is a good state"

    # ---------------------------------------------------------------------------------------------------------- settle

    def settle(self, obligation: Obligation, hints: Hints = NO_HINTS) -> Result:
        """Return what is known of an obligation."""
        begun = thread_time()  # of the processor: how busy the machine is has nothing to do with the proof
        try:
            result = self._settle(obligation, hints)
        except EncoderBug as bug:
            record = self.records.record(
                obligation, Verdict.NOT_SETTLED, "induction", reason=f"engine and encoding disagree: {bug}"
            )
            result = Result(replace(record, confirmed="disagrees"))
        seconds = round(thread_time() - begun, 4)
        return replace(result, record=replace(result.record, seconds=seconds))

    def abandoned(self, obligation: Obligation, why: str) -> Result:
        """Return the record of an obligation that nobody could work on to the end."""
        return Result(self.records.record(obligation, Verdict.NOT_SETTLED, "no answer", reason=why))

    def _settle(self, obligation: Obligation, hints: Hints) -> Result:
        match obligation.kind:
            case "law":
                return Result(self._evaluated(obligation))
            case "example":
                return Result(self._example(obligation))
            case "initially":
                if start_constants(self.footprints, obligation) & self.symbolic:
                    return self._proved(obligation, hints.recipe)
                return Result(self._evaluated(obligation))
            case "falsifiable":
                return self.gates.falsifiable(obligation)
            case "can_refuse" | "triggered":
                return self.gates.matters(obligation, hints)
            case "can_happen" | "reachable":
                return self._reached(obligation, hints.recipe)
            case (
                "range" | "defined" | "kept" | "step" | "decreases" | "one_side" | "one_auto" | "no_dead_end" | "policy_covers" | "weights" | "no_ties"
                | "follows"
            ):  # fmt: skip
                again = self._as_before(obligation, hints.recipe)
                if again is not None:
                    return again
                if obligation.name in self.visits.plays:
                    self.hunt.look_for(obligation)  # it is known; a short one is better
                seen = self._refuted(obligation, self.visits)
                return self._proved(obligation, hints.recipe) if seen is None else Result(seen)
            case "sight" | "no_leak":
                return self._proved(obligation, hints.recipe)
            case "symmetry":
                return self._symmetric(obligation, hints.recipe)
            case "audit":
                raise ValueError("audits are asked of visited states, not proved")
            case _:
                assert_never(obligation.kind)

    # ---------------------------------------------------------------------------------------------------- without solver

    def _evaluated(self, obligation: Obligation) -> Record:
        failure = judge_start(self.footprints.declared, obligation)
        if failure is None:
            return self.records.record(obligation, Verdict.PROVED, "evaluation")
        return self.records.record(obligation, Verdict.REFUTED, "evaluation", reason=failure.says)

    def _symmetric(self, obligation: Obligation, recipe: Recipe) -> Result:
        """Refute a symmetry by a play whose image is none, or prove it; there is one start to look at."""
        seen = self._refuted(obligation, self.visits)
        if seen is None and obligation.line == START:
            seen = self.records.record(obligation, Verdict.PROVED, "evaluation")
        return self._proved(obligation, recipe) if seen is None else Result(seen)

    def _example(self, obligation: Obligation) -> Record:
        example = next(each for each in self.game.examples if each.name == obligation.subject)
        result = run_example(self.readings, example)
        verdict = Verdict.REFUTED if result.wrong else Verdict.PROVED
        return self.records.record(obligation, verdict, "play", reason=result.wrong, play=result.moves)

    def _refuted(self, obligation: Obligation, visits: Visits) -> Record | None:
        """Return a refutation that play has shown and the evaluator replays."""
        found = failure_in_play(visits, obligation)
        if found is None:
            return None
        moves, failure = found
        if failure is None:
            raise EncoderBug("the compiled engine shows a failure that the evaluator does not replay")
        play = tuple(move_text_in(self.game, move) for move in moves)
        reason = "\n".join(filter(None, (failure.says, what_is_on_its_way(self.game, obligation))))
        return self.records.record(
            obligation, Verdict.REFUTED, "play", reason=reason, play=play, picture=self.records.picture(failure)
        )

    def _is_hunted_down(self, obligation: Obligation) -> bool:
        """Return whether a little play towards it breaks an obligation about steps: asked before a solver works for long."""
        if obligation.kind not in HUNTED:
            return False
        if self.is_large:
            return obligation.name in self.recorded.plays or self.hunt.look_for(obligation, quickly=True)
        return counterexample_for(self.searched, obligation) is not None

    def _hunted(self, obligation: Obligation) -> Record | None:
        """Return a refutation by a play that was looked for: near the start by search, and far from it by many games."""
        if obligation.kind in ("sight", "no_leak", "symmetry"):  # what two plays show, many games do not
            return self._refuted(obligation, self.searched)
        seen = self._refuted(obligation, self.recorded if self.is_large else self.searched)
        if seen is None and self.all_is_visited:
            return self._refuted(obligation, self.visits)
        if seen is None and self.hunt.look_for(obligation):
            seen = self._refuted(obligation, self.visits)
        return seen or self._refuted(obligation, self.searched)

    # ------------------------------------------------------------------------------------------------------- with solver

    def _as_before(self, obligation: Obligation, recipe: Recipe) -> Result | None:
        """Prove it as it was proved before; None if that is no proof. Only as long as no game was played: it needs none."""
        if "visits" in vars(self) or not recipe.steps:
            return None
        settled = self.ladder.settle(obligation, recipe, lambda: True)
        return self._by_solver(obligation, settled, settled.outcome) if isinstance(settled.outcome, Proved) else None

    def _by_solver(self, obligation: Obligation, settled: Settled, outcome: Proved) -> Result:
        # What the encoding has folded to falsehood was never asked: no solver stands behind it, nor a second one.
        how = settled.rung if outcome.effort.queries else SIMPLIFIED
        record = self.records.record(obligation, Verdict.PROVED, how, core=outcome.core)
        return self.records.confirmed(obligation, settled, record)

    def _proved(self, obligation: Obligation, recipe: Recipe) -> Result:
        settled = self.ladder.settle(obligation, recipe, lambda: self._is_hunted_down(obligation))
        match settled.outcome:
            case Proved() as outcome:
                return self._by_solver(obligation, settled, outcome)
            case Failed(example=failure):
                if obligation.kind == "initially":
                    return Result(self.records.record(obligation, Verdict.REFUTED, "data", reason=failure.says))
                seen = self._hunted(obligation)
                if seen is not None:
                    return Result(with_cost(seen, settled))
                further = self._by_paths(obligation) or self._strengthened(obligation, failure)
                if further is not None:
                    return further
                from_what = "those" if obligation.kind == "follows" else "every invariant"
                state = f"{failure.says}, in a state that satisfies {from_what}; no play to such a state is known: "
                state += nearest_visited(self.visits, obligation, failure.before)
                tried = (state, self._with_this_data(obligation), what_to_exclude(self.game, obligation))
                reason = "\n".join(filter(None, tried))
                picture = self.records.picture(failure)
                record = self.records.record(
                    obligation, Verdict.NOT_INDUCTIVE, settled.rung, reason=reason, picture=picture
                )
                return Result(with_cost(record, settled))
            case Unsettled(reason=reason):
                seen = self._hunted(obligation)
                if seen is None:
                    reason = "\n".join(filter(None, (reason, self._with_this_data(obligation))))
                record = seen or self.records.unanswered(obligation, settled.rung, reason)
                return Result(with_cost(record, settled))
            case _:
                assert_never(settled.outcome)

    def _by_paths(self, obligation: Obligation) -> Result | None:
        """Try induction over several steps; None if it does not help."""
        if obligation.kind not in k_induction.KINDS or obligation.action is None:
            return None
        for steps in MOST_STEPS:
            first = first_steps(self.compiled, steps - 1)
            if first is None or any(name.partition("/")[0] == obligation.claim for name in first.broken):
                return None
            settled = k_induction.settle(self.ladder, obligation, steps)
            if isinstance(settled.outcome, Proved):
                core, verdict = settled.outcome.core, Verdict.LIMITED if self.symbolic else Verdict.PROVED
                record = self.records.record(obligation, verdict, settled.rung, core=core)
                if self.symbolic:
                    chosen = " and the rulings as they are chosen" if self.settings.all_rulings else ""
                    first_ones = f"the first {steps} states with the data of this edition{chosen} only"
                    record = replace(record, bounds=(*record.bounds, first_ones))
                return self.records.confirmed(obligation, settled, record)
        return None

    def _strengthened(self, obligation: Obligation, failure: Failure) -> Result | None:
        """Try invariants that nobody has written; None if they do not help."""
        found = strengthened(self.ladder, self.searched, obligation, failure)
        if found is None:
            return None
        assert isinstance(found.settled.outcome, Proved)
        reason = "\n".join(("proved with a strengthening, which is proved as well; add it to the rules:", *found.text))
        core = found.settled.outcome.core
        record = self.records.record(obligation, Verdict.PROVED, found.settled.rung, core=core, reason=reason)
        return self.records.confirmed(obligation, found.settled, record)

    def _with_this_data(self, obligation: Obligation) -> str:
        """Say so where there is a proof with the assumed data as the edition has them: what is missing is a law."""
        constants = {each.name for each in self.game.constants if each.source not in ("ruling", "option")}
        data = footprint_of(self.footprints, obligation).constants & self.symbolic & constants
        if not data:
            return ""
        settled = replace(self.ladder, symbolic=self.symbolic - constants).settle(obligation)
        if not isinstance(settled.outcome, Proved):
            return ""
        named = ", ".join(f"`{name}`" for name in sorted(data))
        return f"with the data of this edition it is proved: a law is missing that says what is promised of {named}"

    def _reached(self, obligation: Obligation, recipe: Recipe) -> Result:
        """Something must be reachable: a play shows it, or the invariants exclude it."""
        shown = self._witness(obligation, self.visits) or self._witness(obligation, self.recorded)
        if shown is not None:
            return Result(shown)
        settled = self.ladder.settle(obligation, recipe)
        if isinstance(settled.outcome, Proved):
            reason = "the invariants exclude it"
            verdict = Verdict.VACUOUS if obligation.kind == "can_happen" else Verdict.REFUTED
            record = self.records.record(obligation, verdict, settled.rung, reason=reason, core=settled.outcome.core)
            return self.records.confirmed(obligation, settled, record)
        shown = self._witness(obligation, self.searched) or self._witness(obligation, self.played_on)
        if shown is not None:
            return Result(with_cost(shown, settled))
        reason = "no play was found that shows it; the invariants do not exclude it"
        if isinstance(settled.outcome, Unsettled):
            reason = f"no play was found that shows it, and the solver gave no answer: {settled.outcome.reason}"
        reason = "\n".join((reason, *self.visits.stopped))
        return Result(
            with_cost(self.records.record(obligation, Verdict.NOT_SETTLED, "bounded search", reason=reason), settled)
        )

    def _witness(self, obligation: Obligation, visits: Visits) -> Record | None:
        found = visits.witness(obligation)
        if found is None:
            return None
        play = tuple(move_text_in(self.game, move) for move in found[0])
        return self.records.record(obligation, Verdict.PROVED, found[1], play=play)
