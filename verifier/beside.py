"""Beside: what a game has besides its rules: recorded plays, and the same game for other numbers of players.

Reads:  the folder `plays` next to the rules; the rules, for every number of players.   Writes: `Beside`.
After:  a recorded play is a suggestion: it shows what the engine sees when it makes the moves again, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pilgrim_rules import specs
from pilgrim_rules.core.ir import Game
from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.loading import read_game
from verifier.obligations import obligations
from verifier.session import Session
from verifier.settings import Settings
from verifier.standing import PROOFS
from verifier.verdict import Record, Verdict

FOLDER = "plays"
#: Nobody is asked to sit down with more players than this.
MOST_PLAYERS = 12


@dataclass(frozen=True, slots=True)
class Beside:
    """What there is: plays, as moves in words, by the name of the file; and a way to the game for other tables."""

    plays: tuple[tuple[str, tuple[str, ...]], ...] = ()
    others: Callable[[], Iterable[Game]] = tuple


def beside(name: str | Path, game: Game, words: dict[str, Any] | None = None) -> Beside:
    """Return what a game has beside it; `words` are those it was loaded with."""
    folders = sorted({path.parent / FOLDER for path in specs.find(name) if (path.parent / FOLDER).is_dir()})
    return Beside(tuple(_plays(folders, game)), lambda: _others(name, game, words or {}))


def _plays(folders: Iterable[Path], game: Game) -> Iterator[tuple[str, tuple[str, ...]]]:
    for path in (path for folder in folders for path in sorted(folder.glob("*.json"))):
        from pilgrim_rules.engine.record import Record as Recorded  # noqa: PLC0415  (most games have no plays)

        record = Recorded.load(path)
        if record.instance["players"] == game.players and record.start is None:
            yield path.name, tuple(str(step.move) for step in record.steps)


def _others(name: str | Path, game: Game, words: dict[str, Any]) -> Iterator[Game]:
    """Yield the game for every other number of players that it allows."""
    for players in range(1, MOST_PLAYERS + 1):
        if players != game.players:
            try:
                yield read_game(name, **{**words, "players": players})
            except RulesError:
                continue  # so many do not fit at the table


def elsewhere(records: Iterable[Record], game: Game, others: Iterable[Game], settings: Settings) -> tuple[Record, ...]:
    """Return the records; what never matters with this many players may matter with others, and then it is said so."""
    found = {record.name: record for record in records}
    idle = [name for name, record in found.items() if record.verdict is Verdict.VACUOUS]
    for other in others if idle else ():
        session = Session(other, replace(settings, confirm=False, keep_queries=False, plays=()))
        for obligation in obligations(other):
            if obligation.name in idle:
                there = session.settle(obligation).record
                if there.verdict in PROOFS:
                    idle.remove(obligation.name)
                    found[obligation.name] = _limited(found[obligation.name], there, game.players)
    return tuple(found.values())


def _limited(here: Record, there: Record, ours: int) -> Record:
    bounds = (*there.bounds, f"never with {ours} players: {here.reason}")
    return replace(there, verdict=Verdict.LIMITED, bounds=bounds, place=here.place, fingerprints=here.fingerprints)
