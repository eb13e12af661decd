"""The formal text of a rule: highlighted, with its own line numbers and the numbers that pair it with the English.

Reads:  source text and spans.   Writes: one literal block of inline nodes, so that every line can be linked and found.
After:  the text of the block is the text of the file; numbers stand in a gutter that is not copied with it.
"""

from __future__ import annotations

from collections.abc import Mapping

from docutils import nodes
from pygments.token import STANDARD_TYPES, Name, _TokenType

from pilgrim_rules.lexer import RulesLexer
from pilgrim_rules.source import SourceFile
from rules_docs import build
from rules_docs.shelf import Book

__all__ = ["listing"]


def listing(book: Book, source: SourceFile, lines: range, numbers: Mapping[int, list[int]], anchor: str) -> nodes.Node:
    """Return some lines of a file; `numbers` gives the English steps that belong to a line."""
    # The raw source differs from the block's text (it has no gutter), so Sphinx leaves the highlighting to us.
    block = nodes.literal_block("\n".join(source.line(number) for number in lines), "", classes=["rules-listing"])
    wide = len(str(lines[-1]))
    for number, tokens in zip(lines, _tokens(source, lines), strict=True):
        pair = ",".join(map(str, numbers.get(number, ())))
        gutter = build.inline("rules-line-number", f"{number:>{wide}} ")
        marks = build.inline("rules-number" if pair else "rules-no-number", f"{pair:^3}")
        line = nodes.inline("", "", gutter, marks, nodes.Text(" "), classes=["rules-line"], ids=[f"{anchor}-l{number}"])
        line += [_node(book, kind, text) for kind, text in tokens]
        block += [line, nodes.Text("\n")]
    return build.box("highlight-rules notranslate", build.box("highlight", block))


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
        return build.xref("clause", book.name, text)
    css = STANDARD_TYPES.get(kind, "")
    return nodes.inline("", text, classes=[css]) if css and text.strip() else nodes.Text(text)
