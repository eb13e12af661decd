"""The figures of games: what their texts have, and what is recorded of them.

Reads:  games by name, and a folder of evidence.   Writes: one row a game.
After:  every number is counted in the rules or read from the evidence; what is not recorded is a dash.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pilgrim_rules.evidence import files, mutant_results
from pilgrim_rules.evidence.judged import parts_of
from pilgrim_rules.evidence.merge_bounds import games_in
from pilgrim_rules.evidence.record import PROOFS
from pilgrim_rules.language import instances
from pilgrim_rules.language.load import load_rules

HEAD = ("game", "players", "clauses", "rulings", "examples", "claims", "proved", "games played", "mistakes caught")


@dataclass(frozen=True, slots=True)
class GameFigures:
    """The row of a game; `proved` and `caught` are pairs of a number and of how many were tried."""

    game: str
    players: str
    clauses: int
    rulings: int
    examples: int
    claims: int
    proved: tuple[int, int] | None
    played: int | None  #: recorded games of random play, of all recorded numbers of players together
    caught: tuple[int, int] | None

    def cells(self) -> tuple[str, ...]:
        """Return the row as text."""
        proved, caught = ("–" if pair is None else f"{pair[0]:,} of {pair[1]:,}" for pair in (self.proved, self.caught))
        numbers = (f"{each:,}" for each in (self.clauses, self.rulings, self.examples, self.claims))
        return self.game, self.players, *numbers, proved, f"{self.played:,}" if self.played else "–", caught


def figures_of(name: str, evidence: Path) -> GameFigures:
    """Return the row of a game."""
    loaded = load_rules(name)
    game = loaded.game
    fewest, most = game.seats[0], game.seats[-1]
    parts = list(parts_of(files.read(files.file_of(evidence, game.name))))
    records = [record for part in parts for record in part.records]
    proofs = [record for record in records if record.source == "proof"]
    mutants = [
        each for each in mutant_results.read(evidence / f"{game.name}.mutants.json") if each.fate != "equivalent"
    ]
    return GameFigures(
        name,
        str(fewest) if fewest == most else f"{fewest}–{most}",
        0 if loaded.inventory is None else len(loaded.inventory.clauses),
        len(game.rulings),
        len({each.name for table in instances.for_each_player_count(game) for each in table.examples}),
        len(game.claims) + len(game.rankings),
        (sum(each.verdict in PROOFS for each in proofs), len(proofs)) if proofs else None,
        sum(max((games_in(each.bounds) for each in part.records if each.source == "fuzz"), default=0) for part in parts)
        or None,
        (sum(each.fate == "killed" for each in mutants), len(mutants)) if mutants else None,
    )


def table(rows: list[GameFigures]) -> str:
    """Return the rows as a table in Markdown, its columns aligned."""
    lines = [HEAD, *(row.cells() for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(HEAD))]
    made = [
        "| " + " | ".join(f"{cell:{width}}" for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    return "\n".join([made[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *made[1:]])
