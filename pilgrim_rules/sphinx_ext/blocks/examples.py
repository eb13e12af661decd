"""Pictures and worked examples of a rule: what it does, in positions that the engine has played to.

Reads:  a book with its samples and its examples.   Writes: nodes.
After:  every step of an example carries a sign that says whether the current rules confirm it.
"""

from __future__ import annotations

from docutils import nodes

from pilgrim_rules.api.game import State
from pilgrim_rules.core import ir
from pilgrim_rules.evidence.status import Status
from pilgrim_rules.play_pages.changes import changes_in_words
from pilgrim_rules.prose import words
from pilgrim_rules.sphinx_ext.model.all_examples import BookExample, rules_of, said_players
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.model.run_examples import SIGNS, reading
from pilgrim_rules.sphinx_ext.model.samples import first_use
from pilgrim_rules.sphinx_ext.model.wording import example_wording, say_move
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.nodes.node_builders import details
from pilgrim_rules.sphinx_ext.pictures import picture_nodes as pictures

__all__ = ["examples_block", "picture_block"]

MOST_EXAMPLES = 3
MOST_NAMED = 20  #: further examples of a rule that are named: those that use few other rules
MOST_CHANGES = 8


def picture_block(book: Book, action: ir.Action) -> list[nodes.Node]:
    """Return the rule at work: a position, the move, and what it changes."""
    found = _at_work(book, action)
    if found is None:
        return []
    before, move, after, where = found
    changed = [[line] for line in changes_in_words(book.game, before, after)]
    shown = pictures.before_and_after(book.picture_folder, before, after, action.name)
    lines = node_builders.bullets(changed[:MOST_CHANGES], "rules-changes")
    more = details(
        [f"and {len(changed) - MOST_CHANGES} more"], node_builders.bullets(changed[MOST_CHANGES:], "rules-changes")
    )
    codes = book.playable.runner.book.codes(move)
    who = f"{before.to_move}: " if before.to_move in book.playable.players else ""
    return [
        node_builders.heading("What it does"),
        node_builders.para(
            node_builders.strong(words.sentence(f"{who}{say_move(action, codes[1])}")), " ", *where, css="rules-move"
        ),
        *shown,
        lines,
        *([more] if len(changed) > MOST_CHANGES else []),
    ]


def _at_work(book: Book, action: ir.Action) -> tuple[State, str, State, list[node_builders.Inline]] | None:
    """Return a step of an example that uses the rule; or else of a recorded play."""
    here = (told.example for told in _focused(book, action) if told.players is None)
    for example in (each for each in here if not reading(book.game, each)):
        for moment in book.example_steps[example.name]:
            if moment.before is None or moment.after is None or not moment.holds:
                continue
            if isinstance(moment.step, ir.Make) and moment.step.action == action.name:
                where: list[node_builders.Inline] = ["(", node_builders.xref("example", book.name, example.name), ")"]
                return moment.before, str(moment.move), moment.after, where
    found = (
        first_use(book.playable, book.example_steps, book.samples, action.name)
        if action.name in book.samples.uses
        else None
    )
    return None if found is None else (*found, [node_builders.inline("rules-says", "(from a recorded play)")])


def _focused(book: Book, action: ir.Action) -> list[BookExample]:
    """Return the examples that use a rule: those of other readings last, those that use few others first.

    If some are for other numbers of players, one of them is among the few that are shown.
    """

    def others(told: BookExample) -> tuple[bool, int]:
        return bool(reading(told.game, told.example)), len(set(rules_of(told.example)))

    found = sorted(book.examples_using(action.name), key=others)
    here = [told for told in found if told.players is None]
    elsewhere = [told for told in found if told.players is not None]
    first = here[: MOST_EXAMPLES - bool(elsewhere)]
    return [*first, *elsewhere[:1], *here[len(first) :], *elsewhere[1:]]


def examples_block(book: Book, action: ir.Action) -> list[nodes.Node]:
    """Return the worked examples of a rule, run while the page is built."""
    found = _focused(book, action)
    if not found:
        return []
    shown = [_example(book, example) for example in found[:MOST_EXAMPLES]]
    named = found[MOST_EXAMPLES : MOST_EXAMPLES + MOST_NAMED]
    rest = node_builders.spaced([_named(book, told) for told in named], ", ")
    left = len(found) - MOST_EXAMPLES - len(named)
    others = f" and {left} more" if left > 0 else ""
    more = [node_builders.para("Also used in ", *rest, f"{others}.", css="rules-says")] if rest else []
    return [node_builders.heading("Examples"), *shown, *more]


def _named(book: Book, told: BookExample) -> node_builders.Inline:
    """Return a link to an example, which says for how many players it is."""
    link = node_builders.xref("example", book.name, told.example.name)
    return link if told.players is None else node_builders.inline("", link, f" (for {said_players(told.players)})")


def _example(book: Book, about: BookExample) -> nodes.Node:
    example, told = about.example, book.example_steps[about.example.name]
    agrees = all(moment.holds is not False for moment in told) and book.status(example.name) is not Status.REFUTED
    tried = all(moment.holds is not None for moment in told) or book.status(example.name) is Status.EXAMPLE
    word = ("agrees" if tried else "agrees as far as it was tried") if agrees else "does not agree"
    many = "" if about.players is None else f", for {said_players(about.players)}"
    summary: list[node_builders.Inline] = [
        node_builders.inline(f"rules-sign rules-sign-{'good' if agrees else 'bad'}", SIGNS[agrees]),
        " ",
        f"{words.words(example.name)}{many}: {word}",
    ]
    known = [clause for clause in example.note.clauses if book.inventory.find(clause)]
    facts: list[node_builders.Inline] = [node_builders.xref("example", book.name, example.name, "The example")]
    if known:
        facts += [" is about ", node_builders.inline("rules-cites", *node_builders.refs("clause", book.name, known))]
    doc = [node_builders.para(example.note.doc)] if example.note.doc else []
    steps = node_builders.bullets(example_wording(book, example), "rules-example")
    return details(summary, *doc, steps, node_builders.para(*facts, ".", css="rules-says"))
