"""Search result: what a search of all states has to say.

Reads:  nothing.   Writes: nothing; this file only says what a result can contain.
After:  `closed` is the only word for a search that has seen everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pilgrim_rules.core.ir import ActionKind
from pilgrim_rules.semantics.state_layout import Position

FindingKind: TypeAlias = Literal[
    "invariant", "conserved", "audit", "to move", "step", "terminates", "contradiction", "dead end", "two autos", "no policy",
    "no_leak", "sight",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayStep:
    """One step of a play. Steps that are not an `action` happen without a player's decision."""

    text: str
    kind: ActionKind


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong, with a shortest play that shows it. `times`: in how many states, or steps.

    action   of the last step of the play, if there is one.     stage   in which the play ends.
    """

    kind: FindingKind
    name: str
    says: str
    times: int
    play: tuple[PlayStep, ...]
    position: Position  #: after the play; for a contradiction, before its last step
    action: str | None
    stage: str

    @property
    def moves(self) -> list[str]:
        """The play as text, steps without a decision included."""
        return [step.text for step in self.play]


@dataclass(frozen=True, slots=True)
class Witness:
    """A shortest play to a state that somebody claims to be reachable."""

    name: str
    play: tuple[PlayStep, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Exploration:
    """The result of a search of all states.

    depth       levels of the search, the start being the first; so a longest shortest play has one move less.
    finished    states in which the game is over.
    closed      every reachable state has been visited: what holds in all of them is proved for this instance.
    reason      why the search ended before that, else None.
    actions     steps by action; one that never happens in a closed search is impossible.
    unreached   claims of reachability not met; refuted if the search is closed.
    levels      states by level.
    evaluated   actions and claims done by the evaluator, state by state, because there is no vectorised code for them.
    """

    game: str
    states: int
    transitions: int
    depth: int
    finished: int
    closed: bool
    reason: str | None
    findings: tuple[Finding, ...]
    witnesses: tuple[Witness, ...]
    unreached: tuple[str, ...]
    actions: Mapping[str, int]
    levels: tuple[int, ...]
    evaluated: tuple[str, ...]
    bytes: int
    seconds: float
    audited: bool = False  #: whether audits were asked, too
    stand_for: int | None = None  #: how many states those that were visited stand for, by symmetry; None: themselves
    compared: bool = False  #: whether states that look alike to somebody were compared, too

    @property
    def verdict(self) -> Literal["closed", "not settled"]:
        """Whether the search has seen every reachable state."""
        return "closed" if self.closed else "not settled"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come, told after each level."""

    depth: int
    states: int
    transitions: int
    frontier: int
    seconds: float
