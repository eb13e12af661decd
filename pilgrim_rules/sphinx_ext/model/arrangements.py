"""Arrangements: positions that examples begin with, set up by named effects; told once, and named wherever they are used.

Reads:  the effects and examples of a game for each number of players, and its sources.   Writes: `Arrangement`s, and the words that name one.
After:  every effect that an example is given by its name is an arrangement of the book.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pilgrim_rules.core import ir
from pilgrim_rules.diagnostics.source import SourceFile
from pilgrim_rules.prose import Voice, say_expr, words

__all__ = ["Arrangement", "arrangement_of", "arrangement_words", "arrangements"]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """An effect that sets up a position: what it is called, what is said about it, and its lines in the text."""

    name: str
    doc: str
    source: SourceFile
    lines: range


def arrangement_of(step: ir.Arrange) -> ir.RunEffect | None:
    """Return the effect that a step of an example names; None if it sets something itself."""
    match step.lines:
        case (ir.RunEffect() as run,):
            return run
        case _:  # lines of its own
            return None


def arrangement_words(game: ir.Game, run: ir.RunEffect) -> str:
    """Return what is set up, in words: "shops of (green)"."""
    said = ", ".join(say_expr(arg, Voice.from_game(game)) for arg in run.args)
    return f"{words.words(run.effect)} ({said})" if said else words.words(run.effect)


def arrangements(games: Iterable[ir.Game], sources: Mapping[str, SourceFile]) -> dict[str, Arrangement]:
    """Return the arrangements that examples name in a game, for whatever number of players, in the order of the text."""
    found = {each.name: each for game in games for each in _named_by(game, sources)}
    order = {name: at for at, name in enumerate(sources)}
    return dict(sorted(found.items(), key=lambda item: (order[item[1].source.name], item[1].lines.start)))


def _named_by(game: ir.Game, sources: Mapping[str, SourceFile]) -> Iterator[Arrangement]:
    steps = (step for example in game.examples for step in example.steps if isinstance(step, ir.Arrange))
    named = {run.effect for step in steps if (run := arrangement_of(step)) is not None}
    return (_arrangement(effect, sources) for effect in game.effects if effect.name in named)


def _arrangement(effect: ir.Effect, sources: Mapping[str, SourceFile]) -> Arrangement:
    span = effect.note.span
    assert span is not None, "an effect stands in a text"
    source = sources[span.file]
    first, last = (source.position(at)[0] for at in (span.start, span.end))
    return Arrangement(effect.name, " ".join(effect.note.doc.split()), source, range(first, last + 1))
