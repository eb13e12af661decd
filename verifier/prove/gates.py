"""Gates: that claims say something, and that lines of the rules make a difference somewhere.

Reads:  obligations of vacuity.   Writes: results.
After:  what is called proved was evaluated in some state; what is called vacuous was shown to be so by a solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import assert_never

from pilgrim_rules.engine.python.compile import Compiled
from pilgrim_rules.evidence.record import Verdict
from pilgrim_rules.examples import CompiledReadings
from verifier.claims.obligations import Obligation, obligations
from verifier.play.visits import PLAY, random_states
from verifier.prove.hints import NO_HINTS, Hints, Witness
from verifier.prove.make_records import KEPT_STATE, RecordMaker, Result, with_cost
from verifier.prove.vacuity import StillMatters, lines_that_matter
from verifier.smt.strategy import vacuity_queries
from verifier.smt.strategy.ladder import Ladder, Settled
from verifier.smt.strategy.refine import Failed, Proved, Unsettled

#: Well-typed states tried before a solver is asked whether a claim can be false.
SAMPLES = 12
#: The kinds of obligations about lines that must make a difference.
LINES = ("can_refuse", "triggered")


@dataclass
class Gates:
    """Settles the obligations of vacuity of one game."""

    records: RecordMaker
    readings: CompiledReadings
    ladder: Ladder
    plays: tuple[tuple[str, tuple[str, ...]], ...]
    _found: dict[str, Witness] | None = field(default=None, repr=False)

    @property
    def code(self) -> Compiled:
        """The game as functions."""
        return self.readings.code

    @cached_property
    def still(self) -> StillMatters:
        """Which states of earlier runs show today what they showed."""
        return StillMatters(self.code, self.readings.footprints)

    @cached_property
    def samples(self) -> list[bytes]:
        """Well-typed states, in which a claim may be false."""
        return list(random_states(self.code, SAMPLES))

    def look(self, work: Sequence[tuple[Obligation, Hints]]) -> None:
        """Look once for what the work needs and no earlier run has kept."""
        lines = [each for each in work if each[0].kind in LINES]
        left = [one for one, hints in lines if hints.witness is None or not self.still.shows(one, hints.witness)]
        self._found = lines_that_matter(self.readings, left, self.plays) if left else {}
        if any(obligation.kind == "falsifiable" for obligation, _ in work):
            assert self.samples, "there are states"

    def found(self, obligation: Obligation) -> Witness | None:
        """Return where play shows that a line makes a difference."""
        if self._found is None:
            self.look([(each, NO_HINTS) for each in obligations(self.code.game)])
        assert self._found is not None, "somebody has looked"
        return self._found.get(obligation.name)

    def falsifiable(self, obligation: Obligation) -> Result:
        """See that a claim is false in some well-typed state."""
        name = str(obligation.subject)
        for state in self.samples:
            try:
                if not self.code.holds(name, state):
                    return Result(self.records.record(obligation, Verdict.PROVED, "random state"))
            except (IndexError, ZeroDivisionError):
                continue  # the claim has no value there
        idle = "no well-typed state breaks it, so it says nothing"
        return self._unless_idle(obligation, self.ladder.settle(obligation), idle)

    def matters(self, obligation: Obligation, hints: Hints) -> Result:
        """See that a line of the rules makes a difference somewhere: in play, or in a state that the invariants allow."""
        kept = hints.witness
        if kept is not None and self.still.shows(obligation, kept):
            reason = kept.sentence(self.code.game, f"a state that the invariants allow, seen before in {kept.seen_in}")
            return Result(self.records.record(obligation, Verdict.PROVED, KEPT_STATE, reason=reason), hints=hints)
        shown = self.found(obligation)
        if shown is not None:
            reason = shown.sentence(self.code.game, f"a state of {shown.seen_in}")
            return Result(
                self.records.record(obligation, Verdict.PROVED, PLAY, reason=reason), hints=Hints(witness=shown)
            )
        idle = {
            "can_refuse": "it never fails: what is required before it and the invariants imply it",
            "triggered": "what it presupposes never comes about: the invariants exclude it",
        }
        return self._unless_idle(obligation, vacuity_queries.settle(self.ladder, obligation), idle[obligation.kind])

    def _unless_idle(self, obligation: Obligation, settled: Settled, idle: str) -> Result:
        """Return the record of something that is vacuous if the query was unsatisfiable."""
        match settled.outcome:
            case Proved(core=core):
                record = self.records.record(obligation, Verdict.VACUOUS, settled.rung, reason=idle, core=core)
                return self.records.confirmed(obligation, settled, record)
            case Failed():
                return Result(with_cost(self.records.record(obligation, Verdict.PROVED, "solver's state"), settled))
            case Unsettled(reason=reason):
                verdict = Verdict.LIMITED if reason == vacuity_queries.NOT_EXCLUDED else Verdict.NOT_SETTLED
                return Result(with_cost(self.records.record(obligation, verdict, settled.rung, reason=reason), settled))
            case _:
                assert_never(settled.outcome)
