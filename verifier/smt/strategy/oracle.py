"""The oracle: whether a hypothesis is true in a candidate state, as fast as it can be said.

Reads:  compiled claims, the evaluator, and states that are known.   Writes: answers.
After:  every answer is the evaluator's. What a candidate has not changed is looked up; what it has changed is asked of
        compiled code; only data that a model chose needs the evaluator itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.semantics.evaluate import evaluate
from verifier.smt.encode.domains import UNDEFINED
from verifier.smt.encode.model_state import Candidate
from verifier.smt.strategy.relevance import Hypothesis


@dataclass(frozen=True, slots=True)
class Oracle:
    """Answers for one game; `code` is asked for the compiled game when the first answer needs it."""

    footprints: Footprints
    code: Callable[[], Compiled]
    _known: dict[tuple[int, str], bool] = field(default_factory=dict)

    def holds(self, hypothesis: Hypothesis, candidate: Candidate) -> bool:
        """Return whether the hypothesis is true in the candidate; a requirement that cannot be asked counts as true."""
        if hypothesis.label.startswith("require:"):
            try:
                return bool(
                    evaluate(
                        hypothesis.formula, candidate.env(hypothesis.scope, self.footprints.free(hypothesis.formula))
                    )
                )
            except UNDEFINED:  # an earlier requirement fails, and is found
                return True
        looks_at = self.footprints.footprint(hypothesis.formula)
        if looks_at.constants & candidate.changed_constants:
            return bool(evaluate(hypothesis.formula, candidate.env(hypothesis.scope, ())))
        state = hypothesis.scope.now
        if looks_at.variables & candidate.changed(state):
            return self._evaluate_hypothesis(hypothesis, candidate)
        key = (id(candidate.good), hypothesis.name)
        if key not in self._known:
            self._known[key] = self._evaluate_hypothesis(hypothesis, candidate)
        return self._known[key]

    def _evaluate_hypothesis(self, hypothesis: Hypothesis, candidate: Candidate) -> bool:
        compiled = self.code()
        try:
            return compiled.holds(hypothesis.name, candidate.coded(hypothesis.scope.now, compiled.encoded))
        except (IndexError, KeyError, ValueError, ZeroDivisionError):  # no compiled answer for this state
            return bool(evaluate(hypothesis.formula, candidate.env(hypothesis.scope, ())))
