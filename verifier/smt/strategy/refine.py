"""Refine: ask, look at the candidate, add what it violates, ask again.

Reads:  a task.   Writes: an `Outcome`: proved with its core, a replayed counterexample, or the reason for neither.
After:  `Proved` rests on an unsatisfiable query alone; `Failed` on a replay in the evaluator alone. A candidate that
        violates nothing and yet does not replay is a bug of the encoder, and is raised as one.

The loop ends: each round adds a ground instance, a table entry, a hypothesis or a definition that was not there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from pilgrim_rules.core.ir import Expr
from pilgrim_rules.core.walk import subexpressions
from pilgrim_rules.semantics.state_layout import Position
from verifier.play.replay import Failure
from verifier.smt.encode.domains import UNDEFINED
from verifier.smt.encode.instantiate import Repair, trigger
from verifier.smt.encode.model_state import Candidate
from verifier.smt.encode.query import OpaqueSum
from verifier.smt.solve.z3_solver import NoAnswer, Sat, Solver, Unsat
from verifier.smt.strategy.build_query import Task
from verifier.smt.strategy.oracle import Oracle
from verifier.smt.strategy.relevance import Hypothesis, footprint
from verifier.smt.terms.models import Model
from verifier.smt.terms.terms import Term

#: Rounds after which a query is given up; proofs that need many rounds are better served by a helper invariant.
MOST_ROUNDS = 400
#: Universals of a query whose instances are dear: an action that looks many tiles ahead brings hundreds of thousands.
MANY = 24
#: Rounds with all index terms held fast, looking for a state that agrees with written-out sums.
PINNED_ROUNDS = 12


class EncoderBug(Exception):
    """Engine and encoding disagree: a candidate violates nothing that is known, and yet breaks nothing when played."""


@dataclass(frozen=True, slots=True)
class SolverCost:
    """What an answer cost."""

    rlimit: int = 0
    queries: int = 0
    rounds: int = 0

    def __add__(self, other: SolverCost) -> SolverCost:
        return SolverCost(self.rlimit + other.rlimit, self.queries + other.queries, self.rounds + other.rounds)


@dataclass(frozen=True, slots=True)
class Proved:
    """The query is unsatisfiable; `core` names what was needed."""

    core: tuple[str, ...]
    effort: SolverCost


@dataclass(frozen=True, slots=True)
class Failed:
    """A state that satisfies every hypothesis breaks the goal; replayed."""

    example: Failure
    effort: SolverCost


@dataclass(frozen=True, slots=True)
class Unsettled:
    """No answer, and why."""

    reason: str
    effort: SolverCost


Outcome: TypeAlias = Proved | Failed | Unsettled


@dataclass(slots=True)
class Refinement:
    """The loop for one task.

    good  gives states known to satisfy the invariants, to complete candidates from; asked when there is a candidate.
    only  labels of what to begin with, in place of what the task would; other hypotheses wait until they are violated.
    """

    task: Task
    oracle: Oracle
    good: Callable[[], Sequence[Position]]
    solver: Solver
    only: frozenset[str] | None = None
    most_rounds: int = MOST_ROUNDS
    rounds: int = 0
    _fed: int = 0

    def settle(self) -> Outcome:
        """Return the outcome."""
        task = self.task
        begin = frozenset(task.start_with) if self.only is None else self.only
        for hypothesis in task.hypotheses:
            if hypothesis.label in begin:
                self._assume(hypothesis)
        if self.only is None:
            self._use_laws()
        evident = self._falsehood() or self._without_instances()
        if evident is None:
            trigger(task.query, deep=task.deep)
            evident = self._falsehood()
        if evident is not None:
            return evident
        while self.rounds < self.most_rounds:
            self.rounds += 1
            self._assert_new_terms()
            match self.solver.check():
                case Unsat(core=core):
                    return Proved(core, self._effort())
                case NoAnswer(reason=reason):
                    return Unsettled(reason, self._effort())
                case Sat(model=model):
                    outcome = self._look_at(model)
                    if outcome is not None:
                        return outcome
        return Unsettled(f"no answer after {self.most_rounds} rounds of refinement", self._effort())

    def _falsehood(self) -> Proved | None:
        """Return a proof that needs no solver: a literal among the assertions, and only falsehood is kept as one."""
        for label, term in self.task.query.assertions:
            if term.literal:
                return Proved(() if label is None else (label,), self._effort())
        return None

    def _without_instances(self) -> Proved | None:
        """Return a proof that needs none of the universals, where their number makes it pay to ask."""
        if len(self.task.query.universals) < MANY:
            return None
        self.rounds += 1
        self._assert_new_terms()
        answer = self.solver.check()
        return Proved(answer.core, self._effort()) if isinstance(answer, Unsat) else None

    def _look_at(self, model: Model) -> Outcome | None:
        """Add what the candidate violates; an outcome if it violates nothing."""
        candidate = self._candidate(model)
        if self._repair(candidate):
            return None
        if self._wrong(candidate):
            return self._with_sums_written_out(candidate)
        return self._confirm_by_replay(candidate)

    def _repair(self, candidate: Candidate) -> bool:
        """Add what the candidate violates: a requirement, then more of what is in use, then one more hypothesis."""
        repair = Repair(self.task.encoder, candidate)
        if repair.entries():
            return True
        broken = [each for each in self.task.hypotheses if not self.oracle.holds(each, candidate)]
        return (
            self._add_hypothesis([each for each in broken if each.label.startswith("require:")])
            or repair.universals(frozenset(each.label for each in broken))
            or self._tighten(self._wrong(candidate))
            or self._add_hypothesis(broken)
        )

    def _wrong(self, candidate: Candidate) -> list[OpaqueSum]:
        """Return the sums whose number is not their value in the candidate."""
        wrong = []
        for each in self.task.query.sums:
            with suppress(*UNDEFINED):  # where nobody asks for a sum, any number will do
                if candidate.value(each.number) != each.actual(candidate):
                    wrong.append(each)
        return wrong

    def _tighten(self, wrong: list[OpaqueSum]) -> bool:
        """Say more about sums, as far as that is no burden; True if there was something to say."""
        for each in wrong:
            if each.small and not each.defined:
                self._define([each])
                return True
        for each in wrong:
            if each.written and not each.bounded:
                each.bounded = True
                self.task.query.add(each.rest(each.written))
                return True
        return False

    def _confirm_by_replay(self, candidate: Candidate) -> Outcome | None:
        example = self.task.replay(candidate)
        if example is not None:
            return Failed(example, self._effort())
        if self.task.last is None:
            raise EncoderBug("a candidate that violates nothing does not replay")
        assume, self.task.last = self.task.last, None
        assume()
        trigger(self.task.query, deep=self.task.deep)
        return None

    # ------------------------------------------------------------------------------------------------------------ sums

    def _with_sums_written_out(self, candidate: Candidate) -> Outcome | None:
        """Look for a state that agrees with the sums, the index terms held at their present values.

        If there is none, the definitions stay in the query: then they are part of the argument.
        """
        query, encoder = self.task.query, self.task.encoder
        arena = encoder.arena
        pins = [
            arena.eq(term, arena.num(candidate.value(term)))
            for reads in query.asserted.values()
            for index in reads
            for term in index
            if not term.literal
        ]
        wrong = self._wrong(candidate)
        with query.later(1):
            definitions = [each.whole() for each in wrong]
        inner = self._completed((*pins, *definitions))
        if inner is not None:
            return self._confirm_by_replay(inner)
        fresh = [each for each in wrong if not each.defined]
        if not fresh:
            return Unsettled("a sum over a large table could not be completed to a state", self._effort())
        self._define(fresh)
        return None

    def _define(self, sums: list[OpaqueSum]) -> None:
        """Write sums out."""
        query = self.task.query
        for each in sums:
            each.defined = True
            with query.later(1):
                query.add(each.whole())

    def _completed(self, extra: tuple[Term, ...]) -> Candidate | None:
        """Return a candidate that violates nothing and satisfies these terms as well, if a few rounds find one."""
        query = self.task.query
        with Solver(self.solver.budget - self.solver.spent) as pinned:
            fed = 0
            for term in extra:
                pinned.add(term)
            for _ in range(PINNED_ROUNDS):
                self.task.encoder.constants.enter_short_tables()
                for label, term in query.assertions[fed:]:
                    pinned.add(term, label)
                fed = len(query.assertions)
                before = pinned.spent
                answer = pinned.check()
                self.solver.spent += pinned.spent - before
                if not isinstance(answer, Sat):
                    return None
                candidate = self._candidate(answer.model)
                if not self._repair(candidate):
                    return None if self._wrong(candidate) else candidate
        return None

    # ------------------------------------------------------------------------------------------------------ hypotheses

    def _add_hypothesis(self, broken: list[Hypothesis]) -> bool:
        """Add one hypothesis that the candidate violates: the one closest to what is looked at already."""
        unused = [each for each in broken if not each.used]
        if not unused:
            return False
        self._assume(min(unused, key=self._distance))
        self._use_laws()
        trigger(self.task.query, deep=self.task.deep)
        return True

    def _distance(self, hypothesis: Hypothesis) -> tuple[bool, int, int, int]:
        """Return how far a hypothesis is from the goal: what it shares with it, then with what is in use, then its size."""
        footprints = self.task.encoder.footprints
        reads = footprint(hypothesis.formula, hypothesis.scope, footprints).variables
        used = (footprints.footprint(each.formula).variables for each in self.task.hypotheses if each.used)
        near = -len(reads & self.task.looks_at), -bool(reads & frozenset().union(*used)), _size(hypothesis.formula)
        return hypothesis.label not in self.task.helpers, *near

    def _assume(self, hypothesis: Hypothesis) -> None:
        hypothesis.used = True
        query = self.task.query
        known = len(query.universals)
        with query.later(0 if hypothesis.label.startswith("require:") else 1):
            formula = self.task.encoder.truth(hypothesis.formula, hypothesis.scope, 1)
        query.add(formula, hypothesis.label)
        for universal in query.universals[known:]:
            universal.origin = hypothesis.label

    def _use_laws(self) -> None:
        """Assume the laws of the tables that are in use as functions."""
        encoder = self.task.encoder
        for hypothesis in self.task.hypotheses:
            if not hypothesis.used and hypothesis.label.startswith("law:"):
                # A law that ties a table to one that nobody looks at has nothing to say here.
                tables = encoder.footprints.footprint(hypothesis.formula).constants & set(encoder.constants.functions)
                if tables and tables <= set(self.task.query.asserted):
                    self._assume(hypothesis)

    # --------------------------------------------------------------------------------------------------------- details

    def _assert_new_terms(self) -> None:
        self.task.encoder.constants.enter_short_tables()
        assertions = self.task.query.assertions
        for label, term in assertions[self._fed :]:
            self.solver.add(term, label)
        self._fed = len(assertions)

    def _candidate(self, model: Model) -> Candidate:
        stage = model.constants.get("stage")
        good = self.good()
        same = [each for each in good if list(each["stage"]) == [stage]]
        return Candidate(self.task.encoder, model, (same or good)[0])

    def _effort(self) -> SolverCost:
        return SolverCost(self.solver.spent, self.solver.queries, self.rounds)


def _size(expr: Expr) -> int:
    return sum(1 for _ in subexpressions(expr))
