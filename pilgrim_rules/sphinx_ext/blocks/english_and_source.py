"""English and source: a rule in numbered English beside the lines it is made from, paired by numbers.

Reads:  a book, a rule, its English; source text and spans.   Writes: nodes.
After:  every numbered step stands beside a line with its number; of lines that other rules share it is said where they are.
        The text of a listing is the text of the file; numbers stand in a gutter that is not copied with it.
"""

from __future__ import annotations

from collections.abc import Mapping

from docutils import nodes
from pygments.token import STANDARD_TYPES, Name, Punctuation, _TokenType

from pilgrim_rules.core import ir
from pilgrim_rules.core.rule_walk import rule_of
from pilgrim_rules.diagnostics.source import SourceFile
from pilgrim_rules.language import find_game
from pilgrim_rules.language.lexer import RulesLexer
from pilgrim_rules.prose import EnglishRule, EnglishStep, words
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.nodes.node_builders import details

__all__ = ["english_and_source", "listing", "source_lines"]

_PLAIN = frozenset({Name, Punctuation})  #: tokens that look like any text


def english_and_source(book: Book, action: ir.Action, english: EnglishRule, here: str) -> list[nodes.Node]:
    """Return the rule in English and in the language, side by side."""
    left = node_builders.box("rules-english", *_english(book, english, here))
    right = node_builders.box("rules-formal", *_formal(book, action, english, here))
    return [node_builders.heading("The rule"), node_builders.box("rules-twice", left, right)]


def _english(book: Book, english: EnglishRule, here: str) -> list[nodes.Node]:
    shown: list[nodes.Node] = []
    for section in english.sections:
        shown.append(node_builders.para(node_builders.strong(section.title), css="rules-part"))
        items = nodes.bullet_list("", classes=["rules-steps"])
        items += [_step(book, step, here) for step in section.steps]
        shown.append(items)
    named: set[str] = set()
    for item in (each for steps in shown for each in steps.children if isinstance(each, nodes.list_item)):
        item["ids"] = [each for each in item["ids"] if each not in named]  # a line that is run twice is linked to once
        named.update(item["ids"])
    return shown


def _step(book: Book, step: EnglishStep, here: str) -> nodes.list_item:
    parts: list[node_builders.Inline] = []
    if step.number is not None:
        parts += [node_builders.inline("rules-number", str(step.number)), " "]
    parts.append(step.text)
    if step.says:
        parts += [" ", node_builders.inline("rules-says", f"Else: {step.says}.")]
    if step.clauses:
        parts += [" ", node_builders.inline("rules-cites", *_clauses(book, step.clauses))]
    item = nodes.list_item("", node_builders.para(*parts), classes=[f"rules-depth-{step.depth}"])
    if step.number is not None and step.key is not None:
        item["ids"] = [nodes.make_id(f"{here}-step-{step.number}-{step.text}")]
    return item


def _clauses(book: Book, clauses: tuple[str, ...]) -> list[node_builders.Inline]:
    shown: list[node_builders.Inline] = [
        node_builders.xref("clause", book.name, clause) if book.inventory.find(clause) else clause for clause in clauses
    ]
    return node_builders.spaced(shown, ", ")


def _formal(book: Book, action: ir.Action, english: EnglishRule, here: str) -> list[nodes.Node]:
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
        marks = mine if inside else shared.setdefault((file, rule_of(step.key)), {})
        if step.number not in marks.setdefault(at, []):
            marks[at].append(step.number)
    shown: list[nodes.Node] = [_place(book, source.name, span), listing(book, source, span, mine, here)]
    if shared:
        # They are the same for every rule that uses them, so each page only says where they are.
        places = [_shared(book, file, owner, marks) for (file, owner), marks in shared.items()]
        names = words.join([words.words(owner) for _, owner in shared])
        shown.append(details([f"Shared with other rules: {names}"], node_builders.bullets(places), css="rules-shared"))
    return shown


def _shared(book: Book, file: str, owner: str, marks: dict[int, list[int]]) -> list[node_builders.Inline]:
    """Return where the lines are that other rules use as well, and which steps are made from them."""
    steps = ", ".join(str(number) for numbers in marks.values() for number in numbers)
    return [
        f"{words.words(owner)} (steps {steps}): ",
        *source_lines(book, file, range(min(marks), max(marks) + 1)),
    ]


def _place(book: Book, name: str, span: range) -> nodes.Node:
    return node_builders.para(node_builders.inline("rules-file", *source_lines(book, name, span)), css="rules-part")


def source_lines(book: Book, name: str, span: range) -> list[node_builders.Inline]:
    """Return where lines of the rules are: a link to the file, and their numbers."""
    where = f"line {span.start}" if len(span) == 1 else f"lines {span.start}–{span[-1]}"
    short = find_game.path_in_game(name)
    path = book.path(short)
    linked = short if path is None else node_builders.file(path, short)
    return [linked, f", {where}"]


def listing(book: Book, source: SourceFile, lines: range, numbers: Mapping[int, list[int]], anchor: str) -> nodes.Node:
    """Return some lines of a file; `numbers` gives the English steps that belong to a line."""
    # The raw source differs from the block's text (it has no gutter), so Sphinx leaves the highlighting to us.
    block = nodes.literal_block("\n".join(source.line(number) for number in lines), "", classes=["rules-listing"])
    wide = len(str(lines[-1]))
    for number, tokens in zip(lines, _tokens(source, lines), strict=True):
        pair = ",".join(map(str, numbers.get(number, ())))
        gutter = [node_builders.inline("rules-line-number", f"{number:>{wide}} {'' if pair else '   '}")]
        gutter += [node_builders.inline("rules-number", f"{pair:^3}")] if pair else []
        line = nodes.inline("", "", *gutter, nodes.Text(" "), classes=["rules-line"], ids=[f"{anchor}-l{number}"])
        line += [_node(book, kind, text) for kind, text in tokens]
        block += [line, nodes.Text("\n")]
    return node_builders.box("highlight-rules notranslate no-search", node_builders.box("highlight", block))


def _tokens(source: SourceFile, lines: range) -> list[list[tuple[_TokenType, str]]]:
    """Return the tokens of each line; the lines begin a declaration, so the highlighter needs no more of the file."""
    text = "\n".join(source.line(number) for number in lines)
    split: list[list[tuple[_TokenType, str]]] = [[]]
    for kind, value in RulesLexer(stripnl=False, ensurenl=False).get_tokens(text):
        first, *rest = value.split("\n")
        split[-1].append((kind, first))
        split.extend([(kind, part)] for part in rest)
    return split


def _node(book: Book, kind: _TokenType, text: str) -> nodes.Node:
    if kind is Name.Label and book.inventory.find(text) is not None:
        return node_builders.xref("clause", book.name, text)
    css = "" if kind in _PLAIN else STANDARD_TYPES.get(kind, "")
    return nodes.inline("", text, classes=[css]) if css and text.strip() else nodes.Text(text)
