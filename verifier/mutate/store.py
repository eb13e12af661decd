"""Store: judged mutants in a file, to be gone on with; and reasons that people give for survivors.

Reads:  JSON of this form; TOML of reasons.   Writes: JSON, all or nothing.
After:  an outcome is used again only if it would be the same: the rules are, and the example that spoke against the
        mutant. Survivors are judged again if there is any other example than before.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Game
from verifier.fuzz.store import playprint, write
from verifier.mutate.report import Outcome

FORMAT = "pilgrim-rules/mutants/1"


class BadReasons(Exception):
    """The file gives no reasons that can be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Texts:
    """What outcomes rest on: the rules with their claims, and each example by table and name."""

    rules: str
    examples: Mapping[str, str]

    @classmethod
    def of(cls, games: tuple[Game, ...]) -> Texts:
        """Return the fingerprints of a game for several numbers of players."""
        examples = {
            f"{game.players} {each.name}": prints.example(each.name)
            for game, prints in ((game, Fingerprints(game)) for game in games)
            for each in game.examples
        }
        return cls(sha256(repr([playprint(game) for game in games]).encode()).hexdigest(), examples)


def save(path: Path, texts: Texts, settings: str, outcomes: Mapping[str, Outcome]) -> None:
    """Write the outcomes."""
    data = {
        "format": FORMAT,
        "rules": texts.rules,
        "settings": settings,
        "examples": dict(texts.examples),
        "mutants": [each.to_json() for each in outcomes.values()],
    }
    write(path, data)


def load(path: Path, texts: Texts, settings: str) -> dict[str, Outcome]:
    """Return the outcomes that still stand, by name of the mutant."""
    try:
        data = json.loads(path.read_text("utf-8"))
        if (data["format"], data["rules"]) != (FORMAT, texts.rules):
            return {}
        before, same = dict(data["examples"]), data["settings"] == settings
        found = [Outcome.from_json(each) for each in data["mutants"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # a file of something else, or half of one: begin anew
    unchanged = same and before == dict(texts.examples)

    def stands(outcome: Outcome) -> bool:
        if outcome.example:
            name = f"{outcome.players} {outcome.example}"
            return name in before and before[name] == texts.examples.get(name)
        return outcome.fate in ("killed", "equivalent") or unchanged

    return {each.name: each for each in found if stands(each)}


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
    """Return what is told of a mutant by its name, or else by the first pattern that it matches."""
    return told.get(mutant) or next((text for pattern, text in told.items() if fnmatchcase(mutant, pattern)), "")


def reasons(path: Path | None) -> Reasons:
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
