"""Format: rules in their one canonical layout.

Reads:  source text.   Writes: the same text, laid out again; the author's line breaks and every comment stay.
After:  the text parses to an equal tree, which is checked, and formatting it again changes nothing. No line is wider than
        `WIDTH`, except one that cannot be broken: a long text in quotes, a long comment beside a line.

Four blanks a level, and as many more for a continued line; one blank around operators, none inside brackets. The colons
of a table of variables, columns or rows stand below each other, and so do the comments beside the lines of a paragraph,
and the clauses they cite. A line that is too wide is broken, and clauses that do not fit beside it stand below it. One
empty line separates declarations, except one-liners that the author keeps together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pilgrim_rules.diagnostics.bag import Bag, RulesError
from pilgrim_rules.diagnostics.source import SourceFile
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.language.syntax.layout import Comment, SourceLayout, SourceLine, is_doc, lay_out
from pilgrim_rules.language.syntax.line_breaks import broken, go_together, joined, lines_of, wrapped
from pilgrim_rules.language.syntax.parse import parse
from pilgrim_rules.language.syntax.spacing import CLOSING, OPENING, SpacedWord, spaced, words

WIDTH = 110  #: what a review tool shows of a line
INDENT = 4
CITES_AT = (64, 72, 80)  #: columns for clauses; a paragraph takes the first in which all its lines fit
WIDEST_NAME = 32  #: a longer name does not push the colons of its table to the right
WIDEST_CODE = 60  #: a longer line does not push the comments beside its neighbours to the right
_TABLES = frozenset({"STATE", "GHOST", "ROWS", "GRAPH", "MODULE"})  # heads of declarations whose lines are tables


@dataclass(slots=True)
class _Row:
    """A line of the result: code, a comment beside it or alone, and the clauses; in the author's order."""

    number: int
    depth: int
    line: Sequence[SpacedWord] = ()  #: the words of its code
    before: SpacedWord | None = None  #: the word that it continues
    opened: int = 0  #: how many brackets are open where it begins
    code: str = ""
    comment: str = ""
    clauses: Sequence[SpacedWord] = ()  #: the words of its clauses
    cites: str = ""
    cites_first: bool = False
    head: bool = False  #: begins a declaration
    block: bool = False  #: is part of a declaration of several lines
    free_colon: bool = False  #: its first colon stands free
    table: str = ""  #: what stands before the colon, in a table
    blank: bool = False  #: an empty line stands before it
    cites_at: int = 0
    comment_at: int = 0

    @property
    def alone(self) -> bool:
        """Tell whether it is a comment on a line of its own."""
        return not self.code and not self.cites

    @property
    def deeper(self) -> int:
        """How deep the lines stand that continue it."""
        return self.depth + (self.before is None)

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
    rows = [row for paragraph in _paragraphs(_wrap(rows)) for row in _fit(paragraph)]
    made = "".join(("\n" if row.blank else "") + row.text() + "\n" for row in rows)
    if made == text:
        return text
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


def _declaration(
    source: SourceFile, layout: SourceLayout, found: list[SpacedWord], beside: dict[int, Comment]
) -> Iterator[_Row]:
    lines: dict[int, list[SpacedWord]] = {}
    for word in found:
        lines.setdefault(source.position(word.offset)[0], []).append(word)
    block = len({layout.lines[number].first for number in lines}) > 1
    before: SpacedWord | None = None
    opened = 0
    for number, line in lines.items():
        place = layout.lines[number]
        if place.first == number:
            before, opened = None, 0
        row = _row(line, place, found[0], before, beside.get(number), block=block)
        row.opened = opened
        yield row
        before = line[-1]
        opened += _balance(line)


def _row(
    line: list[SpacedWord],
    place: SourceLine,
    head: SpacedWord,
    before: SpacedWord | None,
    beside: Comment | None,
    *,
    block: bool,
) -> _Row:
    cites = _trailing_cites(line)
    cites = cites or len(line)  # a line that only cites is code like any other
    row = _Row(place.number, place.depth, line[:cites], before, clauses=line[cites:], head=line[0] is head, block=block)
    starts = place.first == place.number
    colon = _colon(line) if starts and place.depth == 1 and head.kind in _TABLES else None
    row.free_colon = colon is not None or (starts and head.kind == "PARAM")
    row.code = spaced(row.line, before, table=row.free_colon)
    row.cites = spaced(row.clauses, row.line[-1])
    if colon is not None:
        row.table = spaced(line[:colon])
    if beside is not None:
        row.comment = beside.text
        row.cites_first = bool(row.cites) and beside.start > line[cites].offset
    return row


def _balance(line: Sequence[SpacedWord]) -> int:
    """Return how many brackets are opened and not closed."""
    return sum((word.text in OPENING) - (word.text in CLOSING) for word in line)


def _trailing_cites(line: Sequence[SpacedWord]) -> int:
    """Return where the clauses at the end of a line begin; its length if there are none."""
    at = len(line)
    while at and (line[at - 1].kind == "CLAUSE" or line[at - 1].text == ","):
        at -= 1
    return at - 1 if at and at < len(line) and line[at - 1].kind == "CITES" else len(line)


def _colon(line: Sequence[SpacedWord]) -> int | None:
    """Return the place of the first colon outside brackets."""
    depth = 0
    for at, word in enumerate(line):
        if word.text == ":" and depth == 0:
            return at
        depth += (word.text in OPENING) - (word.text in CLOSING)
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


def _fit(rows: list[_Row]) -> list[_Row]:
    """Align the parts of the lines of a paragraph; break lines, and put clauses below, where they are too wide."""
    _align_colons(rows)
    rows = [part for row in rows for part in _break(row)]
    _align(rows)
    while any(row.cites and len(row.text()) > WIDTH for row in rows):
        rows = [part for row in rows for part in _clauses_below(row)]
        _align(rows)  # without those that have gone
    return rows


def _break(row: _Row) -> Iterator[_Row]:
    """Yield the lines of a line; what stands beside it stands beside the last."""
    room = WIDTH - INDENT * row.depth
    if row.alone or len(row.code) <= room:
        yield row
        return
    aligned = len(row.code) - len(spaced(row.line, row.before))
    first, *others = broken(row.line, row.before, row.opened, room - aligned, WIDTH - INDENT * row.deeper)
    if not others:
        yield row
        return
    before = row.before
    for line in (first, *others):
        cites = _trailing_cites(line) or len(line)
        code = spaced(line[:cites], before)
        part = replace(row, line=line[:cites], before=before, code=code)
        if line is first:
            part.code = row.code[: len(row.code) - len(spaced(row.line[cites:], line[cites - 1]))].rstrip()
        else:
            part = replace(part, depth=row.deeper, head=False, table="", blank=False)
        if line is not others[-1]:
            clauses = line[cites:]
            cited = spaced(clauses, line[cites - 1])
            part = replace(part, comment="", clauses=clauses, cites=cited, cites_first=False)
        yield part
        before = line[-1]


def _clauses_below(row: _Row) -> Iterator[_Row]:
    """Yield a line, and its clauses behind the comment or on lines of their own if they do not fit beside it."""
    if not row.cites or len(row.text()) <= WIDTH:
        yield row
        return
    if row.cites_first and is_doc(row.comment):
        yield replace(row, cites_first=False)
        return
    before = row.line[-1]
    below = _Row(row.number, row.deeper, row.clauses, before, code=row.cites, block=row.block)
    yield replace(row, clauses=(), cites="", cites_first=False)
    yield from _break(below)


def _wrap(rows: list[_Row]) -> list[_Row]:
    """Return the lines; a comment that is too wide goes on in the comment below it, or on a line of its own."""
    made: list[_Row] = []
    waiting = rows[::-1]
    while waiting:
        row = waiting.pop()
        made.append(row)
        first, rest = wrapped(row.comment, WIDTH - INDENT * row.depth) if row.alone else (row.comment, "")
        if rest and waiting and _goes_on(row, waiting[-1]):
            row.comment, below = first, waiting.pop()
            waiting.append(replace(below, comment=joined(first, rest, below.comment)))
        elif rest:
            goes_on = len(made) > 1 and made[-2].alone and _goes_on(made[-2], row)
            row.comment, *others = lines_of(row.comment, WIDTH - INDENT * row.depth, even=not goes_on)
            made += [replace(row, comment=comment, blank=False) for comment in others]
    return made


def _goes_on(row: _Row, below: _Row) -> bool:
    """Tell whether a comment goes on in the line below it."""
    return below.alone and not below.blank and row.depth == below.depth and go_together(row.comment, below.comment)


def _align_colons(rows: list[_Row]) -> None:
    for kind in (True, False):
        table = [row for row in rows if row.table and row.table.startswith("row ") == kind]
        width = max((len(row.table) for row in table if len(row.table) <= WIDEST_NAME), default=0)
        for row in table:
            row.code = row.table.ljust(width) + row.code.removeprefix(row.table)


def _align(rows: list[_Row]) -> None:
    """Align the comments beside lines, then the clauses."""
    beside = [row for row in rows if row.comment and not row.alone and not row.cites_first]
    width = max((len(row.code) for row in beside if len(row.code) <= WIDEST_CODE), default=0)
    for row in beside:
        row.comment_at = INDENT * row.depth + width + 2
    cited = [row for row in rows if row.cites]
    for row in cited:
        row.cites_at = 0  # while the columns are compared
    narrow = [width + 2 for row in cited if (width := _width(row)) + 2 <= CITES_AT[-1]]
    column = next((at for at in CITES_AT if all(width <= at for width in narrow)), 0)
    too_wide = {at: sum(len(replace(row, cites_at=at).text()) > WIDTH for row in cited) for at in CITES_AT}
    column = min((at for at in CITES_AT if at <= column), key=lambda at: (too_wide[at], -at), default=0)
    for row in cited:
        row.cites_at = column


def _width(row: _Row) -> int:
    """Return how much of a line stands before its clauses."""
    code = INDENT * row.depth + len(row.code)
    return code if row.cites_first or not row.comment else max(code + 2, row.comment_at) + len(row.comment)
