"""Plays: the moves that show something, made again step by step.

Reads:  a core game and moves as text.   Writes: each step with the action it is, and what it changed.
After:  nothing is believed: where a move cannot be made from the start, the steps from there on show no changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.errors import Contradiction, RulesGameError
from pilgrim_rules.engine.layout import Position
from pilgrim_rules.engine.moves import MoveBook
from pilgrim_rules.engine.reference import Reference
from verifier.report.why import changes


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a play: its text, the name of the action, and the cells it changed."""

    text: str
    action: str
    changed: tuple[str, ...]


def steps(game: Game, moves: Iterable[str]) -> Iterator[Step]:
    """Yield the steps of a play from the start."""
    reference, book = Reference.of(game), MoveBook(game)
    position: Position | None = reference.start()
    for move in moves:
        after = None if position is None else _after(reference, book, position, move)
        changed = () if position is None or after is None else tuple(changes(game, position, after))
        yield Step(move, move.partition("(")[0].strip(), changed)
        position = after


def _after(reference: Reference, book: MoveBook, position: Position, move: str) -> Position | None:
    """Return the position after a move; None if it cannot be made."""
    try:
        number, args = book.codes(move)
        action = reference.game.actions[number]
        return reference.apply(position, action, args) if reference.allowed(position, action, args) else None
    except (RulesGameError, Contradiction):
        return None
