"""Report: which mistakes were noticed, by what, and which were not.

Reads:  outcomes.   Writes: `MutationReport`: a score, and the survivors by clause.
After:  a mutant that is the same game as the original counts neither as killed nor as survived.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal, TypeAlias

from verifier.mutate.mutants import MutantKind

Fate: TypeAlias = Literal["killed", "survived", "equivalent"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutant.

    by      what killed it: `examples`, `exploration`, `play`, or the name of a killer from outside.
    says    what was noticed; for a survivor where it differs from the original, if that is known; why it is equivalent.
    play    for a survivor, a shortest play after which it differs.
    """

    name: str
    kind: MutantKind
    key: str
    words: str
    clauses: tuple[str, ...]
    fate: Fate
    by: str = ""
    says: str = ""
    play: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class MutationReport:
    """What became of all mutants that were tried.

    possible     mistakes that can be made in the game; `tried` may be a sample of them.
    interrupted  whether somebody stopped it.
    """

    game: str
    outcomes: tuple[Outcome, ...]
    possible: int
    seconds: float
    interrupted: bool

    def of(self, fate: Fate) -> tuple[Outcome, ...]:
        """Return the mutants of a fate."""
        return tuple(each for each in self.outcomes if each.fate == fate)

    @property
    def score(self) -> float:
        """The share of the mutants that were noticed, of those that can be; 1 if there are none."""
        killed, survived = len(self.of("killed")), len(self.of("survived"))
        return killed / (killed + survived) if killed + survived else 1.0

    def by_killer(self) -> dict[str, int]:
        """Return how many mutants each killer was the first to notice."""
        return dict(Counter(each.by for each in self.of("killed")).most_common())

    def by_clause(self) -> dict[str, tuple[int, int]]:
        """Return for each clause how many mutants of its lines were killed and how many survived."""
        found: dict[str, tuple[int, int]] = {}
        for each in self.outcomes:
            if each.fate != "equivalent":
                for clause in each.clauses or ("",):
                    killed, survived = found.get(clause, (0, 0))
                    found[clause] = (killed + (each.fate == "killed"), survived + (each.fate == "survived"))
        return dict(sorted(found.items()))
