"""Proofs as a killer: a mistake is noticed if something that was proved is not proved any more.

Reads:  a core game, then mutants of it.   Writes: what is no longer proved.
After:  only obligations that the changed actions can touch are looked at again, and nothing is written to the cache.
"""

from __future__ import annotations

from pilgrim_rules.core.ir import Game
from verifier.mutate.killers import Killer, Noticed
from verifier.mutate.mutants import Mutant
from verifier.obligations import Obligation, obligations
from verifier.prove import BUDGET, verify
from verifier.verdict import Verdict

PROOFS = (Verdict.PROVED, Verdict.LIMITED)


def by_proofs(game: Game, *, budget: int = BUDGET) -> Killer:
    """Return the killer that proves again what may have changed; what was proved before is looked up when it is asked."""
    proved: dict[str, bool] = {}

    def known(names: list[str]) -> list[str]:
        missing = [name for name in names if name not in proved]
        if missing:
            report = verify(game, names=missing, jobs=1, budget=budget, confirm=False)
            proved.update({record.name: record.verdict in PROOFS for record in report.records})
        return [name for name in names if proved.get(name)]

    def kill(mutant: Mutant) -> Noticed | None:
        names = known([each.name for each in obligations(mutant.game) if _touched(each, mutant)])
        if not names:
            return None
        again = verify(mutant.game, names=names, jobs=1, budget=budget, confirm=False, cache=False)
        for record in again.records:
            if record.verdict not in PROOFS:
                return Noticed(f"{record.name} is {record.verdict}" + (f": {record.reason}" if record.reason else ""))
        return None

    return kill


def _touched(obligation: Obligation, mutant: Mutant) -> bool:
    """Return whether the mistake can make a difference to the obligation."""
    if obligation.action is not None:
        return obligation.action in mutant.actions
    if obligation.stage is not None:
        here = {action.name for action in mutant.game.actions if obligation.stage in action.stages}
        return not here.isdisjoint(mutant.actions) or mutant.mistake.kind in ("decider", "stage")
    return False
