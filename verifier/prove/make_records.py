"""Make records: what was found of an obligation, written down with what it rests on.

Reads:  obligations, verdicts, proofs.   Writes: records, and results with what helps the next run.
After:  a record names everything that its verdict depends on and is limited to. A proof that a solver gave has been shown to
        the second one, if that was wanted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from pilgrim_rules.core.fingerprint import fingerprints_of
from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.core.ir import Game
from pilgrim_rules.core.move_text import move_text_in
from pilgrim_rules.evidence.record import ClaimSpan, Confirmed, Record, ShownStep, Verdict
from verifier.claims.obligations import Obligation, obligations
from verifier.claims.verdict_dependencies import footprint_of, verdict_dependencies
from verifier.play.replay import Failure
from verifier.play.visits import LONGER, PLAY, RECORDED
from verifier.prove.hints import NO_HINTS, Hints
from verifier.prove.settings import ProofSettings
from verifier.prove.what_to_try import what_to_try
from verifier.smt.solve.smtlib import script
from verifier.smt.strategy.ladder import Settled

#: The method of a line that matters in a state which an earlier run has kept, and which the invariants still allow.
KEPT_STATE = "kept state"
#: Methods that look at the data as they are.
PLAIN = ("evaluation", "random state", "bounded search", KEPT_STATE, PLAY, LONGER, RECORDED)


@dataclass(frozen=True, slots=True)
class Result:
    """A record, the queries behind it where somebody wants them, and what helps the next run.

    lasting  whether the second solver would say the same again: it answered, or spent what it may spend, and was not stopped.
    """

    record: Record
    queries: tuple[str, ...] = ()
    hints: Hints = NO_HINTS
    lasting: bool = True


@dataclass(frozen=True)
class RecordMaker:
    """Makes the records of one game; `symbolic` are the constants that proofs leave open."""

    footprints: Footprints
    settings: ProofSettings
    symbolic: frozenset[str]

    @property
    def game(self) -> Game:
        """The game."""
        return self.footprints.game

    @cached_property
    def partial(self) -> bool:
        """Whether it is not evident that every value exists that is asked for: then proofs rest on it."""
        return any(each.kind == "defined" for each in obligations(self.game))

    @cached_property
    def named(self) -> dict[str, str]:
        """What the rules say, as hashes, by the names that evidence uses."""
        return fingerprints_of(self.game).named()

    def confirmed(self, obligation: Obligation, settled: Settled, record: Record) -> Result:
        """Ask the second solver about every query behind a proof."""
        title = f"{obligation.name}: {obligation.sentence}"
        wanted = self.settings.confirm or self.settings.keep_queries
        texts = tuple(script(proof.assertions, proof.core, title) for proof in settled.proofs) if wanted else ()
        confirmed: Confirmed = ""
        lasting = True
        if self.settings.confirm and settled.outcome.effort.queries:
            from verifier.smt.solve.cvc5_solver import check_with_cvc5  # noqa: PLC0415  (loading a second solver takes its time)

            opinions = {check_with_cvc5(text) for text in texts}
            confirmed = "disagrees" if "sat" in opinions else "agrees" if opinions == {"unsat"} else "no answer"
            lasting = "unknown" not in opinions
        record = replace(with_cost(record, settled), confirmed=confirmed)
        return Result(record, texts if self.settings.keep_queries else (), Hints(settled.recipe), lasting=lasting)

    def record(
        self, obligation: Obligation, verdict: Verdict, method: str, core: tuple[str, ...] = (), **more: object
    ) -> Record:
        """Return the record of a verdict; `more` are other fields of it."""
        span = obligation.span
        if self.partial and method not in PLAIN and obligation.kind != "defined":
            core = (*core, "defined")
        return Record(
            name=obligation.name,
            kind=obligation.kind,
            sentence=obligation.sentence,
            verdict=verdict,
            method=method,
            core=core,
            clauses=obligation.clauses,
            bounds=self._bounds(obligation, method, core),
            about={name: self.named[name] for name in verdict_dependencies(obligation, verdict, core)},
            place=None if span is None else ClaimSpan(span.file, span.start, span.end),
            **more,  # type: ignore[arg-type]  # the fields of a record
        )

    def unanswered(self, obligation: Obligation, method: str, reason: str) -> Record:
        """Return the record of an obligation that no solver has answered, with what to try."""
        looked_at = footprint_of(self.footprints, obligation, ()).constants
        advice = what_to_try(self.game, obligation, tuple(sorted(looked_at & self.symbolic)))
        return self.record(obligation, Verdict.NOT_SETTLED, method, reason=f"{reason}\n{advice}")

    def _bounds(self, obligation: Obligation, method: str, core: tuple[str, ...]) -> tuple[str, ...]:
        """Return what the verdict is limited to, and which of the data left open it looks at: only a solver does."""
        players = self.game.players
        open_data = (
            () if method in PLAIN else sorted(footprint_of(self.footprints, obligation, core).constants & self.symbolic)
        )
        seats = "1 player" if players == 1 else f"{players} players"
        return (seats, *(f"for every `{name}` in its range" for name in open_data))

    def picture(self, failure: Failure) -> ShownStep:
        """Return the step that shows a failure, as the engine spells it."""
        move = None if failure.move is None else move_text_in(self.game, failure.move)
        return ShownStep(failure.before, move, failure.after)


def with_cost(record: Record, settled: Settled) -> Record:
    """Return a record with what its answer cost."""
    effort = settled.outcome.effort
    return replace(record, rlimit=effort.rlimit, queries=effort.queries)
