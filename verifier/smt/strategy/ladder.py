"""The ladder: settle one obligation, each rung only if the one before gave no answer.

Reads:  an obligation, and perhaps how it was proved before.   Writes: a `Settled`: the outcome, how it was reached, the
        queries behind a proof, and the recipe for the next time.
After:  a proof by cases is one only if every case is proved; the cases are all values of unknowns of the goal, so they
        are exhaustive by the bounds of those unknowns. The same of parts: a recipe that leaves one out is not followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod

from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.semantics.state_layout import Position
from verifier.claims.obligations import Obligation
from verifier.smt.encode.query import Query, Skolem
from verifier.smt.solve.z3_solver import Solver
from verifier.smt.strategy.build_query import Task
from verifier.smt.strategy.encoding_options import Options
from verifier.smt.strategy.oracle import Oracle
from verifier.smt.strategy.recipes import NONE, Recipe, Step
from verifier.smt.strategy.refine import Outcome, Proved, Refinement, SolverCost, Unsettled
from verifier.smt.strategy.two_worlds import build
from verifier.smt.terms.polarity import Unsupported
from verifier.smt.terms.terms import Term

#: z3's two procedures for arithmetic: what one of them finds hard is often easy for the other.
ARITHMETIC = {False: 2, True: 6}
#: Each way to ask has such a part of the budget, one round after the other: what is proved at all is mostly proved soon.
SHARES = (24, 4, 1)
#: Where things are counted by kinds, the counts are added up when this share was in vain.
COUNTED = 4
#: Universals over at most this many values are written out on the second rung, which is called so.
WIDE, WRITTEN_OUT = 16, "written out"
#: Unknowns with at most this many values (sides, players) are split first, into at most this many cases.
SMALL, MOST_CASES = 8, 48
#: Then one unknown of a large type (a hex), together with at most this many cases of the others.
LARGE = 128
#: Why nothing more was tried.
IS_FALSE = "a play breaks it"
#: All attempts at one obligation together may cost this many budgets.
MOST_BUDGETS = 16
#: What a recipe took last time, it may take this many times over, and a little besides.
AGAIN, BESIDES = 3, 500_000


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
    recipe: Recipe = NONE


@dataclass(frozen=True, slots=True)
class Ladder:
    """Settles the obligations of one game."""

    footprints: Footprints
    oracle: Oracle
    good: Callable[[], Sequence[Position]]
    symbolic: frozenset[str]
    budget: int

    def settle(
        self, obligation: Obligation, recipe: Recipe = NONE, is_false: Callable[[], bool] = lambda: False
    ) -> Settled:
        """Return the outcome of an obligation.

        is_false  is asked once, when the obligation is not proved at once; if it knows better, nothing more is tried.
        """
        climb = _Climb(self, obligation, recipe, is_false)
        try:
            return climb.settle()
        except Unsupported as reason:
            return Settled(Unsettled(str(reason), climb.effort), "not encoded")


@dataclass(slots=True)
class _Climb:
    """One obligation on its way up."""

    ladder: Ladder
    obligation: Obligation
    recipe: Recipe
    is_false: Callable[[], bool]
    effort: SolverCost = field(default_factory=SolverCost)
    core: dict[str, None] = field(default_factory=dict)
    proofs: list[Proof] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    wasted: int = 0

    def settle(self) -> Settled:
        """Do as last time. Otherwise try the whole goal, for a little while; then its parts, or the whole with more and more."""
        means = "consequence" if self.obligation.kind == "follows" else "induction"
        options = Options(self.ladder.symbolic)
        shares: Sequence[int] = SHARES
        parts = build(self.ladder.footprints, self.obligation, options).parts if self.recipe.by_parts else 0
        if parts < 2:  # noqa: PLR2004  (one part is the whole; a recipe of another text may speak of parts that are no more)
            again = self._again(options)
            if again is not None:
                return self._settled(again, self.recipe.how if isinstance(again, Proved) else means)
            outcome, task = self._round(options, SHARES[0])
            if not isinstance(outcome, Unsettled):
                return self._settled(outcome, means)
            parts, shares = task.parts, SHARES[1:]
            if self.is_false():
                return self._settled(Unsettled(IS_FALSE, self.effort), means)
        if parts == 1:
            outcome, how = self._climb(options, shares)
            return self._settled(outcome, ", ".join(filter(None, (means, how))) if isinstance(outcome, Proved) else how)
        ways: dict[str, None] = {}
        for part in range(parts):
            one = replace(options, part=part)
            again = self._again(one)
            if again is None and self.recipe.by_parts and self.is_false():
                return self._settled(Unsettled(IS_FALSE, self.effort), means)
            outcome, how = self._climb(one, SHARES) if again is None else (again, "")
            if again is not None and isinstance(again, Proved):
                how = self.steps[-1].how
            if not isinstance(outcome, Proved):
                return self._settled(outcome, how or means)
            ways |= {how: None} if how else {}
        return self._settled(outcome, ", ".join((f"{means}, {parts} parts", *ways)))

    def _again(self, options: Options) -> Outcome | None:
        """Ask for a part, or for the whole, as last time; None if that gives no answer."""
        step = self.recipe.step(options.part)
        if step is None:
            return None
        asked = step.options(options)
        outcome: Outcome = Unsettled("", self.effort)
        if step.split is not None:
            every = list(_splits(build(self.ladder.footprints, self.obligation, options).query))
            if step.split < len(every):
                outcome = self._cases(asked, every[step.split], step.split)
        else:
            if not step.with_all:
                outcome, _ = self._attempt(asked, begin=step)
            if isinstance(outcome, Unsettled):  # what was not needed may have shown the solver the way
                outcome, _ = self._attempt(asked)
                if isinstance(outcome, Proved):
                    self.steps[-1] = self.steps[-1].asked_with_all()
        return None if isinstance(outcome, Unsettled) else outcome

    def _climb(self, options: Options, shares: Sequence[int]) -> tuple[Outcome, str]:
        """Try every way with more and more of the budget, then the higher rungs."""
        for share in shares:
            outcome, task = self._round(options, share)
            if not isinstance(outcome, Unsettled):
                return outcome, ""
            if share == COUNTED and task.query.counts_alike:
                outcome, how = self._added_up(options, task, share)
                if not isinstance(outcome, Unsettled):
                    return outcome, how
        outcome, _ = self._attempt(replace(options, written_out=WIDE, wide=True))
        if not isinstance(outcome, Unsettled):
            return outcome, WRITTEN_OUT
        for number, unknowns in enumerate(_splits(task.query)):
            outcome = self._cases(replace(options, lean=True, eager=True), unknowns, number)
            if not isinstance(outcome, Unsettled):
                return outcome, _called(unknowns)
        return outcome, "no answer"

    def _added_up(self, options: Options, task: Task, share: int) -> tuple[Outcome, str]:
        """Try with the counts of all kinds added up, which cases alone hardly ever find: the whole, then by cases."""
        asked = replace(options, lean=True, deep=True, partition=True, written_out=1)
        outcome, _ = self._attempt(asked, share)
        if not isinstance(outcome, Unsettled):
            return outcome, ""
        for number, unknowns in enumerate(_splits(task.query)):
            outcome = self._cases(asked, unknowns, number, share)
            if not isinstance(outcome, Unsettled):
                return outcome, _called(unknowns)
        return outcome, ""

    def _round(self, options: Options, share: int) -> tuple[Outcome, Task]:
        """Try every way, each with this part of the budget."""
        for way in self._attempts(options):
            outcome, task = self._attempt(way, share)
            if not isinstance(outcome, Unsettled):
                break
        return outcome, task

    def _attempts(self, options: Options) -> tuple[Options, ...]:
        """Return what to begin with: little, then the author's helpers, then more and more of what may matter."""
        deep, lean = replace(options, deep=True), replace(options, lean=True)
        match self.obligation.kind:
            case "follows":  # what there is to begin with is all there is
                return deep, options
            case "range" if options.part is None:  # one check at a time has helpers of its own
                return (lean,)
            case "range":  # what is said about the variable often does
                return lean, options, replace(lean, deep=True), deep, replace(options, wide=True)
            case _ if self.obligation.action is None:  # a question about one state has no helpers of an action
                return options, deep
            case _:  # a step by an action
                return lean, replace(lean, deep=True), options, deep, replace(options, wide=True)

    def _cases(self, options: Options, unknowns: tuple[Skolem, ...], number: int, share: int = 1) -> Outcome:
        """Prove a goal for all values of some unknowns, one after the other."""
        outcome: Outcome = Unsettled("there is no case", self.effort)
        known = len(self.steps)
        for values in product(*(range(each.type.lo, each.type.hi + 1) for each in unknowns)):
            fixed = tuple((each.key, value) for each, value in zip(unknowns, values, strict=True))
            outcome, _ = self._attempt(replace(options, fixed=fixed), share)
            if not isinstance(outcome, Proved):
                break
        cases, self.steps = self.steps[known:], self.steps[:known]
        if isinstance(outcome, Proved):
            labels = tuple(dict.fromkeys(label for each in cases for label in each.labels))
            step = Step.of(options, labels, max((each.spent for each in cases), default=0), number)
            self.steps.append(replace(step, how=_called(unknowns)))
        return outcome

    def _attempt(self, options: Options, share: int = 1, begin: Step | None = None) -> tuple[Outcome, Task]:
        ladder = self.ladder
        task = build(ladder.footprints, self.obligation, options)
        most = ladder.budget // share if begin is None else min(ladder.budget, AGAIN * begin.spent + BESIDES)
        left = ladder.budget * max(MOST_BUDGETS, task.parts) - self.effort.rlimit
        only = None if begin is None else frozenset(begin.labels)
        with Solver(min(most, left), ARITHMETIC[options.wide]) as solver:
            outcome = Refinement(task, ladder.oracle, ladder.good, solver, only).settle()
        self.effort += outcome.effort
        if isinstance(outcome, Proved):
            self.core |= dict.fromkeys(outcome.core)
            self.proofs.append(Proof(tuple(task.query.assertions), outcome.core))
            how = WRITTEN_OUT if options.written_out == WIDE else ""
            self.steps.append(replace(Step.of(options, outcome.core, outcome.effort.rlimit), how=how))
        else:
            self.wasted += outcome.effort.rlimit
        return outcome, task

    def _settled(self, outcome: Outcome, how: str) -> Settled:
        if isinstance(outcome, Proved):
            recipe = Recipe(how, tuple(self.steps), max(self.wasted, self.recipe.wasted))
            return Settled(Proved(tuple(self.core), self.effort), how, tuple(self.proofs), recipe)
        return Settled(replace(outcome, effort=self.effort), how)


def _called(unknowns: tuple[Skolem, ...]) -> str:
    return f"{prod(each.type.size for each in unknowns)} cases"


def _splits(query: Query) -> Iterator[tuple[Skolem, ...]]:
    """Yield the unknowns to split on: the small ones, then a large one. A key that occurs twice names no unknown."""
    times = Counter(each.key for each in query.skolems)
    single = [each for each in query.skolems if times[each.key] == 1 and not each.term.literal]
    small: tuple[Skolem, ...] = ()
    for each in sorted(single, key=lambda each: each.type.size):
        if each.type.size <= SMALL and prod(one.type.size for one in (*small, each)) <= MOST_CASES:
            small = (*small, each)
    if small:
        yield small
    for each in single:
        if SMALL < each.type.size <= LARGE:
            yield (each,)
            return
