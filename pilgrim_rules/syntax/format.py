"""Format: rules in their one canonical layout.

Reads:  source text.   Writes: the same text, laid out anew; the author's line breaks and every comment stay.
After:  the text parses to an equal tree, which is checked, and formatting it again changes nothing.

Four blanks a level, and as many more for a continued line; one blank around operators, none inside brackets. The colons
of a table of variables, columns or rows stand below each other, and so do the comments beside the lines of a paragraph,
and the clauses they cite. One empty line separates declarations, except one-liners that the author keeps together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pilgrim_rules.diagnostics.bag import Bag, RulesError
from pilgrim_rules.source import SourceFile
from pilgrim_rules.syntax import ast
from pilgrim_rules.syntax.layout import Comment, Layout, Line, lay_out
from pilgrim_rules.syntax.parse import parse
from pilgrim_rules.syntax.spacing import Word, spaced, words

INDENT = 4
CITES_AT = (64, 72, 80)  #: columns for clauses; a paragraph takes the first in which all its lines fit
WIDEST_NAME = 32  #: a longer name does not push the colons of its table to the right
WIDEST_CODE = 60  #: a longer line does not push the comments beside its neighbours to the right
_TABLES = frozenset({"STATE", "GHOST", "ROWS", "GRAPH"})  # heads of declarations whose lines are tables


@dataclass(slots=True)
class _Row:
    """A line of the result: code, a comment beside it or alone, and the clauses; in the author's order."""

    number: int
    depth: int
    code: str = ""
    comment: str = ""
    cites: str = ""
    cites_first: bool = False
    head: bool = False  #: begins a declaration
    block: bool = False  #: is part of a declaration of several lines
    table: str = (
        ""  #: in a table: the word its line begins with, if that is not a name, and what stands before its colon
    )
    blank: bool = False  #: an empty line stands before it
    cites_at: int = 0
    comment_at: int = 0

    @property
    def alone(self) -> bool:
        """Tell whether it is a comment on a line of its own."""
        return not self.code and not self.cites

    def text(self) -> str:
        """Return the line."""
        line = " " * (INDENT * self.depth) + (self.comment if self.alone else self.code)
        comment = (self.comment, self.comment_at)
        cites = (self.cites, self.cites_at)
        for part, column in () if self.alone else (cites, comment) if self.cites_first else (comment, cites):
            if part:
                line = (line + "  ").ljust(column) + part
        return line


def format_source(text: str, name: str) -> str:
    """Return the text in canonical layout; `RulesError` if it cannot be parsed."""
    source, tree = _parsed(text, name)
    rows = _rows(source)
    _separate(rows)
    for paragraph in _paragraphs(rows):
        _align(paragraph)
    made = "".join(("\n" if row.blank else "") + row.text() + "\n" for row in rows)
    _, again = _parsed(made, name)
    if again != tree:  # a promise to the author, so it is checked in every run and not only in tests
        raise AssertionError(f"formatting {name} would change its meaning")
    return made


def _parsed(text: str, name: str) -> tuple[SourceFile, ast.File]:
    source = SourceFile(name, text.replace("\r\n", "\n"))
    bag = Bag()
    tree = parse(source, bag)
    if bag.errors:
        raise RulesError(tuple(bag), bag.sources)
    return source, tree


# ---------------------------------------------------------------------------------------------------------------- rows


def _rows(source: SourceFile) -> list[_Row]:
    """Return the lines with their words spaced, those of comments between them."""
    layout = lay_out(source, Bag())
    beside = {comment.line: comment for comment in layout.comments if not comment.own_line}
    rows = [_Row(comment.line, comment.depth, comment=comment.text) for comment in layout.comments if comment.own_line]
    for declaration in words(source, layout):
        rows += _declaration(source, layout, declaration, beside)
    rows.sort(key=lambda row: row.number)
    for last, row in pairwise(rows):
        row.blank = row.number > last.number + 1
        if row.alone and row.depth > 0 and last.head:
            last.block = True
    return rows


def _declaration(source: SourceFile, layout: Layout, found: list[Word], beside: dict[int, Comment]) -> Iterator[_Row]:
    lines: dict[int, list[Word]] = {}
    for word in found:
        lines.setdefault(source.position(word.offset)[0], []).append(word)
    block = len({layout.lines[number].first for number in lines}) > 1
    before: Word | None = None
    for number, line in lines.items():
        place = layout.lines[number]
        before = None if place.first == number else before
        yield _row(line, place, found[0], before, beside.get(number), block=block)
        before = line[-1]


def _row(
    line: list[Word], place: Line, head: Word, before: Word | None, beside: Comment | None, *, block: bool
) -> _Row:
    row = _Row(place.number, place.depth, head=line[0] is head, block=block)
    cites = _trailing_cites(line)
    starts = place.first == place.number
    colon = _colon(line) if starts and place.depth == 1 and head.kind in _TABLES else None
    row.code = spaced(line[:cites], before, table=colon is not None or (starts and head.kind == "PARAM"))
    row.cites = spaced(line[cites:], line[cites - 1] if cites else before)
    if colon is not None:
        row.table = spaced(line[:colon])
    if not row.code:  # a line that only cites is code like any other
        row.code, row.cites = row.cites, ""
    if beside is not None:
        row.comment = beside.text
        row.cites_first = bool(row.cites) and beside.start > line[cites].offset
    return row


def _trailing_cites(line: Sequence[Word]) -> int:
    """Return where the clauses at the end of a line begin; its length if there are none."""
    at = len(line)
    while at and (line[at - 1].kind == "CLAUSE" or line[at - 1].text == ","):
        at -= 1
    return at - 1 if at and at < len(line) and line[at - 1].kind == "CITES" else len(line)


def _colon(line: Sequence[Word]) -> int | None:
    """Return the place of the first colon outside brackets."""
    depth = 0
    for at, word in enumerate(line):
        if word.text == ":" and depth == 0:
            return at
        depth += (word.text in "([{") - (word.text in ")]}")
    return None


# -------------------------------------------------------------------------------------------------------------- layout


def _separate(rows: list[_Row]) -> None:
    """Put an empty line between declarations, unless both are of one line and the author has put none."""
    after_block = False
    for at, row in enumerate(rows):
        begins = row.depth == 0 and (row.head or row.alone)
        if at == 0:
            row.blank = False
        elif begins and not (rows[at - 1].alone and rows[at - 1].depth == 0):
            head = next((later for later in rows[at:] if later.head), None)
            row.blank |= after_block or (head is not None and head.block)
        if row.head:
            after_block = row.block


def _paragraphs(rows: list[_Row]) -> Iterator[list[_Row]]:
    """Yield the declarations that no empty line separates, together."""
    paragraph: list[_Row] = []
    for row in rows:
        if row.blank and row.depth == 0 and paragraph:
            yield paragraph
            paragraph = []
        paragraph.append(row)
    yield paragraph


def _align(rows: list[_Row]) -> None:
    """Align the colons of tables, then the comments beside lines, then the clauses."""
    for kind in (True, False):
        table = [row for row in rows if row.table and row.table.startswith("row ") == kind]
        width = max((len(row.table) for row in table if len(row.table) <= WIDEST_NAME), default=0)
        for row in table:
            row.code = row.table.ljust(width) + row.code.removeprefix(row.table)
    beside = [row for row in rows if row.comment and not row.alone and not row.cites_first]
    width = max((len(row.code) for row in beside if len(row.code) <= WIDEST_CODE), default=0)
    for row in beside:
        row.comment_at = INDENT * row.depth + width + 2
    cited = [(row, _width(row)) for row in rows if row.cites]
    column = next((at for at in CITES_AT if all(width + 2 <= at or width + 2 > CITES_AT[-1] for _, width in cited)), 0)
    for row, _ in cited:
        row.cites_at = column


def _width(row: _Row) -> int:
    """Return how much of a line stands before its clauses."""
    code = INDENT * row.depth + len(row.code)
    return code if row.cites_first or not row.comment else max(code + 2, row.comment_at) + len(row.comment)
