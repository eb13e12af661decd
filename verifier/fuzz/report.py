"""Report: what a campaign of random play has found, as data that adds up, and as a file to continue from.

Reads:  games that were played; JSON.   Writes: `Tally`, the part of a campaign that can be saved, merged and continued;
        `CampaignReport`, what the caller gets; JSON files, complete at every moment.
After:  `Tally.from_json(tally.to_json()) == tally`. A file that cannot be read, or belongs to other rules or another seed, is
        not continued.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Game
from pilgrim_rules.util import atomic_write
from verifier.fuzz.bulk import BulkCounts
from verifier.fuzz.failure import FuzzFailure
from verifier.fuzz.play_coverage import PlayCoverage, requirements
from verifier.fuzz.player import FuzzedGame

SUMS = ("games", "over", "steps", "choices", "options")
COUNTS = (*SUMS, "next", "longest", "widest")


@dataclass(slots=True)
class Tally:
    """Counts over the games played so far, and what is wrong, by name.

    next      the number of the next game.
    over      games that reached their end.       steps    all steps, chance and autos included.
    choices   states with more than one option.   options  options in these, all together.
    rulings   games by `ruling = option`.         times    how often each failure showed.
    """

    games: int = 0
    over: int = 0
    steps: int = 0
    choices: int = 0
    options: int = 0
    next: int = 0
    longest: int = 0
    widest: int = 0
    rulings: Counter[str] = field(default_factory=Counter)
    times: Counter[str] = field(default_factory=Counter)
    failures: dict[str, FuzzFailure] = field(default_factory=dict)
    coverage: PlayCoverage = field(default_factory=PlayCoverage)

    def count(self, played: FuzzedGame) -> None:
        """Count a game; its coverage has been counted while it was played."""
        self.games += 1
        self.over += played.over
        self.steps += len(played.play)
        self.choices += played.choices
        self.options += played.options
        self.longest = max(self.longest, len(played.play))
        self.widest = max(self.widest, played.most)

    def count_bulk(self, counts: BulkCounts) -> None:
        """Count games that were played natively; in how many states there was a choice is not known of them."""
        self.games += counts.games
        self.over += counts.over
        self.steps += counts.steps
        self.longest = max(self.longest, counts.longest)

    def merge(self, other: Tally) -> None:
        """Add what another part of the campaign has found; of two plays that show the same, the shorter is kept."""
        for name in SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.next = max(self.next, other.next)
        self.longest = max(self.longest, other.longest)
        self.widest = max(self.widest, other.widest)
        self.rulings.update(other.rulings)
        self.times.update(other.times)
        self.coverage.merge(other.coverage)
        for name, failure in other.failures.items():
            self.keep(name, failure)

    def keep(self, name: str, failure: FuzzFailure) -> None:
        """Keep a failure unless a shorter play shows the same."""
        known = self.failures.get(name)
        if known is None or len(failure.moves) < len(known.moves):
            self.failures[name] = failure

    def to_json(self) -> dict[str, Any]:
        """Return the tally as plain data."""
        failures = {
            name: {
                "name": each.name, "says": each.says, "moves": list(each.moves), "example": each.example,
                "trace": each.trace,
            }
            for name, each in sorted(self.failures.items())
        }  # fmt: skip
        counts = {name: getattr(self, name) for name in COUNTS}
        tables = {"rulings": dict(sorted(self.rulings.items())), "times": dict(sorted(self.times.items()))}
        return {**counts, **tables, "failures": failures, "coverage": self.coverage.to_json()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Tally:
        """Return the tally that plain data describe."""
        failures = {
            name: FuzzFailure(each["name"], each["says"], tuple(each["moves"]), each["example"], each["trace"])
            for name, each in data["failures"].items()
        }
        found = cls(failures=failures, coverage=PlayCoverage.from_json(data["coverage"]))
        found.rulings.update(data["rulings"])
        found.times.update(data["times"])
        for name in COUNTS:
            setattr(found, name, int(data[name]))
        return found


@dataclass(frozen=True, slots=True)
class CampaignReport:
    """What a campaign has found.

    seed         it was started with.
    seconds      of this run; a campaign that was gone on with has had others.
    interrupted  whether somebody stopped it.
    """

    game: str
    fingerprint: str
    seed: int
    tally: Tally
    seconds: float
    interrupted: bool
    never_made: tuple[str, ...]
    never_refused: tuple[str, ...]
    never_run: tuple[str, ...]

    @property
    def failures(self) -> tuple[FuzzFailure, ...]:
        """Everything that is wrong, by name."""
        return tuple(self.tally.failures[name] for name in sorted(self.tally.failures))

    @property
    def mean_length(self) -> float:
        """Steps of a game."""
        return self.tally.steps / self.tally.games if self.tally.games else 0.0

    @property
    def branching(self) -> float:
        """Options of a state in which there is a choice."""
        return self.tally.options / self.tally.choices if self.tally.choices else 0.0

    def by_requirement(self, game: Game) -> dict[str, tuple[int, int, int]]:
        """Return for each requirement how often it was met, refused a move, and refused it alone."""
        coverage, found = self.tally.coverage, dict[str, tuple[int, int, int]]()
        met: Counter[str] = Counter(coverage.allowed)
        for action in game.actions:
            for key in requirements(action):
                met[key] += coverage.actions[action.name]
        for action in game.actions:
            for key in requirements(action):
                found[key] = (met[key], coverage.refused[key], coverage.alone[key])
        return found


def report(
    game: Game, fingerprint: str, seed: int, tally: Tally, seconds: float, *, interrupted: bool
) -> CampaignReport:
    """Return the report of a campaign."""
    coverage = tally.coverage
    return CampaignReport(
        game.name, fingerprint, seed, tally, seconds, interrupted,
        coverage.never_made(game), coverage.never_refused(game), coverage.never_run(game),
    )  # fmt: skip


FORMAT = "pilgrim-rules/campaign/1"


def play_fingerprint(game: Game) -> str:
    """Return the fingerprint of what random play depends on: the rules and their claims, not the examples."""
    prints = Fingerprints(game)
    claims = [prints.claim(claim.name) for claim in game.claims] + [prints.ranking(each.name) for each in game.rankings]
    return sha256(repr((prints.rules, claims)).encode()).hexdigest()


def save_campaign(path: Path, fingerprint: str, seed: int, tally: Tally) -> None:
    """Write a campaign."""
    atomic_write.write_json(path, {"format": FORMAT, "rules": fingerprint, "seed": seed, "tally": tally.to_json()})


def load_campaign(path: Path, fingerprint: str, seed: int) -> Tally:
    """Return the campaign in the file, or an empty one if there is none of these rules and this seed."""
    try:
        data = json.loads(path.read_text("utf-8"))
        if (data["format"], data["rules"], data["seed"]) == (FORMAT, fingerprint, seed):
            return Tally.from_json(data["tally"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass  # a file of something else, or half of one: start again
    return Tally()
