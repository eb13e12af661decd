"""Report: what became of the mutants of a game, as data, and as a file to continue from.

Reads:  outcomes; JSON of this form; TOML with reasons that people give for survivors.   Writes: scores and tables; JSON files.
After:  equivalent mutants count for nothing: nobody can notice them. An outcome is used again only if it would be the same:
        the rules are, and the example that spoke against the mutant. Survivors are judged again if there is any other
        example than before.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from typing import Any

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Game
from pilgrim_rules.evidence import mutant_results
from pilgrim_rules.evidence.mutant_results import Fate, MutantResult
from pilgrim_rules.util.atomic_write import write_json
from verifier.fuzz.report import play_fingerprint


@dataclass(frozen=True, slots=True)
class MutationReport:
    """What became of all mutants that were tried.

    possible     mistakes that can be made in the game; what was tried may be a sample of them.
    interrupted  whether somebody stopped it.
    """

    game: str
    outcomes: tuple[MutantResult, ...]
    possible: int
    seconds: float
    interrupted: bool
    fingerprint: str = ""
    seed: int = 0

    def with_fate(self, *fates: Fate) -> tuple[MutantResult, ...]:
        """Return the mutants of some fates."""
        return tuple(each for each in self.outcomes if each.fate in fates)

    @property
    def score(self) -> float:
        """The share of the mutants that were noticed, of those that can be; 1 if there are none."""
        return _share(len(self.with_fate("killed")), len(self.with_fate("recorded", "survived")))

    @property
    def score_with_records(self) -> float:
        """The same, if it counts as noticed that recorded games come out otherwise."""
        return _share(len(self.with_fate("killed", "recorded")), len(self.with_fate("survived")))

    def by_detector(self) -> dict[str, int]:
        """Return how many mutants each detector was the first to notice."""
        return dict(Counter(each.by for each in self.with_fate("killed", "recorded")).most_common())

    def by_clause(self) -> dict[str, tuple[int, int]]:
        """Return for each clause how many mutants of its lines were killed and how many were not."""
        return self._counted(lambda each: each.clauses or ("",))

    def by_kind(self) -> dict[str, tuple[int, int]]:
        """Return for each kind of mistake how many were killed and how many were not."""
        return self._counted(lambda each: (each.kind,))

    def _counted(self, names: Callable[[MutantResult], tuple[str, ...]]) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for each in self.outcomes:
            if each.fate != "equivalent":
                for name in names(each):
                    killed, survived = found.get(name, (0, 0))
                    found[name] = (killed + (each.fate == "killed"), survived + (each.fate != "killed"))
        return dict(sorted(found.items()))

    def data(self) -> dict[str, Any]:
        """Return the report as plain data, as `pilgrim_rules.evidence.mutant_results` reads it."""
        return {
            "format": mutant_results.FORMAT,
            "game": self.game,
            "rules": self.fingerprint,
            "seed": self.seed,
            "possible": self.possible,
            "tried": len(self.outcomes),
            "interrupted": self.interrupted,
            "score": round(self.score, 4),
            "score_with_recorded_games": round(self.score_with_records, 4),
            "fates": dict(Counter(each.fate for each in self.outcomes)),
            "killers": self.by_detector(),
            "kinds": {name: list(counts) for name, counts in self.by_kind().items()},
            "clauses": {name: list(counts) for name, counts in self.by_clause().items()},
            "mutants": [each.to_data() for each in self.outcomes],
        }


def _share(part: int, rest: int) -> float:
    return part / (part + rest) if part + rest else 1.0


FORMAT = "pilgrim-rules/judged-mutants/2"


class BadReasons(Exception):
    """The file gives no reasons that can be read; the message says why."""


@dataclass(frozen=True, slots=True)
class OutcomeBasis:
    """What outcomes rest on: the rules with their claims, and each example by table and name."""

    rules: str
    examples: Mapping[str, str]

    @classmethod
    def from_games(cls, games: tuple[Game, ...]) -> OutcomeBasis:
        """Return the fingerprints of a game for several numbers of players."""
        examples = {
            f"{game.players} {each.name}": prints.example(each.name)
            for game, prints in ((game, Fingerprints(game)) for game in games)
            for each in game.examples
        }
        return cls(sha256(repr([play_fingerprint(game) for game in games]).encode()).hexdigest(), examples)


def save_outcomes(path: Path, texts: OutcomeBasis, settings: str, outcomes: Mapping[str, MutantResult]) -> None:
    """Write the outcomes."""
    data = {
        "format": FORMAT,
        "rules": texts.rules,
        "settings": settings,
        "examples": dict(texts.examples),
        "mutants": [each.to_data() for each in outcomes.values()],
    }
    write_json(path, data)


def load_outcomes(path: Path, texts: OutcomeBasis, settings: str) -> dict[str, MutantResult]:
    """Return the outcomes that still stand, by name of the mutant."""
    try:
        data = json.loads(path.read_text("utf-8"))
        if (data["format"], data["rules"]) != (FORMAT, texts.rules):
            return {}
        before, same = dict(data["examples"]), data["settings"] == settings
        found = [MutantResult.from_data(each) for each in data["mutants"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # a file of something else, or half of one: start again
    unchanged = same and before == dict(texts.examples)

    def still_valid(outcome: MutantResult) -> bool:
        if outcome.example:
            name = f"{outcome.players} {outcome.example}"
            return name in before and before[name] == texts.examples.get(name)
        return outcome.fate in ("killed", "equivalent") or unchanged

    return {each.name: each for each in found if still_valid(each)}


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why mutants may survive, by name or by a pattern of names: those that are the same game, and others."""

    equivalent: Mapping[str, str]
    explained: Mapping[str, str]

    def why_equivalent(self, mutant: str) -> str:
        """Return why a mutant is said to be the same game; nothing if it is not."""
        return _matching(self.equivalent, mutant)

    def why(self, mutant: str) -> str:
        """Return why another survivor may live; nothing if nobody says."""
        return _matching(self.explained, mutant)


def _matching(told: Mapping[str, str], mutant: str) -> str:
    """Return what is said of a mutant by its name, or else by the first pattern that it matches."""
    return told.get(mutant) or next((text for pattern, text in told.items() if fnmatchcase(mutant, pattern)), "")


def read_reasons(path: Path | None) -> Reasons:
    """Return the reasons in a TOML file with the tables `equivalent` and `explained`; none without a file."""
    if path is None:
        return Reasons({}, {})
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as problem:
        raise BadReasons(f"`{path}` cannot be read: {problem.strerror}") from None
    except ValueError as problem:  # not UTF-8, or not TOML
        raise BadReasons(f"`{path}` is damaged: {problem}") from None
    tables = {name: data.pop(name, {}) for name in ("equivalent", "explained")}
    sound = all(
        isinstance(each, dict) and all(isinstance(text, str) for text in each.values()) for each in tables.values()
    )
    if data or not sound:
        raise BadReasons(f"`{path}` gives reasons in other tables than `equivalent` and `explained`, or not as texts")
    return Reasons(tables["equivalent"], tables["explained"])
