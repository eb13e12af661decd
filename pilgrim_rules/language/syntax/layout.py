"""Layout: source text -> declarations ready for the grammar, and the comments between them.

Reads:  characters.   Writes: `Chunk`s, one a declaration: comments blanked out, continued lines joined, every other
        character at its old place; `Line`s and `Comment`s, which the formatter and the documentation need.
After:  a chunk begins in column 1, its brackets are balanced, its indentation is consistent and made of spaces; or it is
        left out and the bag says why. So a mistake in one declaration can never hide one in another.

A line continues the one before it if a bracket is still open, if the line before ends with a comma, or if it is
indented deeper and begins with a word that cannot begin a line (`and`, `or`, `implies`, `else`, `where`, `cites` …).
A documenting comment beside a line may be followed, after two blanks, by the clauses that the line cites.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.diagnostics.codes import Code
from pilgrim_rules.diagnostics.source import SourceFile, Span

MAX_DEPTH = 48
MAX_LOGICAL = 20_000
_CONTINUES = re.compile(
    r'(and|or|implies|else|where|cites|because|under|using|refused(?=\s*")|div|mod|[-+*]|[=!<>]=|[<>])(?!\w)'
)
_OPENS_DECLARATION = re.compile(
    r"(game|import|term|enum|type|graph|rows|param|ruling|option|preset|purse|stages|stageset|state|zones|ghost|public|def|guard|"
    r"effect|action|auto|chance|invariant|step|reachable|audit|law|conserved|terminates|network|score|rank|example|witness|"
    r"figure|campaign|text|module|use|edition|symmetry)\b"
)
_STRING = re.compile(r'"([^"\\\n]|\\.)*"')
_CLAUSE = r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)+"
_CITES = re.compile(rf"cites\s+{_CLAUSE}(\s*,\s*{_CLAUSE})*\s*")
_SWALLOWED = re.compile(rf"(?<=\s)(cites\s+{_CLAUSE}(\s*,\s*{_CLAUSE})*)\s*$")
_CLOSES = {")": "(", "]": "[", "}": "{"}


def is_doc(comment: str) -> bool:
    """Tell whether a comment, which begins with its marks, documents."""
    return comment.startswith("##") and not comment.startswith("###")


def continues(text: str) -> bool:
    """Tell whether a line that begins like this goes on with the one before it, if it is indented deeper."""
    return _CONTINUES.match(text) is not None


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment; `text` begins with its marks. A documenting comment begins with two.

    depth  how deep a comment on a line of its own belongs, however it is indented: never less deep than the line after
           it, and as deep as the block it is indented like.
    """

    text: str
    start: int
    line: int
    own_line: bool
    depth: int = 0

    @property
    def doc(self) -> str | None:
        """The words of a documenting comment, or None."""
        return self.text[2:].strip() if is_doc(self.text) else None


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of code: how deep it stands, and the number of the line that it continues (its own if none)."""

    number: int
    depth: int
    first: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """The text of one declaration, beginning at `offset` of the file."""

    text: str
    offset: int


@dataclass(slots=True)
class SourceLayout:
    """The result of the pass; lines by their number."""

    chunks: list[Chunk] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    lines: dict[int, SourceLine] = field(default_factory=dict)


def lay_out(source: SourceFile, bag: Bag) -> SourceLayout:
    """Cut a file into declarations."""
    reader = _Reader(source, bag)
    for number, start in enumerate(source.starts, 1):
        reader.line(number, start, source.line(number))
    reader.finish()
    return reader.layout


@dataclass(slots=True)
class _Draft:
    """A declaration while its lines are read."""

    offset: int
    lines: list[str] = field(default_factory=list)
    gap: list[str] = field(default_factory=list)  #: blank lines since the last line with text
    indents: list[int] = field(default_factory=lambda: [0])
    open: list[tuple[str, int]] = field(default_factory=list)
    first: int = 0  #: number, indentation and offset of the last line that continues no other
    indent: int = 0
    start: int = 0
    good: bool = True

    def add(self, line: str, joint: str) -> None:
        """Append a line; `joint` stands where its line break and those of the gap were."""
        self.lines.extend(joint + blank for blank in self.gap)
        self.lines.append(joint + line if self.lines else line)
        self.gap.clear()

    def continued_by(self, stripped: str, indent: int) -> bool:
        """Tell whether a line goes on where the last one stopped."""
        if self.open:
            return True
        if self.lines[-1].rstrip().endswith(","):
            return indent > 0
        return indent > self.indent and continues(stripped)


@dataclass(slots=True)
class _Reader:
    """Reads a file line by line."""

    source: SourceFile
    bag: Bag
    layout: SourceLayout = field(default_factory=SourceLayout)
    draft: _Draft | None = None
    waiting: list[tuple[Comment, int]] = field(default_factory=list)  #: on lines of their own, with their indentation
    tabs: bool = False

    def line(self, number: int, start: int, raw: str) -> None:
        """Read one line."""
        line, comment = self._without_comment(number, start, raw)
        stripped = line.lstrip()
        indent = len(line) - len(stripped)
        draft = self.draft
        if draft is not None and draft.open and indent == 0 and _OPENS_DECLARATION.match(line):
            self._unclosed(draft)
        if not stripped:
            if comment is not None:
                self.waiting.append((comment, comment.start - start))
            if draft is not None:
                draft.gap.append(line)
            return
        if "\t" in line[:indent]:
            self._tab(start + line.index("\t"))
            line = line.replace("\t", " ")
        if draft is not None and draft.continued_by(stripped, indent):
            self._place_comments(len(draft.indents))
            draft.add(line, " ")
        else:
            draft = self._next_line(draft, number, start, indent, line)
        self.layout.lines[number] = SourceLine(number, len(draft.indents) - 1 + (number != draft.first), draft.first)
        if comment is not None:
            self.layout.comments.append(comment)
        self._brackets(draft, line, start)
        if start + len(line) - draft.start > MAX_LOGICAL:
            help_ = "split it into named definitions"
            self._reject_declaration(
                draft, codes.PR107, f"a line of more than {MAX_LOGICAL} characters", draft.start, 40, help_
            )

    def finish(self) -> None:
        """Close the last declaration."""
        self._place_comments(None)
        self._close()

    def _next_line(self, draft: _Draft | None, number: int, start: int, indent: int, line: str) -> _Draft:
        """Begin a declaration, or a line of its block."""
        if draft is None or indent == 0:
            self._place_comments(0)
            self._close()
            draft = self.draft = _Draft(start, good=not self.tabs or indent == 0)
            if indent > 0:
                what = "the first line of a file must not be indented"
                help_ = "a declaration begins in the first column"
                self._reject_declaration(draft, codes.PR103, what, start + indent, len(line.rstrip()) - indent, help_)
        else:
            levels = tuple(draft.indents)
            self._indent(draft, indent, start)
            self._place_comments(len(draft.indents) - 1, levels)
        draft.add(line, "\n")
        draft.first, draft.indent, draft.start = number, indent, start
        return draft

    # comments ------------------------------------------------------------------------------------------------------

    def _without_comment(self, number: int, start: int, raw: str) -> tuple[str, Comment | None]:
        """Return the line with its comment blanked out, and the comment."""
        at = 0
        while (at := _next_of(raw, at)) < len(raw):
            if raw[at] == "#":
                own_line = not raw[:at].strip()
                end = len(raw) if own_line or raw[at : at + 2] != "##" else _end_of_doc(raw, at)
                text = raw[at:end].rstrip()
                if not own_line and is_doc(text):
                    self._must_not_cite(start + at, text)
                return raw[:at] + " " * (end - at) + raw[end:], Comment(text, start + at, number, own_line)
            found = _STRING.match(raw, at)
            if found is None:
                span = Span(self.source.name, start + at, start + len(raw))
                help_ = 'a text ends with `"` on the line it begins'
                self.bag.add(codes.PR104, "this text is not closed", span, help=help_)
                return raw[:at] + '""' + " " * max(0, len(raw) - at - 2), None
            at = found.end()
        return raw, None

    def _must_not_cite(self, start: int, text: str) -> None:
        """Report a citation that a documenting comment beside a line has swallowed."""
        found = _SWALLOWED.search(text)
        if found is not None:
            span = Span(self.source.name, start + found.start(1), start + found.end(1))
            help_ = "put two blanks before `cites`, or the citation before the comment"
            self.bag.add(codes.PR117, "this citation is part of the comment", span, help=help_)

    def _place_comments(self, depth: int | None, levels: tuple[int, ...] | None = None) -> None:
        """Give the comments before a line their depth; `levels` are the blocks open before it, None: all of the draft."""
        if levels is None:
            levels = tuple(self.draft.indents) if self.draft is not None else ()
        for comment, indent in self.waiting:
            inside = sum(level <= indent for level in levels) - 1 + (bool(levels) and indent > levels[-1])
            deep = depth if depth is not None and depth >= len(levels) else max(depth or 0, inside)
            self.layout.comments.append(Comment(comment.text, comment.start, comment.line, comment.own_line, deep))
        self.waiting.clear()

    # mistakes ------------------------------------------------------------------------------------------------------

    def _reject_declaration(
        self, draft: _Draft, code: Code, message: str, start: int, length: int = 1, help_: str | None = None
    ) -> None:
        """Report why a declaration is left out; what is wrong with it besides is not worth reading."""
        if draft.good:
            self.bag.add(code, message, Span(self.source.name, start, start + length), help=help_)
        draft.good = False

    def _tab(self, at: int) -> None:
        """Report a tab once a file: where there is one there are many."""
        if not self.tabs:
            help_ = "indent with spaces, four a level"
            self.bag.add(codes.PR102, "a tab in the indentation", Span(self.source.name, at, at + 1), help=help_)
        self.tabs = True
        if self.draft is not None:
            self.draft.good = False

    def _indent(self, draft: _Draft, indent: int, start: int) -> None:
        if indent > draft.indents[-1]:
            draft.indents.append(indent)
            if len(draft.indents) > MAX_DEPTH:
                what = f"more than {MAX_DEPTH} levels of indentation"
                self._reject_declaration(
                    draft, codes.PR106, what, start, indent, "name a part of it with `effect` or `def`"
                )
            return
        while indent < draft.indents[-1]:
            draft.indents.pop()
        if indent != draft.indents[-1]:
            help_ = "line it up with the block it belongs to"
            self._reject_declaration(
                draft, codes.PR105, "this line is indented like no line above it", start, indent, help_
            )
            draft.indents.append(indent)

    def _brackets(self, draft: _Draft, line: str, start: int) -> None:
        at = 0
        while (at := _next_of(line, at, _BRACKET)) < len(line):
            char = line[at]
            if char == '"':
                found = _STRING.match(line, at)
                at = found.end() if found else len(line)
                continue
            if char in "([{":
                draft.open.append((char, start + at))
                if len(draft.open) == MAX_DEPTH:
                    what = f"more than {MAX_DEPTH} brackets inside each other"
                    self._reject_declaration(
                        draft, codes.PR106, what, start + at, 1, "name a part of it with `let` or `def`"
                    )
            elif draft.open and draft.open[-1][0] == _CLOSES[char]:
                draft.open.pop()
            else:
                what = f"`{char}` closes no bracket"
                if draft.open:
                    what = f"`{char}` does not close `{draft.open[-1][0]}`"
                self._reject_declaration(draft, codes.PR108, what, start + at)
            at += 1

    def _unclosed(self, draft: _Draft) -> None:
        char, at = draft.open[-1]
        self._reject_declaration(draft, codes.PR108, f"`{char}` is never closed", at)
        draft.open.clear()

    def _close(self) -> None:
        draft = self.draft
        if draft is not None and draft.open:
            self._unclosed(draft)
        if draft is not None and draft.good:
            self.layout.chunks.append(Chunk("".join(draft.lines).replace("\r", " ") + "\n", draft.offset))


_COMMENT_OR_TEXT = re.compile(r'[#"]')
_BRACKET = re.compile(r'[][(){}"]')


def _next_of(text: str, at: int, wanted: re.Pattern[str] = _COMMENT_OR_TEXT) -> int:
    """Return where the next of the wanted characters stands; the end of the text if there is none."""
    found = wanted.search(text, at)
    return len(text) if found is None else found.start()


def _end_of_doc(line: str, at: int) -> int:
    """Return where a documenting comment beside a line ends: with the line, or two blanks before what the line cites."""
    end = line.rfind("  cites ", at) + 2
    return end if end > at and _CITES.fullmatch(line, end) else len(line)
