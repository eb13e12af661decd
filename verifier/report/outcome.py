"""Outcome: everything that a run has found about one instance of a game, for whatever shows it.

Reads:  a loaded game and the results of proof, search and play.   Writes: an `Outcome`, as data if need be.
After:  every report shows the same entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ir import Game
from pilgrim_rules.loading import Loaded
from pilgrim_rules.source import SourceFile
from verifier.prove import Report
from verifier.report import gather
from verifier.report.claims import sheets
from verifier.report.entry import Entry, plain
from verifier.report.evidence import Evidence, Instance, instance_data

if TYPE_CHECKING:
    from verifier.explore.findings import Exploration
    from verifier.fuzz.report import CampaignReport

FINE = ("proved", "proved within limits", "tested", "caught")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found.

    sources      the text of the rules, by the name of the file.
    alarms       what is proved and yet shown to be false.
    interrupted  whether somebody stopped the run; what was settled before is here.
    """

    game: Game
    instance: Instance
    entries: tuple[Entry, ...]
    sources: Mapping[str, SourceFile]
    alarms: tuple[str, ...] = ()
    interrupted: bool = False

    def data(self) -> dict[str, Any]:
        """Return everything as plain data for programs: an instance of evidence, with the place of every claim."""
        return {
            "game": self.game.name,
            "interrupted": self.interrupted,
            **instance_data(self.instance),
            "records": [plain(entry, place=True) for entry in self.entries],
            "alarms": list(self.alarms),
        }

    def added_to(self, evidence: Evidence) -> Evidence:
        """Return the evidence of a game with what was found."""
        order = [
            name for sheet in sheets(self.game) for name in (sheet.name, *(each.name for each in sheet.obligations))
        ]
        return evidence.updated(self.instance, self.entries, Fingerprints(self.game).named(), order)


def outcome(
    loaded: Loaded,
    report: Report,
    searched: Exploration | None = None,
    played: CampaignReport | None = None,
    *,
    edition: str | None = None,
    map: str | None = None,  # noqa: A002  (the word users know)
    alarms: Iterable[str] = (),
) -> Outcome:
    """Return what a run has found; `edition` and `map` are files that were chosen instead of the usual ones."""
    game, sources = loaded.game, loaded.bag.sources
    entries = list(gather.of_proofs(game, report, sources))
    entries += [] if searched is None else gather.of_search(game, searched)
    entries += [] if played is None else gather.of_play(game, played)
    stopped = report.interrupted or (played is not None and played.interrupted)
    instance = Instance(game.players, chosen(game), Path(edition or "").name, Path(map or "").name)
    return Outcome(game, instance, tuple(entries), sources, tuple(alarms), stopped)


def chosen(game: Game) -> tuple[tuple[str, str], ...]:
    """Return each ruling of a game with the option it is played under."""
    codes = {each.name: each.values[0] - each.type.lo for each in game.constants if each.source == "ruling"}
    return tuple((ruling.name, ruling.options[codes[ruling.name]][0]) for ruling in game.rulings)
