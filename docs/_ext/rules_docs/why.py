"""Why a requirement is there: what goes wrong in the game without it.

Reads:  a book with its lessons.   Writes: nodes.
After:  what would happen is not made up: the move was carried out while the page was built, with that one requirement
        left out. A lesson that was not tried again says so. Without lessons there is nothing to tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from docutils import nodes

from pilgrim_rules.core import ir
from pilgrim_rules.engine.errors import RulesGameError
from pilgrim_rules.engine.reference import Reference
from pilgrim_rules.engine.scene import NotPositive, OutsideTable
from pilgrim_rules.engine.state import State
from pilgrim_rules.figures.album import Album
from pilgrim_rules.prose import Steps, lines, words
from rules_docs import build, pictures
from rules_docs.disclosure import details
from rules_docs.lessons import Lesson
from rules_docs.shelf import Book
from rules_docs.spoken import say_move
from rules_docs.telling import arranged

__all__ = ["why_block"]

MOST_CHANGES = 6


class _Wrong(NamedTuple):
    """The move that only the requirement refuses: before it, and after it if it can be carried out at all."""

    move: str
    before: State
    after: State | None


def why_block(book: Book, action: ir.Action, english: Steps, album: Album) -> list[nodes.Node]:
    """Return for each requirement of a rule what goes wrong without it."""
    numbers = {step.key: step.number for section in english.sections for step in section.steps}
    mine = {line.key for line in action.guard if isinstance(line, ir.Require)}
    found = [(each, _wrong(book, each)) for each in book.lessons if each.key in mine]
    shown = [
        _told(book, each, wrong, numbers.get(each.key), album)
        for each, wrong in found
        if action.name == (lines.owner_of(each.key) if _is_own(book, each) else _broken_with(each, wrong))
    ]
    return [build.heading("Why it asks for this"), build.box("rules-refusals", *shown)] if shown else []


def _is_own(book: Book, lesson: Lesson) -> bool:
    return lines.owner_of(lesson.key) in book.declared["rule"]


def _broken_with(lesson: Lesson, wrong: _Wrong | None) -> str:
    """Return the rule with which a requirement that rules share was broken: its page tells the lesson."""
    return _rule(wrong.move) if wrong is not None else _rule(lesson.play[-1]) if lesson.play else ""


def _told(book: Book, lesson: Lesson, wrong: _Wrong | None, number: int | None, album: Album) -> nodes.Node:
    summary: list[build.Inline] = [build.inline("rules-number", str(number)), " "] if number is not None else []
    noted = lesson.says.partition(": ")[2] if lesson.says.startswith(f"{book.name}.") else lesson.says
    says = noted if wrong is None or not lesson.example else f"{_who(wrong)} could {_spelled(book, wrong.move)}"
    summary += ["Without it: ", *build.prose(words.sentence(says))]
    many = "any number of players" if not lesson.players else f"{lesson.players} player{'s' * (lesson.players > 1)}"
    noticed: list[build.Inline] = [f"Noticed by {lesson.by}, with {many}"]
    if lesson.example in book.declared["example"]:
        noticed += [": ", build.xref("example", book.name, lesson.example)]
    body: list[nodes.Node] = [build.para(*noticed, ".")]
    if lesson.play:
        *before, last = lesson.play
        moves = build.spaced([build.code(move) for move in before], ", ")
        body.append(
            details([f"The play: {len(lesson.play)} steps, the last of them ", build.code(last)], build.para(*moves))
        )
    if wrong is None:
        return details(summary, *body, build.para("It was not tried again for this page.", css="rules-says"))
    return details(summary, *body, *_shown(book, wrong, album))


def _shown(book: Book, wrong: _Wrong, album: Album) -> list[nodes.Node]:
    if wrong.after is None:
        return [build.para("The move cannot be carried out: what it speaks of is not there, or leaves its range.")]
    changed = pictures.changes(book.game, wrong.before, wrong.after)
    more = [[f"and {len(changed) - MOST_CHANGES} more"]] if len(changed) > MOST_CHANGES else []
    return [
        *pictures.without(album, wrong.before, wrong.after, wrong.move),
        build.bullets([*changed[:MOST_CHANGES], *more], "rules-changes"),
    ]


def _wrong(book: Book, lesson: Lesson) -> _Wrong | None:
    """Return the move that is not refused any more; None if the rules of today do not lead there."""
    for move, before in _tried(book, lesson):
        try:
            reasons = {reason.key for reason in before.why_not(move)}
        except RulesGameError:
            continue
        if reasons == {lesson.key}:
            return _Wrong(move, before, _carried_out(book, before, move, lesson.key))
    return None


def _tried(book: Book, lesson: Lesson) -> list[tuple[str, State]]:
    """Return the moves that may show the mistake, each with the position before it."""
    told = book.told.get(lesson.example, ())
    found = [(str(moment.move), moment.before) for moment in told if isinstance(moment.step, ir.Refuse)]
    if lesson.play and lesson.players in (0, book.game.players):
        *before, last = lesson.play
        with suppress(RulesGameError):  # the rules of today do not lead there
            found.append((last, _replayed(book, lesson.example, before)))
    return found


def _carried_out(book: Book, state: State, move: str, key: str) -> State | None:
    """Return the position after a move, one requirement left out; None if the move cannot be carried out."""
    game = book.playable
    number, args = game.runner.book.codes(move)
    action = game.core.actions[number]
    lax = replace(action, guard=tuple(line for line in action.guard if not _is(line, key)))
    reference: Reference = game.code.reference
    try:
        cells = reference.apply(game.layout.decode(state.data), lax, args)
        return State(game, game.layout.encode(cells))
    except (RulesGameError, OutsideTable, NotPositive, ValueError):
        return None


def _is(line: ir.Require | ir.Given, key: str) -> bool:
    return isinstance(line, ir.Require) and line.key == key


def _replayed(book: Book, name: str, steps: Sequence[str]) -> State:
    """Return the position after some steps, of which those that happen by themselves are not played.

    They begin at the start, or in the position that an example arranges.
    """
    by_themselves = {action.name for action in book.game.actions if action.kind == "auto"}
    example = next((each for each in book.game.examples if each.name == name), None)
    begin = book.playable.start() if example is None else arranged(book.playable, example)
    return begin.play(*(step for step in steps if _rule(step) not in by_themselves))


def _who(wrong: _Wrong) -> str:
    return wrong.before.to_move or "somebody"


def _spelled(book: Book, move: str) -> str:
    number, args = book.playable.runner.book.codes(move)
    return say_move(book.playable.core.actions[number], args)


def _rule(move: str) -> str:
    return move.partition("(")[0]
