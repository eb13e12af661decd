"""Houdini: of many candidates, those that hold together, and whether they carry a claim that is not inductive alone.

Reads:  a game to whose claims the candidates have been added as invariants.   Writes: a `Strengthening`.
After:  every candidate that is kept is inductive together with the others that are kept and the invariants of the author. A
        candidate is dropped as soon as it cannot be proved, so nothing rests on a guess.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from verifier.claims.obligations import Obligation, affecting
from verifier.smt.solve.z3_solver import Solver
from verifier.smt.strategy.encoding_options import Options
from verifier.smt.strategy.ladder import Ladder, Proof
from verifier.smt.strategy.refine import Proved, Refinement, SolverCost
from verifier.smt.strategy.two_worlds import build
from verifier.smt.terms.polarity import Unsupported

#: All attempts together may cost this many budgets.
MOST_BUDGETS = 20
#: What a candidate costs at most, as part of one budget.
SHARE = 4


@dataclass(frozen=True, slots=True)
class Strengthening:
    """A proof with the candidates it needs.

    needed  names of candidates.      core  everything else that the proofs rest on.
    """

    needed: tuple[str, ...]
    core: tuple[str, ...]
    proofs: tuple[Proof, ...]
    effort: SolverCost


@dataclass(slots=True)
class Houdini:
    """Looks for a strengthening; `names` are the candidates among the invariants of the ladder's game."""

    ladder: Ladder
    names: list[str]
    effort: SolverCost = field(default_factory=SolverCost)
    _dropped: set[str] = field(default_factory=set)
    _proved: dict[tuple[str, str], Proof] = field(default_factory=dict)

    def strengthen(self, obligation: Obligation) -> Strengthening | None:
        """Return a proof of the obligation with candidates that are proved, too; None if there is none."""
        self._settle_down()
        goal = self._attempt(obligation) if self.names else None
        if goal is None:
            return None
        return self._closed(dict.fromkeys(self._candidates(goal)), goal)

    def _closed(self, needed: dict[str, None], goal: Proof) -> Strengthening:
        """Return the proof with everything that its candidates rest on."""
        while True:
            proofs = [proof for (name, _), proof in self._proved.items() if name in needed]
            more = dict.fromkeys(name for proof in proofs for name in self._candidates(proof))
            if more.keys() <= needed.keys():
                return self._strengthening(tuple(needed), [goal, *proofs])
            needed |= more

    def _strengthening(self, needed: tuple[str, ...], proofs: list[Proof]) -> Strengthening:
        own = {f"invariant:{name}" for name in self.names}
        core = dict.fromkeys(label for proof in proofs for label in proof.core if label not in own)
        steps = dict.fromkeys(f"range:{action}" for name, action in self._proved if name in needed)
        return Strengthening(
            needed, (*(label for label in core if label != "range"), *steps), tuple(proofs), self.effort
        )

    def _settle_down(self) -> None:
        """Drop candidates until all that are left are inductive together."""
        changed = True
        while changed and self.names:
            changed = False
            for name in list(self.names):
                if not all(self._is_kept(name, each) for each in self._steps(name)):
                    self.names.remove(name)
                    self._dropped.add(name)
                    label = f"invariant:{name}"
                    self._proved = {
                        key: proof for key, proof in self._proved.items() if key[0] != name and label not in proof.core
                    }
                    changed = True

    def _is_kept(self, name: str, obligation: Obligation) -> bool:
        key = (name, str(obligation.action))
        if key not in self._proved:
            proof = self._attempt(obligation, SHARE)
            if proof is None:
                return False
            self._proved[key] = proof
        return True

    def _steps(self, name: str) -> Iterator[Obligation]:
        footprints = self.ladder.footprints
        claim = footprints.declared.claims[name]
        for action in affecting(footprints.game, claim, footprints):
            full = f"{footprints.game.name}.invariant.{name}"
            yield Obligation(f"{full}/{action.name}", "kept", full, "", name, action.name)

    def _attempt(self, obligation: Obligation, share: int = 1) -> Proof | None:
        """Try once, with the candidates that are left."""
        ladder = self.ladder
        try:
            task = build(ladder.footprints, obligation, Options(ladder.symbolic))
        except Unsupported:
            return None
        task.hypotheses = [each for each in task.hypotheses if each.name not in self._dropped]
        left = ladder.budget * MOST_BUDGETS - self.effort.rlimit
        with Solver(min(ladder.budget // share, left)) as solver:
            outcome = Refinement(task, ladder.oracle, ladder.good, solver).settle()
        self.effort += outcome.effort
        return Proof(tuple(task.query.assertions), outcome.core) if isinstance(outcome, Proved) else None

    def _candidates(self, proof: Proof) -> Iterator[str]:
        return (name for name in self.names if f"invariant:{name}" in proof.core)
