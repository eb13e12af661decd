"""RunResult: everything that a run has found about one instance of a game, for whatever shows it.

Reads:  a loaded game and the results of proof, search and play.   Writes: a `RunResult`, as data if need be.
After:  every report shows the same records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pilgrim_rules.core.fingerprint import fingerprints_of
from pilgrim_rules.core.ir import Game
from pilgrim_rules.core.rulings import chosen_options, chosen_rulings
from pilgrim_rules.diagnostics.source import SourceFile
from pilgrim_rules.evidence.dependencies import rests_on
from pilgrim_rules.evidence.files import Evidence, Instance
from pilgrim_rules.evidence.record import PROOFS, Record, to_data
from pilgrim_rules.language.load import Loaded
from verifier.prove.run import Report
from verifier.report import gather
from verifier.report.claim_groups import claim_groups

if TYPE_CHECKING:
    from verifier.explore.search_result import Exploration
    from verifier.fuzz.report import CampaignReport


@dataclass(frozen=True, slots=True)
class RunResult:
    """What was found.

    sources      the text of the rules, by the name of the file.
    alarms       what is proved and yet shown to be false.
    interrupted  whether somebody stopped the run; what was settled before is here.
    """

    game: Game
    instance: Instance
    records: tuple[Record, ...]
    sources: Mapping[str, SourceFile]
    alarms: tuple[str, ...] = ()
    interrupted: bool = False

    def data(self) -> dict[str, Any]:
        """Return everything as plain data for programs, with the place of every claim and what each proof rests on."""
        instance = self.instance
        files = {name: text for name, text in (("edition", instance.edition), ("map", instance.map)) if text}
        return {
            "game": self.game.name,
            "interrupted": self.interrupted,
            "players": instance.players,
            "rulings": dict(instance.rulings),
            "options": dict(instance.options),
            **files,
            "records": [_record_data(record) for record in self.records],
            "alarms": list(self.alarms),
        }

    def added_to(self, evidence: Evidence) -> Evidence:
        """Return the evidence of a game with what was found."""
        order = [
            name
            for group in claim_groups(self.game)
            for name in (group.name, *(each.name for each in group.obligations))
        ]
        return evidence.updated(self.instance, self.records, fingerprints_of(self.game).named(), order)


def run_result(
    loaded: Loaded,
    report: Report,
    searched: Exploration | None = None,
    played: CampaignReport | None = None,
    *,
    edition: str | None = None,
    map: str | None = None,  # noqa: A002  (the word users know)
    alarms: Iterable[str] = (),
) -> RunResult:
    """Return what a run has found; `edition` and `map` are files that were chosen instead of the usual ones."""
    game, sources = loaded.game, loaded.bag.sources
    records = list(gather.records_of_proofs(game, report, sources))
    records += [] if searched is None else gather.records_of_search(game, searched)
    records += [] if played is None else gather.records_of_play(game, played)
    stopped = report.interrupted or (played is not None and played.interrupted)
    files = Path(edition or "").name, Path(map or "").name
    instance = Instance(game.players, chosen_rulings(game), *files, chosen_options(game))
    return RunResult(game, instance, tuple(records), sources, tuple(alarms), stopped)


def _record_data(record: Record) -> dict[str, Any]:
    """Return a record as programs get it; whole states are left to the pages that show them."""
    made = to_data(replace(record, picture=None))
    rests, place = rests_on(record), record.place
    made |= {"rests_on": list(rests)} if rests and record.verdict in PROOFS else {}
    return made | ({} if place is None else {"place": asdict(place)})
