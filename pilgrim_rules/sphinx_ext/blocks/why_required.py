"""Why a requirement is there: what goes wrong in the game without it.

Reads:  a book with its lessons.   Writes: nodes.
After:  what would happen is not made up: the move was carried out while the page was built, with that one requirement
        left out. A lesson that was not tried again says so. Without lessons there is nothing to tell.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from docutils import nodes

from pilgrim_rules.api.game import State
from pilgrim_rules.core import ir
from pilgrim_rules.core.move_text import action_name
from pilgrim_rules.core.rule_walk import rule_of
from pilgrim_rules.evidence.mutant_results import MutantResult
from pilgrim_rules.play_pages.changes import changes_in_words
from pilgrim_rules.prose import EnglishRule, words
from pilgrim_rules.semantics.errors import RulesGameError
from pilgrim_rules.semantics.reference import Reference
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.model.run_examples import replayed
from pilgrim_rules.sphinx_ext.model.wording import say_move
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.nodes.node_builders import details
from pilgrim_rules.sphinx_ext.pictures import picture_nodes as pictures

__all__ = ["why_block"]

MOST_CHANGES = 6


class _Wrong(NamedTuple):
    """The move that only the requirement refuses: before it, and after it if it can be carried out at all."""

    move: str
    before: State
    after: State | None


def why_block(book: Book, action: ir.Action, english: EnglishRule) -> list[nodes.Node]:
    """Return for each requirement of a rule what goes wrong without it."""
    numbers = {step.key: step.number for section in english.sections for step in section.steps}
    mine = {line.key for line in action.guard if isinstance(line, ir.Require)}
    found = [(each, _wrong(book, each)) for each in book.lessons if each.key in mine]
    shown = [
        _lesson_block(book, each, wrong, numbers.get(each.key))
        for each, wrong in found
        if action.name == (rule_of(each.key) if _is_own(book, each) else _broken_with(each, wrong))
    ]
    return [node_builders.heading("Why it asks for this"), node_builders.box("rules-refusals", *shown)] if shown else []


def _is_own(book: Book, lesson: MutantResult) -> bool:
    return rule_of(lesson.key) in book.declared["rule"]


def _broken_with(lesson: MutantResult, wrong: _Wrong | None) -> str:
    """Return the rule with which a requirement that rules share was broken: its page tells the lesson."""
    return action_name(wrong.move) if wrong is not None else action_name(lesson.play[-1]) if lesson.play else ""


def _lesson_block(book: Book, lesson: MutantResult, wrong: _Wrong | None, number: int | None) -> nodes.Node:
    summary: list[node_builders.Inline] = (
        [node_builders.inline("rules-number", str(number)), " "] if number is not None else []
    )
    noted = lesson.says.partition(": ")[2] if lesson.says.startswith(f"{book.name}.") else lesson.says
    says = noted if wrong is None or not lesson.example else f"{_who_moves(wrong)} could {_spelled(book, wrong.move)}"
    summary += ["Without it: ", *node_builders.prose(words.sentence(says))]
    many = "any number of players" if not lesson.players else f"{lesson.players} player{'s' * (lesson.players > 1)}"
    noticed: list[node_builders.Inline] = [f"Noticed by {lesson.by}, with {many}"]
    if lesson.example in book.declared["example"]:
        noticed += [": ", node_builders.xref("example", book.name, lesson.example)]
    body: list[nodes.Node] = [node_builders.para(*noticed, ".")]
    if lesson.play:
        *before, last = lesson.play
        moves = node_builders.spaced([node_builders.code(move) for move in before], ", ")
        body.append(
            details(
                [f"The play: {len(lesson.play)} steps, the last of them ", node_builders.code(last)],
                node_builders.para(*moves),
            )
        )
    if wrong is None:
        return details(summary, *body, node_builders.para("It was not tried again for this page.", css="rules-says"))
    return details(summary, *body, *_consequence(book, wrong))


def _consequence(book: Book, wrong: _Wrong) -> list[nodes.Node]:
    if wrong.after is None:
        return [
            node_builders.para("The move cannot be carried out: what it speaks of is not there, or leaves its range.")
        ]
    changed = [[line] for line in changes_in_words(book.game, wrong.before, wrong.after)]
    more = [[f"and {len(changed) - MOST_CHANGES} more"]] if len(changed) > MOST_CHANGES else []
    return [
        *pictures.refused_and_carried_out(book.picture_folder, wrong.before, wrong.after, wrong.move),
        node_builders.bullets([*changed[:MOST_CHANGES], *more], "rules-changes"),
    ]


def _wrong(book: Book, lesson: MutantResult) -> _Wrong | None:
    """Return the move that is not refused any more; None if the current rules do not lead there."""
    for move, before in _candidate_moves(book, lesson):
        try:
            reasons = {reason.key for reason in before.why_not(move)}
        except RulesGameError:
            continue
        if reasons == {lesson.key}:
            return _Wrong(move, before, _carried_out(book, before, move, lesson.key))
    return None


def _candidate_moves(book: Book, lesson: MutantResult) -> list[tuple[str, State]]:
    """Return the moves that may show the mistake, each with the position before it."""
    about = book.examples.get(lesson.example)
    told = book.example_steps[lesson.example] if about is not None and about.players is None else ()
    found = [
        (str(moment.move), moment.before)
        for moment in told
        if isinstance(moment.step, ir.Refuse) and moment.before is not None
    ]
    if lesson.play and lesson.players in (0, book.game.players):
        *before, last = lesson.play
        with suppress(RulesGameError):  # the current rules do not lead there
            found.append((last, replayed(book.playable, lesson.example, before)))
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
    except (RulesGameError, ValueError):
        return None


def _is(line: ir.Require | ir.Given, key: str) -> bool:
    return isinstance(line, ir.Require) and line.key == key


def _who_moves(wrong: _Wrong) -> str:
    return wrong.before.to_move or "somebody"


def _spelled(book: Book, move: str) -> str:
    number, args = book.playable.runner.book.codes(move)
    return say_move(book.playable.core.actions[number], args)
