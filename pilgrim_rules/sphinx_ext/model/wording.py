"""Moves and the steps of examples in words.

Reads:  a book, its examples as they were run.   Writes: lines of text and links.
After:  every step of an example is a line; one with an outcome says whether it came out as written.
"""

from __future__ import annotations

from pilgrim_rules.core import ir
from pilgrim_rules.core.values import show as show_value
from pilgrim_rules.evidence.status import Status
from pilgrim_rules.prose import Voice, say_expr, words
from pilgrim_rules.prose.apply_rulings import ReadRules
from pilgrim_rules.prose.moves import action_title, said_arguments
from pilgrim_rules.prose.statements import say_block
from pilgrim_rules.sphinx_ext.model.arrangements import arrangement_of, arrangement_words
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.model.run_examples import SIGNS, ShownExampleStep, reading
from pilgrim_rules.sphinx_ext.nodes import node_builders

__all__ = ["example_wording", "say_move"]


def example_wording(book: Book, example: ir.Example) -> list[list[node_builders.Inline]]:
    """Return the steps of an example, those with an outcome marked by whether it came out as written."""
    game = book.examples[example.name].game
    under = reading(game, example)
    ruled = words.join([f"{words.words(name)} is ruled {words.words(option)}" for name, option in under])
    told: list[list[node_builders.Inline]] = [[f"Told as if {ruled}."]] if under else []
    for moment in book.example_steps[example.name]:
        named = arrangement_of(moment.step) if isinstance(moment.step, ir.Arrange) else None
        if named is not None:
            said = arrangement_words(game, named)
            told.append(["Given: ", node_builders.xref("arrangement", book.name, named.effect, said), "."])
            continue
        sign = "" if isinstance(moment.step, ir.Arrange) else f"{SIGNS[_came_out(book, example, moment)]} "
        told += [[sign, text] for text in _example_step(game, moment.step)]
    sign = SIGNS[_recorded(book, example)]
    for line, options in example.elsewhere:
        told.append([f"{sign} ", node_builders.code(line), f"{_if_ruled(options)}."])
    return told


def _came_out(book: Book, example: ir.Example, moment: ShownExampleStep) -> bool | None:
    return _recorded(book, example) if moment.holds is None else moment.holds


def _recorded(book: Book, example: ir.Example) -> bool | None:
    """Return what evidence says of an example in all its readings; None if it says nothing."""
    match book.status(example.name):
        case Status.EXAMPLE:
            return True
        case Status.REFUTED:
            return False
        case _:  # stale, open: nobody has tried it with these rules
            return None


def _example_step(game: ir.Game, step: ir.ExampleStep) -> list[str]:
    match step:
        case ir.Arrange(lines=lines):
            return [
                f"Given: {line.text}" for line in say_block(lines, Voice.from_game(game), ReadRules.from_game(game))[0]
            ]
        case ir.Make(action=name, args=args, by=by):
            whose = "" if by is None else f" of {words.label(show_value(game.player, by))}"
            return [f"Move{whose}: {_move(game, name, args)}{_if_ruled(step.under)}."]
        case ir.Refuse(action=name, args=args, clauses=clauses):
            because = f", because of {words.join(clauses)}" if clauses else ""
            return [f"Refused: {_move(game, name, args)}{because}{_if_ruled(step.under)}."]
        case ir.Expect(formula=formula):
            return [f"Then: {words.sentence(say_expr(formula, Voice.from_game(game)) + _if_ruled(step.under))}"]


def _if_ruled(under: ir.Options) -> str:
    return "".join(f", if {words.words(name)} is ruled {words.words(option)}" for name, option in under)


def say_move(action: ir.Action, args: tuple[int, ...]) -> str:
    """Return a move in words, as a part of a sentence: "build a shrine (route 1)", "place (2, 3)"."""
    said = said_arguments(action, args)
    called = words.inner(action_title(action))
    if not said:
        return called
    alone = len(said) == 1 and said[0].startswith("(")  # a pair has brackets of its own
    return f"{called} {said[0]}" if alone else f"{called} ({', '.join(said)})"


def _move(game: ir.Game, name: str, args: tuple[int, ...]) -> str:
    return say_move(next(action for action in game.actions if action.name == name), args)
