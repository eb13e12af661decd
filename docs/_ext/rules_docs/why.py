"""Why a requirement is there: what goes wrong in the game without it.

Reads:  a book with its lessons.   Writes: nodes.
After:  a play that today's rules do not lead to is not drawn. Without lessons there is nothing to tell.
"""

from __future__ import annotations

from collections.abc import Sequence

from docutils import nodes

from pilgrim_rules.core import ir
from pilgrim_rules.engine.errors import RulesGameError
from pilgrim_rules.engine.state import State
from pilgrim_rules.figures.album import Album
from pilgrim_rules.figures.places import places
from pilgrim_rules.prose import Steps, lines, words
from rules_docs import build, pictures
from rules_docs.disclosure import details
from rules_docs.lessons import Lesson
from rules_docs.shelf import Book
from rules_docs.telling import arranged

__all__ = ["why_block"]


def why_block(book: Book, action: ir.Action, english: Steps, album: Album) -> list[nodes.Node]:
    """Return for each requirement of a rule what goes wrong without it."""
    numbers = {step.key: step.number for section in english.sections for step in section.steps}
    mine = {line.key for line in action.guard if isinstance(line, ir.Require)}
    found = [each for each in book.lessons if each.key in mine and _is_about(each, action)]
    shown = [_told(book, each, numbers.get(each.key), album) for each in found]
    return [build.heading("Why it asks for this"), build.box("rules-refusals", *shown)] if shown else []


def _is_about(lesson: Lesson, action: ir.Action) -> bool:
    """Tell whether a lesson is told here: a shared requirement belongs to the rule with which it was broken."""
    broken = bool(lesson.play) and lesson.play[-1].partition("(")[0] == action.name
    return broken or lines.owner_of(lesson.key) == action.name


def _told(book: Book, lesson: Lesson, number: int | None, album: Album) -> nodes.Node:
    summary: list[build.Inline] = [build.inline("rules-number", str(number)), " "] if number is not None else []
    summary += ["Without it: ", *build.prose(words.sentence(lesson.says))]
    body: list[nodes.Node] = [build.para(f"Noticed by {lesson.by}, with {lesson.players or 'any number of'} players.")]
    if lesson.example in book.declared["example"]:
        body.append(build.para("The example: ", build.xref("example", book.name, lesson.example)))
    if lesson.play:
        *before, last = lesson.play
        moves = build.spaced([build.code(move) for move in before], ", ")
        body.append(details([f"The play: {len(lesson.play)} steps, the last of them `{last}`"], build.para(*moves)))
        body += _picture(book, lesson, album)
    return details(summary, *body)


def _picture(book: Book, lesson: Lesson, album: Album) -> list[nodes.Node]:
    """Return the position before the last move, with the place crossed out where the requirement refuses it."""
    if lesson.players != book.game.players:
        return []
    *before, last = lesson.play
    try:
        state = _replayed(book, lesson.example, before)
        reasons = state.why_not(last)
    except RulesGameError:
        return []
    if not any(reason.key == lesson.key for reason in reasons):
        return []
    for figure in book.game.figures:
        where = places(state, figure.canvas, moves=False, highlight=(), cross_out=(last,))
        if where.refused:
            return [pictures.one(album, state, figure, f"{figure.title}, before the last move", where)]
    return []


def _replayed(book: Book, name: str, steps: Sequence[str]) -> State:
    """Return the position after some steps, of which those that happen by themselves are not played.

    They begin at the start, or in the position that an example arranges.
    """
    by_themselves = {action.name for action in book.game.actions if action.kind == "auto"}
    example = next((each for each in book.game.examples if each.name == name), None)
    begin = book.playable.start() if example is None else arranged(book.playable, example)
    return begin.play(*(step for step in steps if step.partition("(")[0] not in by_themselves))
