"""The ladder: settle one obligation, each rung only if the one before gave no answer.

Reads:  an obligation.   Writes: a `Settled`: the outcome, how it was reached, and the queries behind a proof.
After:  a proof by cases is one only if every case is proved; the cases are all values of unknowns of the goal, so they
        are exhaustive by the bounds of those unknowns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from pilgrim_rules.engine.layout import Position
from verifier.obligations import Obligation
from verifier.smt.oracle import Oracle
from verifier.smt.query import Query
from verifier.smt.refine import Effort, Failed, Open, Outcome, Proved, Refinement
from verifier.smt.sign import Unsupported
from verifier.smt.solve import Solver
from verifier.smt.tasks import Options, build
from verifier.smt.terms import Term
from verifier.survey import Survey

#: Universals over at most this many values are written out on the second rung.
WIDE = 16
#: Unknowns with at most this many values (sides, players) are split first, into at most so many cases.
SMALL, MOST_CASES = 8, 48
#: Then one unknown of a large type (a hex), together with at most so many cases of the others.
LARGE = 128


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
        try:
            first, query, proof = self._attempt(obligation, Options(self.symbolic), hints)
        except Unsupported as reason:
            return Settled(Open(str(reason), Effort(0, 0, 0)), "not encoded")
        if not isinstance(first, Open):
            return Settled(first, "induction", (proof,))
        wide, _, proof = self._attempt(obligation, Options(self.symbolic, written_out=WIDE), hints)
        effort = _sum(first.effort, wide.effort)
        if not isinstance(wide, Open):
            return Settled(replace(wide, effort=effort), "induction, written out", (proof,))
        best = Open(wide.reason, effort)
        for numbers in _splits(query):
            settled = self._by_cases(obligation, query, numbers, hints, best)
            if not isinstance(settled.outcome, Open):
                return settled
            best = settled.outcome
        return Settled(best, "no answer")

    def _by_cases(
        self, obligation: Obligation, query: Query, numbers: tuple[int, ...], hints: tuple[str, ...], so_far: Open
    ) -> Settled:
        effort = so_far.effort
        core: dict[str, None] = {}
        proofs: list[Proof] = []
        ranges = [range(query.skolems[at][1].lo, query.skolems[at][1].hi + 1) for at in numbers]
        for values in product(*ranges):
            fixed = tuple(zip(numbers, values, strict=True))
            outcome, _, proof = self._attempt(obligation, Options(self.symbolic, eager=True, fixed=fixed), hints)
            effort = _sum(effort, outcome.effort)
            if isinstance(outcome, Failed):
                return Settled(Failed(outcome.example, effort), f"case {len(proofs) + 1}")
            if isinstance(outcome, Open):
                return Settled(Open(outcome.reason, effort), "no answer")
            core |= dict.fromkeys(outcome.core)
            proofs.append(proof)
        return Settled(Proved(tuple(core), effort), f"induction, {len(proofs)} cases", tuple(proofs))

    def _attempt(
        self, obligation: Obligation, options: Options, hints: tuple[str, ...]
    ) -> tuple[Outcome, Query, Proof]:
        task = build(self.survey, obligation, options)
        with Solver(self.budget) as solver:
            outcome = Refinement(task, self.oracle, self.good, solver, hints).settle()
        core = outcome.core if isinstance(outcome, Proved) else ()
        return outcome, task.query, Proof(tuple(task.query.assertions), core)


def _splits(query: Query) -> Iterator[tuple[int, ...]]:
    """Yield the unknowns to split on: the small ones, then a large one with what fits beside it."""
    sizes = {at: type_.size for at, (term, type_) in enumerate(query.skolems) if not term.literal}
    small: tuple[int, ...] = ()
    for at in sorted(sizes, key=lambda at: (sizes[at], at)):
        if sizes[at] <= SMALL and prod(sizes[each] for each in (*small, at)) <= MOST_CASES:
            small = (*small, at)
    if small:
        yield small
    large = [at for at, size in sizes.items() if SMALL < size <= LARGE]
    if large:
        yield (large[0],)


def _sum(first: Effort, second: Effort) -> Effort:
    return Effort(first.rlimit + second.rlimit, first.queries + second.queries, first.rounds + second.rounds)
