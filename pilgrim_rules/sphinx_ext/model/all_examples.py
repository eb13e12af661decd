"""The examples of a game for every number of players, each with the game that it is about.

Reads:  the game of the pages, and the same game for other numbers of players.   Writes: `BookExample`s.
After:  every example that the text has is there once, in the order of the text. One that speaks of several numbers of players
        speaks of that of the pages, if it can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pilgrim_rules.core import ir
from pilgrim_rules.diagnostics.source import SourceFile

__all__ = ["BookExample", "all_examples", "rules_of", "said_players"]


@dataclass(frozen=True, slots=True)
class BookExample:
    """An example, and the game it is about; `players` is set if that is not the number of players of the pages."""

    example: ir.Example
    game: ir.Game
    players: int | None = None


def all_examples(game: ir.Game, others: Iterable[ir.Game], sources: Mapping[str, SourceFile]) -> dict[str, BookExample]:
    """Return the examples by name, those of the game first of all and then of each other one, in the order of the text."""
    found = {each.name: BookExample(each, game) for each in game.examples}
    for other in others:
        for each in other.examples:
            found.setdefault(each.name, BookExample(each, other, other.players))
    order = {name: at for at, name in enumerate(sources)}

    def place(told: BookExample) -> tuple[int, int]:
        span = told.example.note.span
        return (len(order), 0) if span is None else (order.get(span.file, len(order)), span.start)

    return {told.example.name: told for told in sorted(found.values(), key=place)}


def rules_of(example: ir.Example) -> Iterator[str]:
    """Yield the rules that an example uses or is refused."""
    return (step.action for step in example.steps if isinstance(step, ir.Make | ir.Refuse))


def said_players(players: int | None) -> str:
    """Return for how many players an example is; nothing if it is for as many as the pages are."""
    return "" if players is None else "1 player" if players == 1 else f"{players} players"
