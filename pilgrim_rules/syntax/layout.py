"""Layout: source text -> declarations ready for the grammar, and the comments between them.

Reads:  characters.   Writes: `Chunk`s, one a declaration: comments blanked out, continued lines joined, every other
        character at its old place; and `Comment`s, which the formatter and the documentation need.
After:  a chunk begins in column 1, its brackets are balanced, its indentation is consistent and made of spaces; or it is
        left out and the bag says why. So a mistake in one declaration can never hide one in another.

A line continues the one before it if a bracket is still open, if the line before ends with a comma, or if it is
indented deeper and begins with a word that cannot begin a line (`and`, `or`, `implies`, `else`, `cites` …).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.source import SourceFile, Span

MAX_DEPTH = 48
MAX_LOGICAL = 20_000
_CONTINUES = re.compile(r"(and|or|implies|else|cites|because|under|using|div|mod|[-+*]|[=!<>]=|[<>])(?!\w)")
_OPENS_DECLARATION = re.compile(
    r"(game|import|term|enum|type|graph|rows|param|ruling|purse|stages|stageset|state|ghost|public|def|guard|effect|"
    r"action|auto|chance|invariant|step|reachable|audit|law|conserved|terminates|network|score|rank|example|witness)\b"
)
_STRING = re.compile(r'"([^"\\\n]|\\.)*"')
_CLOSES = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment; `text` begins with its marks. A documenting comment begins with two."""

    text: str
    start: int
    line: int
    own_line: bool

    @property
    def doc(self) -> str | None:
        """The words of a documenting comment, or None."""
        return self.text[2:].strip() if self.text.startswith("##") and not self.text.startswith("###") else None


@dataclass(frozen=True, slots=True)
class Chunk:
    """The text of one declaration, beginning at `offset` of the file."""

    text: str
    offset: int


@dataclass(slots=True)
class Layout:
    """The result of the pass."""

    chunks: list[Chunk] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)


@dataclass(slots=True)
class _Draft:
    """A declaration while its lines are read."""

    offset: int
    lines: list[str]
    gap: list[str] = field(default_factory=list)  #: blank lines since the last line with text
    indents: list[int] = field(default_factory=lambda: [0])
    open: list[tuple[str, int]] = field(default_factory=list)
    logical_indent: int = 0
    logical_start: int = 0
    good: bool = True

    def add(self, line: str, joint: str) -> None:
        """Append a line; `joint` stands where its line break and those of the gap were."""
        self.lines.extend(joint + blank for blank in self.gap)
        self.lines.append(joint + line)
        self.gap.clear()


def lay_out(source: SourceFile, bag: Bag) -> Layout:
    """Cut a file into declarations."""
    layout = Layout()
    draft: _Draft | None = None
    for number, start in enumerate(source.starts, 1):
        raw = source.line(number)
        line = _blank_comment(source, raw, start, number, layout, bag)
        stripped = line.lstrip()
        if draft is not None and draft.open and not line[:1].isspace() and _OPENS_DECLARATION.match(line):
            _unclosed(source, draft, bag)
        if not stripped:
            if draft is not None:
                draft.gap.append(line)
            continue
        indent = len(line) - len(stripped)
        if "\t" in line[:indent]:
            at = start + line.index("\t")
            bag.add(
                codes.PR102,
                "a tab in the indentation",
                Span(source.name, at, at + 1),
                help="indent with spaces, four a level",
            )
            if draft is not None:
                draft.good = False
            line = line.replace("\t", " ")
        if draft is not None and (draft.open or _continues(draft, stripped, indent)):
            draft.add(line, " ")
        elif indent == 0:
            _finish(source, draft, layout, bag)
            draft = _Draft(start, [line], logical_start=start)
        elif draft is None:
            span = Span(source.name, start + indent, start + len(line.rstrip()))
            bag.add(codes.PR103, "the first line of a file must not be indented", span)
            draft = _Draft(start, [line], logical_start=start, good=False)
        else:
            _indent(source, draft, indent, start, bag)
            draft.add(line, "\n")
            draft.logical_indent, draft.logical_start = indent, start
        _brackets(source, draft, line, start, bag)
        if start + len(line) - draft.logical_start > MAX_LOGICAL and draft.good:
            span = Span(source.name, draft.logical_start, draft.logical_start + 40)
            bag.add(
                codes.PR107,
                f"a line of more than {MAX_LOGICAL} characters",
                span,
                help="split it into named definitions",
            )
            draft.good = False
    _finish(source, draft, layout, bag)
    return layout


def _blank_comment(source: SourceFile, raw: str, start: int, number: int, layout: Layout, bag: Bag) -> str:
    """Return the line with its comment blanked out; record the comment."""
    if "#" not in raw and '"' not in raw:
        return raw
    at = 0
    while at < len(raw):
        if raw[at] == '"':
            found = _STRING.match(raw, at)
            if found is None:
                span = Span(source.name, start + at, start + len(raw))
                bag.add(codes.PR104, "this text is not closed", span, help='a text ends with `"` on the line it begins')
                return raw[:at] + '""' + " " * max(0, len(raw) - at - 2)
            at = found.end()
        elif raw[at] == "#":
            text = raw[at:].rstrip()
            layout.comments.append(Comment(text, start + at, number, own_line=not raw[:at].strip()))
            return raw[:at] + " " * (len(raw) - at)
        else:
            at += 1
    return raw


def _continues(draft: _Draft, stripped: str, indent: int) -> bool:
    if draft.lines[-1].rstrip().endswith(","):
        return indent > 0
    return indent > draft.logical_indent and _CONTINUES.match(stripped) is not None


def _indent(source: SourceFile, draft: _Draft, indent: int, start: int, bag: Bag) -> None:
    if indent > draft.indents[-1]:
        draft.indents.append(indent)
        if len(draft.indents) > MAX_DEPTH and draft.good:
            bag.add(
                codes.PR106, f"more than {MAX_DEPTH} levels of indentation", Span(source.name, start, start + indent)
            )
            draft.good = False
        return
    while indent < draft.indents[-1]:
        draft.indents.pop()
    if indent != draft.indents[-1]:
        span = Span(source.name, start, start + indent)
        bag.add(
            codes.PR105,
            "this line is indented like no line above it",
            span,
            help="line it up with the block it belongs to",
        )
        draft.good = False
        draft.indents.append(indent)


def _brackets(source: SourceFile, draft: _Draft, line: str, start: int, bag: Bag) -> None:
    if not any(char in line for char in "()[]{}"):
        return
    at = 0
    while at < len(line):
        char = line[at]
        if char == '"':
            found = _STRING.match(line, at)
            at = found.end() if found else len(line)
            continue
        if char in "([{":
            draft.open.append((char, start + at))
            if len(draft.open) == MAX_DEPTH and draft.good:
                bag.add(
                    codes.PR106,
                    f"more than {MAX_DEPTH} brackets inside each other",
                    Span(source.name, start + at, start + at + 1),
                )
                draft.good = False
        elif char in _CLOSES:
            if draft.open and draft.open[-1][0] == _CLOSES[char]:
                draft.open.pop()
            elif draft.good:
                span = Span(source.name, start + at, start + at + 1)
                bag.add(codes.PR108, f"`{char}` closes no bracket", span)
                draft.good = False
        at += 1


def _unclosed(source: SourceFile, draft: _Draft, bag: Bag) -> None:
    if draft.good:
        char, at = draft.open[-1]
        bag.add(codes.PR108, f"`{char}` is never closed", Span(source.name, at, at + 1))
    draft.good = False
    draft.open.clear()


def _finish(source: SourceFile, draft: _Draft | None, layout: Layout, bag: Bag) -> None:
    if draft is None:
        return
    if draft.open:
        _unclosed(source, draft, bag)
    if draft.good:
        layout.chunks.append(Chunk("".join(draft.lines).replace("\r", " ") + "\n", draft.offset))
