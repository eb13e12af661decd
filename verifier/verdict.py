"""Verdicts: what may be said of an obligation, and the record that says it.

Reads:  nothing.   Writes: nothing; this file only names what the verifier can find.
After:  unknown never looks like anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from verifier.obligations import Kind


class Verdict(StrEnum):
    """What is known of an obligation, strongest first."""

    PROVED = "proved"  #: discharged for every state and every admitted value of the data
    LIMITED = "proved within limits"  #: discharged under a bound that is printed
    VACUOUS = "vacuous"  #: true, but for the wrong reason: it says nothing, or can never matter
    NOT_SETTLED = "not settled"  #: no answer; the reason is printed
    NOT_INDUCTIVE = (
        "not inductive"  #: a step from a state that satisfies all invariants breaks it; nobody has reached that state
    )
    REFUTED = "refuted"  #: a play from the start shows it, and the engine has replayed the play


#: The method of a proof that needs invariants which nobody has written: the author is shown what to add.
STRENGTHENED = "induction with a strengthening"
WEAKEST_LAST: tuple[Verdict, ...] = tuple(Verdict)


def weakest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the weakest of some verdicts; nothing at all is proved."""
    return max(verdicts, key=WEAKEST_LAST.index, default=Verdict.PROVED)


@dataclass(frozen=True, slots=True)
class Picture:
    """A state or a step that shows something, as the engine spells it."""

    before: Mapping[str, tuple[int, ...]]
    move: str | None = None
    after: Mapping[str, tuple[int, ...]] | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of one obligation.

    method        how it was settled: `induction`, `evaluation`, `play`, `unaffected` …
    reason        why it is not proved, or what is wrong; empty if there is nothing to say.
    bounds        what a proof within limits is limited to, and what is assumed.
    core          labels of what the proof needed: `require:KEY`, `invariant:NAME`, `law:NAME`, `table:NAME`, `range`.
    play          moves from the start that show a refutation or a witness.
    picture       the two states of a counterexample to induction.
    fingerprints  of the things the record speaks of; evidence for another text is stale.
    confirmed     what the second solver says: `agrees`, `no answer`, `disagrees`; empty if it was not asked.
    """

    name: str
    kind: Kind
    claim: str
    sentence: str
    verdict: Verdict
    method: str
    reason: str = ""
    bounds: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    core: tuple[str, ...] = ()
    play: tuple[str, ...] = ()
    picture: Picture | None = None
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    confirmed: str = ""
    seconds: float = 0.0
    rlimit: int = 0
    queries: int = 0
    cached: bool = False
    place: tuple[str, int, int] | None = None  #: file, first and last character

    @property
    def alarm(self) -> bool:
        """Whether two accounts that must agree do not."""
        return self.confirmed == "disagrees"
