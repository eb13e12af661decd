"""Moves and the steps of examples in words.

Reads:  a book, its examples as they were run.   Writes: lines of text and links.
After:  every step of an example is a line; one with an outcome says whether it came out as written.
"""

from __future__ import annotations

from pilgrim_rules.core import ir
from pilgrim_rules.core.values import show as show_value
from pilgrim_rules.prose import Voice, say_expr, words
from pilgrim_rules.prose.statements import say_block
from rules_docs import build
from rules_docs.arranged import given
from rules_docs.shelf import Book
from rules_docs.telling import SIGNS, reading

__all__ = ["say_move", "told_steps"]


def told_steps(book: Book, example: ir.Example) -> list[list[build.Inline]]:
    """Return the steps of an example, those with an outcome marked by whether it came out as written."""
    under = reading(book.playable, example)
    ruled = words.join([f"{words.words(name)} is ruled {words.words(option)}" for name, option in under])
    told: list[list[build.Inline]] = [[f"Told as if {ruled}."]] if under else []
    for moment in book.told[example.name]:
        named = given(book.sources, moment.step) if isinstance(moment.step, ir.Arrange) else None
        if named is not None:
            told.append(["Given: ", build.xref("arrangement", book.name, named.name, named.said), "."])
            continue
        sign = "" if isinstance(moment.step, ir.Arrange) else f"{SIGNS[moment.holds]} "
        told += [[sign, text] for text in _example_step(book.game, moment.step)]
    return told


def _example_step(game: ir.Game, step: ir.ExampleStep) -> list[str]:
    match step:
        case ir.Arrange(body=body):
            return [f"Given: {line.text}" for line in say_block(body, Voice.of(game))[0]]
        case ir.Make(action=name, args=args, by=by):
            whose = "" if by is None else f" of {words.label(show_value(game.player, by))}"
            return [f"Move{whose}: {_move(game, name, args)}."]
        case ir.Refuse(action=name, args=args, clauses=clauses):
            because = f", because of {words.join(clauses)}" if clauses else ""
            return [f"Refused: {_move(game, name, args)}{because}."]
        case ir.Expect(formula=formula, under=under):
            rulings = "".join(f", if {words.words(name)} is ruled {words.words(option)}" for name, option in under)
            return [f"Then: {words.sentence(say_expr(formula, Voice.of(game)) + rulings)}"]


def say_move(action: ir.Action, args: tuple[int, ...]) -> str:
    """Return a move in words: "build shrine (1)", "place (2, 3)"."""
    said = [words.label(show_value(param.type, code)) for param, code in zip(action.params, args, strict=True)]
    if not said:
        return words.words(action.name)
    alone = len(said) == 1 and said[0].startswith("(")  # a pair has brackets of its own
    return f"{words.words(action.name)} {said[0]}" if alone else f"{words.words(action.name)} ({', '.join(said)})"


def _move(game: ir.Game, name: str, args: tuple[int, ...]) -> str:
    return say_move(next(action for action in game.actions if action.name == name), args)
