"""What can go wrong when a game is played: a small family of exceptions.

Reads:  nothing.   Writes: nothing; this file only names the mistakes.
After:  everything the engine raises at a caller's mistake, or at a mistake in the rules, is a `RulesGameError`.

    RulesGameError
        BadMove          the text or the arguments spell no move of the game
            UnknownAction    the game has no such action
        IllegalMove      a move of the game, but not allowed now; `refusals` says why
        Contradiction    the rules contradict themselves; `steps` says how they came to it
        BadState         a state that cannot be read, or that is not one of this game
        EngineLimit      not a mistake in the rules: this program cannot count or search that far
        BadTrace         a trace that cannot be read, or whose steps do not follow from one another
            StaleTrace       a trace of other rules than those loaded

No state is changed by a call that raises: states never change.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.semantics.step import Step

RefusalKind = Literal["stage", "requirement", "not asked", "weight"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason why a move is not allowed.

    kind     `stage`: not the time for it; `requirement`: it does not hold; `not asked`: it cannot be asked, because
             it speaks of something that an earlier reason says does not exist; `weight`: chance never does it
    says     the reason in words
    clauses  the clauses of the rulebook it rests on
    page     the page of the first of them, where the game's inventory knows it
    key      identity of the line in the rules
    """

    kind: RefusalKind
    says: str
    clauses: tuple[str, ...] = ()
    page: str | None = None
    key: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def clause(self) -> str | None:
        """The first clause, if the line cites any."""
        return self.clauses[0] if self.clauses else None

    def __str__(self) -> str:
        page = () if self.page is None else (f"p. {self.page}",)
        place = ", ".join((*self.clauses, *page))
        return f"{self.says} ({place})" if place else self.says


class RulesGameError(Exception):
    """Anything that goes wrong when a game is played."""


class BadMove(RulesGameError):
    """The text or the arguments spell no move of the game."""


class UnknownAction(BadMove):
    """The game has no action of that name."""


class IllegalMove(RulesGameError):
    """The move is not allowed now; `refusals` holds every reason."""

    def __init__(self, move: str, refusals: tuple[Refusal, ...]) -> None:
        self.move = move
        self.refusals = refusals
        super().__init__(f"`{move}` is not allowed: " + "; ".join(map(str, refusals)))


@dataclass(frozen=True, slots=True)
class Breach:
    """Where the rules contradict themselves: what is wrong, and the line that does it.

    key      identity of the line in the text, empty if no single line is to blame.
    """

    says: str
    key: str = ""
    clauses: tuple[str, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)


class Contradiction(RulesGameError):
    """The rules contradict themselves: a value leaves its range, a cell is set twice at once, nothing can happen.

    `steps` are the steps of the play that led here, as far as the caller recorded them; the last one could not be
    made.
    """

    def __init__(self, breach: Breach, steps: tuple[Step, ...] = ()) -> None:
        self.breach = breach
        self.steps = steps
        after = f" (after {', '.join(str(step) for step in steps)})" if steps else ""
        super().__init__(breach.says + after)


class EngineLimit(RulesGameError):
    """The rules allow it, but this program cannot count or search that far."""


#: After these a play cannot go on.
STOPS = (Contradiction, EngineLimit)


class BadState(RulesGameError):
    """The data is not a state of this game."""


class BadTrace(RulesGameError):
    """The data is not a trace, or its steps do not follow from one another."""


class StaleTrace(BadTrace):
    """The trace was recorded with other rules than those loaded."""
