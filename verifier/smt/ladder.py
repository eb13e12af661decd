"""The ladder: settle one obligation, each rung only if the one before gave no answer.

Reads:  an obligation.   Writes: a `Settled`: the outcome, how it was reached, and the queries behind a proof.
After:  a proof by cases is one only if every case is proved; the cases are all values of unknowns of the goal, so they
        are exhaustive by the bounds of those unknowns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod

from pilgrim_rules.engine.layout import Position
from verifier.obligations import Obligation
from verifier.smt.options import Options
from verifier.smt.oracle import Oracle
from verifier.smt.query import Query, Unknown
from verifier.smt.refine import Effort, Open, Outcome, Proved, Refinement
from verifier.smt.sign import Unsupported
from verifier.smt.solve import Solver
from verifier.smt.tasks import Task, build
from verifier.smt.terms import Term
from verifier.survey import Survey

#: z3's two procedures for arithmetic: what one of them finds hard is often easy for the other.
ARITHMETIC = {False: 2, True: 6}
#: Each way to ask has such a part of the budget, one round after the other: what is proved at all is mostly proved soon.
SHARES = (24, 4, 1)
#: Universals over at most this many values are written out on the second rung.
WIDE = 16
#: Unknowns with at most this many values (sides, players) are split first, into at most so many cases.
SMALL, MOST_CASES = 8, 48
#: Then one unknown of a large type (a hex), together with at most so many cases of the others.
LARGE = 128
#: All attempts at one obligation together may cost so many budgets.
MOST_BUDGETS = 16


@dataclass(frozen=True, slots=True)
class Proof:
    """One unsatisfiable query: its assertions and the labels that are needed."""

    assertions: tuple[tuple[str | None, Term], ...]
    core: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """How an obligation came out. `rung` says how: `induction`, or by how many cases."""

    outcome: Outcome
    rung: str
    proofs: tuple[Proof, ...] = ()


@dataclass(frozen=True, slots=True)
class Ladder:
    """Settles the obligations of one game."""

    survey: Survey
    oracle: Oracle
    good: Sequence[Position]
    symbolic: frozenset[str]
    budget: int

    def settle(self, obligation: Obligation, hints: tuple[str, ...] = ()) -> Settled:
        """Return the outcome of an obligation."""
        climb = _Climb(self, obligation, hints)
        try:
            return climb.settle()
        except Unsupported as reason:
            return Settled(Open(str(reason), climb.effort), "not encoded")


@dataclass(slots=True)
class _Climb:
    """One obligation on its way up."""

    ladder: Ladder
    obligation: Obligation
    hints: tuple[str, ...]
    effort: Effort = field(default_factory=Effort)
    core: dict[str, None] = field(default_factory=dict)
    proofs: list[Proof] = field(default_factory=list)

    def settle(self) -> Settled:
        """Try the whole goal at once, for a little while; then each of its parts, or the whole with more and more."""
        means = "consequence" if self.obligation.kind == "follows" else "induction"
        options = Options(self.ladder.symbolic)
        outcome, task = self._round(options, SHARES[0])
        if not isinstance(outcome, Open):
            return self._settled(outcome, means)
        if task.parts == 1:
            outcome, how = self._climb(options, SHARES[1:])
            return self._settled(outcome, ", ".join(filter(None, (means, how))) if isinstance(outcome, Proved) else how)
        ways: dict[str, None] = {}
        for part in range(task.parts):
            outcome, how = self._climb(replace(options, part=part), SHARES)
            if not isinstance(outcome, Proved):
                return self._settled(outcome, how or means)
            ways |= {how: None} if how else {}
        return self._settled(outcome, ", ".join((f"{means}, {task.parts} parts", *ways)))

    def _climb(self, options: Options, shares: Sequence[int]) -> tuple[Outcome, str]:
        """Try every way with more and more of the budget, then the higher rungs."""
        for share in shares:
            outcome, task = self._round(options, share)
            if not isinstance(outcome, Open):
                return outcome, ""
        outcome, _ = self._attempt(replace(options, written_out=WIDE, wide=True))
        if not isinstance(outcome, Open):
            return outcome, "written out"
        for unknowns in _splits(task.query):
            outcome = self._cases(options, unknowns)
            if not isinstance(outcome, Open):
                return outcome, f"{prod(each.type.size for each in unknowns)} cases"
        return outcome, "no answer"

    def _round(self, options: Options, share: int) -> tuple[Outcome, Task]:
        """Try every way, each with this part of the budget."""
        for way in self._ways(options):
            outcome, task = self._attempt(way, share)
            if not isinstance(outcome, Open):
                break
        return outcome, task

    def _ways(self, options: Options) -> tuple[Options, ...]:
        """Return what to begin with: little, then the author's helpers, then more and more of what may matter."""
        deep, lean = replace(options, deep=True), replace(options, lean=True)
        match self.obligation.kind:
            case "follows":  # what there is to begin with is all there is
                return deep, options
            case "range" if options.part is None:  # one check at a time has helpers of its own
                return (lean,)
            case "range":  # what is said about the variable often does
                return lean, options, replace(lean, deep=True), deep, replace(options, wide=True)
            case _ if self.obligation.action is None:
                return options, deep
            case _:
                return lean, replace(lean, deep=True), options, deep, replace(options, wide=True)

    def _cases(self, options: Options, unknowns: tuple[Unknown, ...]) -> Outcome:
        """Prove a goal for all values of some unknowns, one after the other."""
        outcome: Outcome = Open("there is no case", self.effort)
        for values in product(*(range(each.type.lo, each.type.hi + 1) for each in unknowns)):
            fixed = tuple((each.key, value) for each, value in zip(unknowns, values, strict=True))
            outcome, _ = self._attempt(replace(options, lean=True, eager=True, fixed=fixed))
            if not isinstance(outcome, Proved):
                return outcome
        return outcome

    def _attempt(self, options: Options, share: int = 1) -> tuple[Outcome, Task]:
        ladder = self.ladder
        task = build(ladder.survey, self.obligation, options)
        left = ladder.budget * max(MOST_BUDGETS, task.parts) - self.effort.rlimit
        with Solver(min(ladder.budget // share, left), ARITHMETIC[options.wide]) as solver:
            outcome = Refinement(task, ladder.oracle, ladder.good, solver, self.hints).settle()
        self.effort += outcome.effort
        if isinstance(outcome, Proved):
            self.core |= dict.fromkeys(outcome.core)
            self.proofs.append(Proof(tuple(task.query.assertions), outcome.core))
        return outcome, task

    def _settled(self, outcome: Outcome, how: str) -> Settled:
        if isinstance(outcome, Proved):
            return Settled(Proved(tuple(self.core), self.effort), how, tuple(self.proofs))
        return Settled(replace(outcome, effort=self.effort), how)


def _splits(query: Query) -> Iterator[tuple[Unknown, ...]]:
    """Yield the unknowns to split on: the small ones, then a large one. A key that occurs twice names no unknown."""
    times = Counter(each.key for each in query.skolems)
    single = [each for each in query.skolems if times[each.key] == 1 and not each.term.literal]
    small: tuple[Unknown, ...] = ()
    for each in sorted(single, key=lambda each: each.type.size):
        if each.type.size <= SMALL and prod(one.type.size for one in (*small, each)) <= MOST_CASES:
            small = (*small, each)
    if small:
        yield small
    for each in single:
        if SMALL < each.type.size <= LARGE:
            yield (each,)
            return
