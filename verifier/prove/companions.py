"""Companions: what a game has besides its rules: recorded plays, and the same game for other numbers of players.

Reads:  the folders `plays` and `proofs` next to the rules; the rules, for every number of players.   Writes: `Companions`.
After:  a recorded play is a suggestion: it shows what the engine sees when it makes the moves again, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pilgrim_rules.core.ir import Game
from pilgrim_rules.evidence.record import PROOFS, Record, Verdict
from pilgrim_rules.language import find_game, instances
from verifier.claims.obligations import obligations
from verifier.prove.hints import NO_HINTS
from verifier.prove.recipe_file import read_recipes
from verifier.prove.settings import ProofSettings
from verifier.prove.settle import Settler
from verifier.smt.strategy.recipes import Recipe


@dataclass(frozen=True, slots=True)
class Companions:
    """What there is: plays, as moves in words, by the name of the file; and a way to the game for other tables."""

    plays: tuple[tuple[str, tuple[str, ...]], ...] = ()
    others: Callable[[], Iterable[Game]] = tuple
    recipes: Mapping[str, Recipe] = field(default_factory=dict)


def companions_of(name: str | Path, game: Game) -> Companions:
    """Return what a game has beside it."""
    folder = find_game.find(name)[0].parent / find_game.PLAYS
    others = [players for players in game.seats if players != game.players]
    return Companions(
        tuple(_plays(folder, game)),
        lambda: (instances.with_players(game, players) for players in others),
        read_recipes(folder.parent),
    )


def _plays(folder: Path, game: Game) -> Iterator[tuple[str, tuple[str, ...]]]:
    for path in sorted(folder.glob("*.json")):
        from pilgrim_rules.api.trace import Record as Recorded  # noqa: PLC0415  (most games have no plays)

        record = Recorded.load(path)
        if record.instance["players"] == game.players and record.start is None:
            yield path.name, tuple(str(step.move) for step in record.steps)


def settle_for_other_players(
    records: Iterable[Record], game: Game, others: Iterable[Game], settings: ProofSettings
) -> tuple[Record, ...]:
    """Return the records; what never matters with this many players may matter with others, and then it is said so."""
    found = {record.name: record for record in records}
    idle = [name for name, record in found.items() if record.verdict is Verdict.VACUOUS]
    for other in others if idle else ():
        if not idle:
            break
        settler = Settler(other, replace(settings, confirm=False, keep_queries=False, plays=()))
        work = [each for each in obligations(other) if each.name in idle]
        settler.make_ready([(each, NO_HINTS) for each in work])
        for obligation in work:
            there = settler.settle(obligation).record
            if there.verdict in PROOFS:
                idle.remove(obligation.name)
                found[obligation.name] = _limited(found[obligation.name], there, game.players)
    return tuple(found.values())


def _limited(here: Record, there: Record, ours: int) -> Record:
    bounds = (*there.bounds, f"never with {ours} players: {here.reason}")
    return replace(there, verdict=Verdict.LIMITED, bounds=bounds, place=here.place, about=here.about)
