"""Report: which mistakes were noticed, by what, and which were not.

Reads:  outcomes.   Writes: `MutationReport`: a score, the survivors by clause, and all of it as plain data.
After:  a mutant that is the same game as the original counts neither as killed nor as survived; one that only differs
        from recorded games counts as killed only where that is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, TypeAlias

from verifier.mutate.mutants import MutantKind

#: `recorded`: no example, claim or proof speaks against it, but recorded games come out otherwise.
Fate: TypeAlias = Literal["killed", "recorded", "survived", "equivalent"]
LISTS = ("clauses", "play", "claims")
NUMBERS = ("players", "seconds")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutant.

    by       what killed it: `examples`, `exploration`, `play`, `recorded games`, or the name of a killer from outside.
    says     what was noticed; for a survivor where it differs from the original, if that is known; why it is equivalent.
    play     moves after which it shows, from the start or from what the example arranges.
    example  that no longer comes out as written, or in whose position the play begins.
    players  at which table.                     reason   why a survivor is let live, in somebody's words.
    claims   of the author that are broken.
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
    example: str = ""
    players: int = 0
    seconds: float = 0.0
    reason: str = ""
    claims: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as plain data; what is empty is left out."""
        data = {
            **asdict(self),
            "seconds": round(self.seconds, 2),
            "clauses": list(self.clauses),
            "play": list(self.play),
            "claims": list(self.claims),
        }
        return {name: value for name, value in data.items() if value or name == "clauses"}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Outcome:
        """Return the outcome that plain data describe; TypeError or ValueError if they describe none."""
        known = {each.name for each in fields(cls)}
        words: dict[str, Any] = {name: data[name] for name in known & data.keys()}
        made = cls(**{**words, **{name: tuple(words[name]) for name in LISTS if name in words}})
        texts = [value for name, value in words.items() if name not in (*LISTS, *NUMBERS)]
        texts += [text for name in LISTS for text in getattr(made, name)]
        numbers = [getattr(made, name) for name in NUMBERS]
        if not all(isinstance(text, str) for text in texts) or not all(isinstance(n, int | float) for n in numbers):
            raise ValueError("an outcome has texts and numbers only")
        return made


@dataclass(frozen=True, slots=True)
class MutationReport:
    """What became of all mutants that were tried.

    possible     mistakes that can be made in the game; what was tried may be a sample of them.
    interrupted  whether somebody stopped it.
    """

    game: str
    outcomes: tuple[Outcome, ...]
    possible: int
    seconds: float
    interrupted: bool
    fingerprint: str = ""
    seed: int = 0

    def of(self, *fates: Fate) -> tuple[Outcome, ...]:
        """Return the mutants of some fates."""
        return tuple(each for each in self.outcomes if each.fate in fates)

    @property
    def score(self) -> float:
        """The share of the mutants that were noticed, of those that can be; 1 if there are none."""
        return _share(len(self.of("killed")), len(self.of("recorded", "survived")))

    @property
    def score_with_records(self) -> float:
        """The same, if it counts as noticed that recorded games come out otherwise."""
        return _share(len(self.of("killed", "recorded")), len(self.of("survived")))

    def by_killer(self) -> dict[str, int]:
        """Return how many mutants each killer was the first to notice."""
        return dict(Counter(each.by for each in self.of("killed", "recorded")).most_common())

    def by_clause(self) -> dict[str, tuple[int, int]]:
        """Return for each clause how many mutants of its lines were killed and how many were not."""
        return self._counted(lambda each: each.clauses or ("",))

    def by_kind(self) -> dict[str, tuple[int, int]]:
        """Return for each kind of mistake how many were killed and how many were not."""
        return self._counted(lambda each: (each.kind,))

    def _counted(self, names: Callable[[Outcome], tuple[str, ...]]) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for each in self.outcomes:
            if each.fate != "equivalent":
                for name in names(each):
                    killed, survived = found.get(name, (0, 0))
                    found[name] = (killed + (each.fate == "killed"), survived + (each.fate != "killed"))
        return dict(sorted(found.items()))

    def data(self) -> dict[str, Any]:
        """Return the report as plain data; `mutants.schema.json` beside this module describes it."""
        return {
            "game": self.game,
            "rules": self.fingerprint,
            "seed": self.seed,
            "possible": self.possible,
            "tried": len(self.outcomes),
            "interrupted": self.interrupted,
            "score": round(self.score, 4),
            "score_with_recorded_games": round(self.score_with_records, 4),
            "fates": dict(Counter(each.fate for each in self.outcomes)),
            "killers": self.by_killer(),
            "kinds": {name: list(counts) for name, counts in self.by_kind().items()},
            "clauses": {name: list(counts) for name, counts in self.by_clause().items()},
            "mutants": [each.to_json() for each in self.outcomes],
        }


def _share(part: int, rest: int) -> float:
    return part / (part + rest) if part + rest else 1.0
