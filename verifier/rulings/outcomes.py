"""Outcomes: by how much an option of a ruling changes the end of whole games.

Reads:  a game under its own rulings and under another option, a policy, a seed.   Writes: `OutcomeChange` records, and their file.
After:  game number k has the same seed under both readings, and in each the players choose among the moves that this reading
        allows. What is told is a mean with half the width of its 95 % confidence interval, so noise is not taken for an effect.

Equal seeds make the games equal until the readings part. From then on they are other games; so the interval is that of the
differences, game by game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pilgrim_rules.api.game import Game
from pilgrim_rules.api.playouts import Playouts
from pilgrim_rules.util import atomic_write
from verifier.rulings.measured_store import play_fingerprint_of

FORMAT = "pilgrim-rules/outcomes/1"
OUTCOMES = "outcomes.json"
#: Standard errors on either side of a mean that 95 of 100 intervals reach.
WIDTH = 1.96
#: Decisions after which a game counts as one that does not end.
LONGEST = 20_000

Data: TypeAlias = dict[str, Any]
Numbers: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and half the width of its confidence interval."""

    mean: float
    error: float

    @property
    def at_least(self) -> float:
        """How far from zero the mean is even at the near end of the interval."""
        return max(0.0, abs(self.mean) - self.error)

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.error:.2f}"


@dataclass(frozen=True, slots=True)
class OutcomeChange:
    """How games end under an option, compared with the rulings that hold.

    games         games that came to their end under both readings
    unfinished    games that did so under only one of them, or neither
    points        the change of each player's points
    lead          the change of the best player's lead over the next; None if there is only one player
    other_winner  the share of games that somebody else wins
    """

    ruling: str
    option: str
    games: int
    unfinished: int
    points: dict[str, Estimate]
    lead: Estimate | None
    other_winner: Estimate

    @property
    def swing(self) -> Estimate:
        """The change of that player's points that is surest to be large."""
        return max(self.points.values(), key=lambda each: (each.at_least, abs(each.mean)))


def play_out(game: Game, games: int, policy: str, seed: int) -> Playouts:
    """Return whole games of a reading."""
    return game.playouts(games, seed=seed, policy=policy, longest=LONGEST)


def outcome_change(ruling: str, option: str, ours: Playouts, theirs: Playouts) -> OutcomeChange:
    """Return how games with the same seeds end under two readings."""
    ended = ours.over & theirs.over
    here, there = ours.scores[ended], theirs.scores[ended]
    changed = (ours.winners[ended] != theirs.winners[ended]).any(axis=1)
    return OutcomeChange(
        ruling,
        option,
        int(ended.sum()),
        int((~ended).sum()),
        {player: _estimate(there[:, at] - here[:, at]) for at, player in enumerate(ours.players)},
        _estimate(_lead(there) - _lead(here)) if len(ours.players) > 1 else None,
        _estimate(changed.astype(np.float64)),
    )


def by_swing(found: Iterable[OutcomeChange]) -> list[OutcomeChange]:
    """Return what was measured, the surest large change of points first."""
    return sorted(found, key=lambda each: (-each.swing.at_least, -each.other_winner.mean, each.ruling, each.option))


def _lead(scores: Numbers) -> Numbers:
    """Return by how much the best player of each game is ahead."""
    ordered: Numbers = np.sort(scores, axis=1)
    return ordered[:, -1] - ordered[:, -2]


def _estimate(values: Numbers) -> Estimate:
    """Return the mean of independent values; of fewer than two nothing is known."""
    if len(values) <= 1:
        return Estimate(float(values.mean()) if len(values) else 0.0, float("inf"))
    return Estimate(float(values.mean()), WIDTH * float(values.std(ddof=1)) / len(values) ** 0.5)


# ----------------------------------------------------------------------------------------------------------------- file


def write_outcomes(
    folder: Path, game: Game, found: Sequence[OutcomeChange], *, games: int, policy: str, seed: int
) -> Path:
    """Write what was measured; what was measured before in the same way, for options that were not measured now, stays."""
    how: Data = {
        "format": FORMAT,
        "game": game.instance,
        "rules": play_fingerprint_of(game.core),
        "policy": policy,
        "seed": seed,
        "games": games,
    }
    path = folder / OUTCOMES
    known = {(each["ruling"], each["option"]): each for each in _known(path, how)}
    known |= {(each.ruling, each.option): _row(each) for each in found}
    every = [(ruling.name, option) for ruling in game.core.rulings for option, _ in ruling.options]
    folder.mkdir(parents=True, exist_ok=True)
    rows = ",\n".join(f"  {json.dumps(known[each])}" for each in every if each in known)
    head = json.dumps(how, indent=1, ensure_ascii=False).removesuffix("\n}")
    atomic_write.write(path, f'{head},\n "options": [\n{rows}\n ]\n}}\n')
    return path


def _known(path: Path, how: Data) -> list[Data]:
    try:
        data = json.loads(path.read_bytes())
        return list(data["options"]) if all(data[key] == value for key, value in how.items()) else []
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _row(each: OutcomeChange) -> Data:
    row = asdict(each)
    row["points"] = {player: _pair(one) for player, one in each.points.items()}
    row["lead"] = None if each.lead is None else _pair(each.lead)
    row["other_winner"] = _pair(each.other_winner)
    row["swing"] = _pair(each.swing)
    return row


def _pair(each: Estimate) -> list[float | None]:
    """Return a mean and its error as a file has them; an error that is not known is null."""
    return [round(each.mean, 4), round(each.error, 4) if np.isfinite(each.error) else None]
