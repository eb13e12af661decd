"""Vacuity: asking the solver whether a line can ever matter.

Reads:  an obligation about a requirement or about an implication.   Writes: a `Settled`: the query is satisfiable if the line
        matters in some state that satisfies every invariant, and unsatisfiable if it is idle.
After:  "idle" is said of every value of the data and of every option of the rulings. "It matters" is said of a state that
        was evaluated; no play to it need exist, so the answer errs on the side of silence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pilgrim_rules.core.ir import Action, Require
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.evaluate import evaluate
from verifier.claims.implication_premises import triggers
from verifier.claims.obligations import Obligation
from verifier.play.replay import Failure, first_failing, frozen
from verifier.smt.encode.encoded_states import Scope
from verifier.smt.encode.model_state import Candidate
from verifier.smt.solve.z3_solver import Solver
from verifier.smt.strategy.build_query import QueryBuilder, Task
from verifier.smt.strategy.encoding_options import Options, uncertain_constants
from verifier.smt.strategy.ladder import Ladder, Proof, Settled
from verifier.smt.strategy.refine import Outcome, Proved, Refinement, SolverCost, Unsettled
from verifier.smt.terms.polarity import Unsupported

#: Rounds of refinement: an idle line is seen to be idle in a few.
ROUNDS = 8
NOT_EXCLUDED = "the invariants do not exclude it, as far as they were asked; no whole state was built"


def settle(ladder: Ladder, obligation: Obligation) -> Settled:
    """Return whether a line is idle: `Proved` if it is, `Failed` with a state in which it matters."""
    game = ladder.footprints.game
    options = Options(ladder.symbolic | uncertain_constants(game))
    effort, core, proofs = SolverCost(), dict[str, None](), list[Proof]()
    outcome: Outcome = Proved((), effort)
    for action in sharing(game.actions, obligation):
        try:
            outcome, proof = _solve_task(
                ladder, VacuityQueries.for_obligation(ladder.footprints, obligation, options).task(action)
            )
            if (
                isinstance(outcome, Unsettled) and outcome.reason != NOT_EXCLUDED
            ):  # too much at once: one thing after the other
                effort += outcome.effort
                lazily = VacuityQueries.for_obligation(ladder.footprints, obligation, options).task(action)
                lazily.start_with = ()
                outcome, proof = _solve_task(ladder, lazily)
        except Unsupported as reason:
            return Settled(Unsettled(str(reason), effort), "not encoded")
        effort += outcome.effort
        if not isinstance(outcome, Proved):
            break
        core |= dict.fromkeys(outcome.core)
        proofs.append(proof)
    if isinstance(outcome, Proved):
        return Settled(Proved(tuple(core), effort), "one query a use", tuple(proofs))
    return Settled(replace(outcome, effort=effort), "one query a use")


def _solve_task(ladder: Ladder, task: Task) -> tuple[Outcome, Proof]:
    with Solver(ladder.budget) as solver:
        outcome = Refinement(task, ladder.oracle, ladder.good, solver, most_rounds=ROUNDS).settle()
        if isinstance(outcome, Unsettled) and outcome.effort.rounds > 1:  # only after a model is there another round
            outcome = replace(outcome, reason=NOT_EXCLUDED)
    return outcome, Proof(tuple(task.query.assertions), outcome.core if isinstance(outcome, Proved) else ())


def sharing(actions: tuple[Action, ...], obligation: Obligation) -> Iterator[Action | None]:
    """Yield the actions that have the line; for an implication, None once."""
    if obligation.kind == "triggered":
        yield None
        return
    for action in actions:
        if any(isinstance(line, Require) and line.key == obligation.line for line in action.guard):
            yield action


class VacuityQueries(QueryBuilder):
    """Builds the queries."""

    def task(self, action: Action | None) -> Task:
        """Return the query for one use of the line."""
        return self.triggered() if action is None else self.refused(action)

    def triggered(self) -> Task:
        """Ask for a state in which the implication applies."""
        made = self.footprints.made
        key = (self.obligation.kind, self.obligation.subject)
        if key not in made:
            made[key] = triggers(self._claim().formula, self.footprints)
        formula = made[key][int(str(self.obligation.line)) - 1]
        state = self._unknown()
        self.encoder.query.add(self.encoder.truth(formula, Scope({}, state), 1), "goal")

        def replay(candidate: Candidate) -> Failure | None:
            position = candidate.position(state)
            applies = evaluate(formula, Environment(candidate.declared, position, {}))
            return Failure("it applies here", frozen(position)) if applies else None

        return self._task(self._invariants(Scope({}, state)), (), replay, self._reads(formula))

    def refused(self, action: Action) -> Task:
        """Ask for a state and arguments with which this requirement fails, and none before it does."""
        before = self._unknown()
        # Chance is asked how likely something is only where it is allowed.
        scope, requirements = self._enter(replace(action, weight=None), before)
        at = next(at for at, each in enumerate(requirements) if each.label == f"require:{self.obligation.line}")
        line = requirements[at]
        self.encoder.query.add(self.encoder.arena.neg(self.encoder.truth(line.formula, line.scope, -1)), "goal")
        looks_at = self._reads(line.formula)

        def replay(candidate: Candidate) -> Failure | None:
            args = tuple(candidate.value(self._meaning(scope, param.name)) for param in action.params)
            position = candidate.position(before)
            key = first_failing(candidate.declared, position, action, args)
            return Failure("it fails here", frozen(position), (action.name, args)) if key == line.name else None

        earlier = requirements[:at]
        light = tuple(each.label for each in earlier if self.relevance.is_light(each, looks_at))
        return self._task([*earlier, *self._invariants(Scope({}, before))], light, replay, looks_at)
