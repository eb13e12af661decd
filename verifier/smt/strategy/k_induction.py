"""k-induction: induction over several steps.

Reads:  an obligation about an action.   Writes: a `Settled`: for each way to come to the action by k - 1 steps before it, the
        hypotheses hold in all states on the way, and the action breaks the goal at its end; proved if no way does.
After:  together with the first k states of the game, that is a proof: whoever has come further has such a path behind them.
        It takes for granted that no step on the way leaves a range, so the core names each of them as `range:ACTION`.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from pilgrim_rules.core.ir import Action
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.reference import Reference
from verifier.claims.obligations import Kind, Obligation
from verifier.play.replay import Failure, judge_step
from verifier.smt.encode.encoded_states import EncodedState, Scope
from verifier.smt.encode.model_state import Candidate
from verifier.smt.solve.z3_solver import Solver
from verifier.smt.strategy.build_query import QueryBuilder, Task
from verifier.smt.strategy.encoding_options import Options
from verifier.smt.strategy.ladder import Ladder, Proof, Settled
from verifier.smt.strategy.refine import Proved, Refinement, SolverCost, Unsettled
from verifier.smt.strategy.relevance import Hypothesis
from verifier.smt.terms.polarity import Unsupported

#: What can be shown by paths: whatever an action must keep or do, ranges left aside.
KINDS: frozenset[Kind] = frozenset({"kept", "step", "decreases"})
#: Paths are only tried if there are at most this many, and cost at most this many budgets together.
MOST_PATHS, MOST_BUDGETS = 64, 10


def settle(ladder: Ladder, obligation: Obligation, steps: int) -> Settled:
    """Return whether the obligation follows by induction over this many steps."""
    actions = ladder.footprints.game.actions
    how = f"k-induction, k={steps}"
    effort, core, proofs = SolverCost(), dict[str, None](), list[Proof]()
    if len(actions) ** (steps - 1) > MOST_PATHS:
        return Settled(Unsettled("there are too many paths", effort), how)
    for before in product(actions, repeat=steps - 1):
        try:
            task = Path.for_obligation(ladder.footprints, obligation, Options(ladder.symbolic)).path(before)
        except Unsupported as reason:
            return Settled(Unsettled(str(reason), effort), how)
        with Solver(min(ladder.budget, ladder.budget * MOST_BUDGETS - effort.rlimit)) as solver:
            outcome = Refinement(task, ladder.oracle, ladder.good, solver).settle()
        effort += outcome.effort
        if not isinstance(outcome, Proved):
            return Settled(replace(outcome, effort=effort), how)
        core |= dict.fromkeys(outcome.core)
        proofs.append(Proof(tuple(task.query.assertions), outcome.core))
    labels = (*(label for label in core if label != "range"), *(f"range:{each.name}" for each in actions))
    return Settled(Proved(labels, effort), how, tuple(proofs))


class Path(QueryBuilder):
    """Builds the query of one path."""

    def path(self, before: tuple[Action, ...]) -> Task:
        """Ask for a path by these actions, and the obligation's own at its end, that breaks the goal."""
        actions = (*before, self._action())
        states, scopes, known = [self._unknown()], list[Scope](), list[Hypothesis]()
        for action in actions:
            known += self._invariants(Scope({}, states[-1]))
            scope, requirements = self._enter(action, states[-1])
            checks, after = self._execute(action.body, scope)
            self._assume_range(checks)
            known += requirements
            scopes.append(scope)
            states.append(after)
        start_with = self._break(states[-2], states[-1], scopes[-1])

        def replay(candidate: Candidate) -> Failure | None:
            moves = [
                (action.name, tuple(candidate.value(self._meaning(scope, param.name)) for param in action.params))
                for action, scope in zip(actions, scopes, strict=True)
            ]
            position, reference = candidate.position(states[0]), Reference(candidate.declared)
            for (_, args), action in zip(moves, before, strict=False):
                if not reference.allowed(position, action, args):
                    return None
                try:
                    position = reference.apply(position, action, args)
                except Contradiction:
                    return None
            return judge_step(candidate.declared, self.obligation, position, moves[-1])

        light = tuple(each.label for each in known if each.label.startswith("require:"))
        formula, _ = self._formula()
        return self._task(known, (*light, *start_with), replay, self._reads(formula))

    def _break(self, before: EncodedState, after: EncodedState, scope: Scope) -> tuple[str, ...]:
        """Assert that the last step breaks the goal; return the labels of what is worth assuming from the start."""
        if self.obligation.kind == "decreases":
            self._deny_decrease(self._ranking(), before, after)
            return ()
        claim, kept = self._claim(), self.obligation.kind == "kept"
        _, parts = self._formula()
        names = scope.names if claim.kind == "contract" else {}
        self._deny(parts, Scope({}, after) if kept else Scope(names, before, next=after))
        return (*((f"{claim.kind}:{claim.name}",) if kept else ()), *self._labels(claim.using))
