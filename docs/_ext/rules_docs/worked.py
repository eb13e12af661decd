"""Pictures and worked examples of a rule: what it does, in positions that the engine has played to.

Reads:  a book with its samples and its examples.   Writes: nodes.
After:  every step of an example carries a sign that says whether the rules of today bear it out.
"""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes

from pilgrim_rules.core import ir
from pilgrim_rules.engine.state import State
from pilgrim_rules.figures.album import Album
from pilgrim_rules.prose import words
from rules_docs import build, pictures
from rules_docs.disclosure import details
from rules_docs.samples import used
from rules_docs.shelf import Book
from rules_docs.spoken import say_move, told_steps
from rules_docs.telling import SIGNS, reading

__all__ = ["examples", "picture"]

MOST_EXAMPLES = 3
MOST_CHANGES = 8


def picture(book: Book, action: ir.Action, album: Album) -> list[nodes.Node]:
    """Return the rule at work: a position, the move, and what it changes."""
    found = _at_work(book, action)
    if found is None:
        return []
    before, move, after, where = found
    changed = pictures.changes(book.game, before, after)
    shown = pictures.before_and_after(album, before, after, action.name)
    lines = build.bullets(changed[:MOST_CHANGES], "rules-changes")
    more = details([f"and {len(changed) - MOST_CHANGES} more"], build.bullets(changed[MOST_CHANGES:], "rules-changes"))
    codes = book.playable.runner.book.codes(move)
    who = f"{before.to_move}: " if before.to_move in book.playable.players else ""
    return [
        build.heading("What it does"),
        build.para(build.strong(words.sentence(f"{who}{say_move(action, codes[1])}")), " ", *where, css="rules-move"),
        *shown,
        lines,
        *([more] if len(changed) > MOST_CHANGES else []),
    ]


def _at_work(book: Book, action: ir.Action) -> tuple[State, str, State, list[build.Inline]] | None:
    """Return a step of an example that uses the rule; or else of a recorded play."""
    for example in (each for each in _focused(book, action) if not reading(book.playable, each)):
        for moment in book.told[example.name]:
            if isinstance(moment.step, ir.Make) and moment.step.action == action.name and moment.holds:
                where: list[build.Inline] = ["(", build.xref("example", book.name, example.name), ")"]
                return moment.before, str(moment.move), moment.after, where
    found = used(book.playable, book.told, book.samples, action.name) if action.name in book.samples.uses else None
    return None if found is None else (*found, [build.inline("rules-says", "(from a recorded play)")])


def _focused(book: Book, action: ir.Action) -> list[ir.Example]:
    """Return the examples that use a rule, those of other readings last, and those that use few others first."""

    def others(example: ir.Example) -> tuple[bool, int]:
        return bool(reading(book.playable, example)), len(set(_rules(example)))

    found = [example for example in book.game.examples if action.name in _rules(example)]
    return sorted(found, key=others)


def _rules(example: ir.Example) -> Iterator[str]:
    return (step.action for step in example.steps if isinstance(step, ir.Make | ir.Refuse))


def examples(book: Book, action: ir.Action) -> list[nodes.Node]:
    """Return the worked examples of a rule, run while the page is built."""
    found = _focused(book, action)
    if not found:
        return []
    shown = [_example(book, example) for example in found[:MOST_EXAMPLES]]
    rest = build.refs("example", book.name, [example.name for example in found[MOST_EXAMPLES:]])
    more = [build.para("Also used in ", *rest, ".", css="rules-says")] if rest else []
    return [build.heading("Examples"), *shown, *more]


def _example(book: Book, example: ir.Example) -> nodes.Node:
    told = book.told[example.name]
    agrees = all(moment.holds for moment in told)
    word = "agrees" if agrees else "does not agree"
    summary: list[build.Inline] = [
        build.inline(f"rules-sign rules-sign-{'good' if agrees else 'bad'}", SIGNS[agrees]),
        " ",
        build.xref("example", book.name, example.name),
        f": {word}",
    ]
    known = [clause for clause in example.note.clauses if book.inventory.find(clause)]
    if known:
        summary += [" ", build.inline("rules-cites", *build.refs("clause", book.name, known))]
    doc = [build.para(example.note.doc)] if example.note.doc else []
    return details(summary, *doc, build.bullets(told_steps(book, example), "rules-example"))
