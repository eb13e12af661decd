"""The rule, twice: numbered English beside the lines it is made from, paired by numbers.

Reads:  a book, a rule, its English.   Writes: nodes.
After:  every numbered step stands beside a line with its number; lines that other rules share are behind a line to open.
"""

from __future__ import annotations

from docutils import nodes

from pilgrim_rules.core import ir
from pilgrim_rules.prose import Step, Steps, lines, words
from rules_docs import build
from rules_docs.disclosure import details
from rules_docs.listing import listing
from rules_docs.shelf import Book

__all__ = ["twice"]


def twice(book: Book, action: ir.Action, english: Steps, here: str) -> list[nodes.Node]:
    """Return the rule in English and in the language, side by side."""
    left = build.box("rules-english", *_english(book, english, here))
    right = build.box("rules-formal", *_formal(book, action, english, here))
    return [build.heading("The rule"), build.box("rules-twice", left, right)]


def _english(book: Book, english: Steps, here: str) -> list[nodes.Node]:
    shown: list[nodes.Node] = []
    for section in english.sections:
        shown.append(build.para(build.strong(section.title), css="rules-part"))
        items = nodes.bullet_list("", classes=["rules-steps"])
        items += [_step(book, step, here) for step in section.steps]
        shown.append(items)
    return shown


def _step(book: Book, step: Step, here: str) -> nodes.list_item:
    parts: list[build.Inline] = []
    if step.number is not None:
        parts += [build.inline("rules-number", str(step.number)), " "]
    parts.append(step.text)
    if step.says:
        parts += [" ", build.inline("rules-says", f"Else: {step.says}.")]
    if step.clauses:
        parts += [" ", build.inline("rules-cites", *_clauses(book, step.clauses))]
    item = nodes.list_item("", build.para(*parts), classes=[f"rules-depth-{step.depth}"])
    if step.number is not None and step.key is not None:
        item["ids"] = [nodes.make_id(f"{here}-step-{step.number}-{step.text}")]
    return item


def _clauses(book: Book, clauses: tuple[str, ...]) -> list[build.Inline]:
    shown: list[build.Inline] = [
        build.xref("clause", book.name, clause) if book.inventory.find(clause) else clause for clause in clauses
    ]
    return build.spaced(shown, ", ")


def _formal(book: Book, action: ir.Action, english: Steps, here: str) -> list[nodes.Node]:
    """Return the rule's own lines, and below them those of shared guards and effects that it uses."""
    own = None if action.note.span is None else book.lines(action.note.span)
    if own is None:
        return []
    source, span = own
    mine: dict[int, list[int]] = {}
    shared: dict[tuple[str, str], dict[int, list[int]]] = {}
    for step in (step for section in english.sections for step in section.steps):
        found = None if step.span is None else book.lines(step.span)
        if found is None or step.number is None or step.key is None:
            continue
        file, at = found[0].name, found[1].start
        inside = file == source.name and at in span
        marks = mine if inside else shared.setdefault((file, lines.owner_of(step.key)), {})
        if step.number not in marks.setdefault(at, []):
            marks[at].append(step.number)
    shown: list[nodes.Node] = [_place(book, source.name, span), listing(book, source, span, mine, here)]
    folded = [node for (file, owner), marks in shared.items() for node in _shared(book, file, owner, marks, here)]
    if folded:
        names = words.join([words.words(owner) for _, owner in shared])
        shown.append(details([f"Shared with other rules: {names}"], *folded, css="rules-shared"))
    return shown


def _shared(book: Book, file: str, owner: str, marks: dict[int, list[int]], here: str) -> list[nodes.Node]:
    span = range(min(marks), max(marks) + 1)
    name = nodes.make_id(f"{here}-{owner}-{file}")
    return [_place(book, file, span), listing(book, book.sources[file], span, marks, name)]


def _place(book: Book, name: str, span: range) -> nodes.Node:
    where = f"line {span.start}" if len(span) == 1 else f"lines {span.start}–{span[-1]}"
    short = name.rsplit("/", 1)[-1]
    path = book.path(short)
    linked = short if path is None else build.file(path, short)
    return build.para(build.inline("rules-file", linked, f", {where}"), css="rules-part")
