"""Staleness: how much of the evidence of a game still counts, for the instances that pages show.

Reads:  evidence, the current rules, and the names of what is to be proved of them.   Writes: a `Staleness` a game.
After:  a record is stale if the text it speaks of has changed; it is of other code if the prover has. Both are counted.
        Named are the numbers of players that nobody has looked at, and of the others what has no record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Game
from pilgrim_rules.evidence.deciding_code import CODE, deciding_code
from pilgrim_rules.evidence.files import Evidence


@dataclass(frozen=True, slots=True)
class Staleness:
    """What is the matter with the evidence of a game."""

    game: str
    records: int
    stale: int
    other_code: int
    without: tuple[int, ...]  #: numbers of players of which there is no evidence
    missing: tuple[str, ...]  #: obligations without a record, for numbers of players of which there is evidence

    def told(self) -> str:
        """Return it in a line."""
        parts = [f"{self.stale:,} stale"] if self.stale else []
        parts += [f"{self.other_code:,} of another version of the prover"] if self.other_code else []
        parts += [f"none for {count} player{'s' * (count != 1)}" for count in self.without]
        parts += [f"{len(self.missing):,} missing, such as `{self.missing[0]}`"] if self.missing else []
        return f"{self.game}: {self.records:,} records, {', '.join(parts) or 'all current'}"


def staleness(
    evidence: Evidence, games: tuple[Game, ...], obligation_names: Callable[[Game], Iterable[str]]
) -> Staleness:
    """Judge evidence by the current rules: the game for each number of players, read by default."""
    records = stale = other = 0
    without, missing = [], []
    for game in games:
        usual = {ruling.name: ruling.default for ruling in game.decisions}
        named = Fingerprints(game).named()
        found = [
            record
            for instance, kept in evidence.instances.items()
            if instance.players == game.players
            and not (instance.edition or instance.map)
            and {**dict(instance.rulings), **dict(instance.options)} == usual
            for record in kept
        ]
        if found:
            names = {record.name for record in found}
            missing += [name for name in obligation_names(game) if name not in names]
        else:
            without.append(game.players)
        records += len(found)
        stale += sum(not record.is_fresh(named) for record in found)
        other += sum(record.tools.get(CODE) != deciding_code() for record in found)
    return Staleness(evidence.game, records, stale, other, tuple(without), tuple(missing))
