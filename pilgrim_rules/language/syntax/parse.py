"""Parse: source text -> surface syntax tree.

Reads:  a source file.   Writes: its declarations.
After:  every declaration that could be read is in the tree; for each that could not, the bag holds what was found
        and what was expected instead. No message of lark's reaches the user.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from operator import attrgetter

from lark import Lark, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag, Diagnostic
from pilgrim_rules.diagnostics.source import SourceFile, Span
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.language.syntax.build_rules import BuildRules
from pilgrim_rules.language.syntax.grammar import parsed, parsing
from pilgrim_rules.language.syntax.layout import Chunk, SourceLayout, lay_out
from pilgrim_rules.language.syntax.mistakes import explain, wanted

MAX_MISTAKES = 8  #: looked for in one declaration; what follows is rarely worth reading
MAX_REPORTED = 100  #: of one file; whoever made this many has chosen the wrong file
MAX_NESTING = 64  #: levels of one declaration: blocks, operators, brackets
_LARGE = 50_000  #: characters of a declaration in which only one mistake is looked for
#: The line of an example that says for how many players it is; a chunk has no comments.
_FOR_PLAYERS = re.compile(r"^ +given +players *==? *([0-9]+) *$", re.MULTILINE)


@dataclass(frozen=True)
class UnreadExample:
    """An example for one number of players, whose text is read when it is asked for."""

    source: SourceFile
    layout: SourceLayout
    chunk: Chunk
    players: int

    @cached_property
    def read(self) -> tuple[tuple[ast.Declaration, ...], tuple[Diagnostic, ...]]:
        """The declaration, if it can be read, and what there is to say about it."""
        bag = Bag()
        builder = BuildRules(self.source, self.layout, bag)
        with parsing(builder) as parser:
            made = _declaration(self.chunk, parser, builder, bag)
            found = () if made is None or _too_deep(made, self.chunk, bag) else (made,)
        return found, tuple(bag)


def parse(source: SourceFile, bag: Bag) -> ast.File:
    """Return the declarations of a file."""
    bag.sources[source.name] = source
    layout = lay_out(source, bag)
    return ast.File(source.name, tuple(_read(layout.chunks, source, layout, bag)))


def parse_in_part(source: SourceFile, bag: Bag) -> tuple[ast.Declaration | UnreadExample, ...]:
    """Return the declarations of a file; those examples that are for one number of players are still to be read."""
    bag.sources[source.name] = source
    layout = lay_out(source, bag)
    later = [_unread(source, layout, chunk) for chunk in layout.chunks]
    at_once = [chunk for chunk, unread in zip(layout.chunks, later, strict=True) if unread is None]
    read = _read(at_once, source, layout, bag)
    kept = [unread for unread in later if unread is not None]
    places: list[ast.Declaration | UnreadExample] = [*read, *kept]
    return tuple(sorted(places, key=_place_of))


def _place_of(part: ast.Declaration | UnreadExample) -> int:
    return part.chunk.offset if isinstance(part, UnreadExample) else part.span.start


def _unread(source: SourceFile, layout: SourceLayout, chunk: Chunk) -> UnreadExample | None:
    """Return a chunk that can be read later; None if it is no example for one number of players."""
    given = _FOR_PLAYERS.search(chunk.text) if chunk.text.startswith(("example ", "witness ")) else None
    return None if given is None else UnreadExample(source, layout, chunk, int(given[1]))


def _read(chunks: Iterable[Chunk], source: SourceFile, layout: SourceLayout, bag: Bag) -> list[ast.Declaration]:
    """Return those declarations that can be read, until too much is wrong."""
    builder = BuildRules(source, layout, bag)
    found: list[ast.Declaration] = []
    before = len(bag)
    with parsing(builder) as parser:
        for chunk in chunks:
            declaration = _declaration(chunk, parser, builder, bag)
            if declaration is not None and not _too_deep(declaration, chunk, bag):
                found.append(declaration)
            if len(bag) - before >= MAX_REPORTED:
                break
    return found


def _declaration(chunk: Chunk, parser: Lark, builder: BuildRules, bag: Bag) -> ast.Declaration | None:
    """Parse one declaration; after a mistake, leave the line out and look for further ones."""
    builder.offset = chunk.offset
    text = chunk.text
    for attempt in range(MAX_MISTAKES if len(text) < _LARGE else 1):
        try:
            result: ast.Declaration = parsed(parser, text)  # type: ignore[assignment]  # the builder's result
        except UnexpectedInput as mistake:
            at = _place(mistake, text)
            again = _without_line(text, at)
            if attempt == 0 or not _is_consequence(mistake):
                explain(mistake, text, at, Span(builder.file, chunk.offset, chunk.offset), bag)
            if again is None:
                return None
            text = again
        else:
            return result if attempt == 0 else None
    return None


def _too_deep(declaration: ast.Declaration, chunk: Chunk, bag: Bag) -> bool:
    """Report a declaration that is nested so deeply that walking into it could fail."""
    if len(chunk.text) <= MAX_NESTING:
        return False  # each level takes a character
    level: list[ast.Node] = [declaration]
    for _ in range(MAX_NESTING + 1):
        level = [part for node in level for part in _inner(_PARTS[type(node).__name__](node))]
        if not level:
            return False
    help_ = "name a part of it with `let`, `def` or `effect`"
    bag.add(codes.PR106, f"nested more than {MAX_NESTING} levels deep", level[0].span, help=help_)
    return True


def _inner(parts: tuple[object, ...]) -> list[ast.Node]:
    """Return the nodes among the parts of a node, also those in tuples."""
    found: list[ast.Node] = []
    for part in parts:
        if isinstance(part, ast.Node):
            found.append(part)
        elif isinstance(part, tuple):
            found += _inner(part)
    return found


class _Parts(dict[str, Callable[[ast.Node], tuple[object, ...]]]):
    """For each kind of node the function that returns its parts which may be nodes or hold them."""

    def __missing__(self, kind: str) -> Callable[[ast.Node], tuple[object, ...]]:
        found: type[ast.Node] = getattr(ast, kind)
        names = [each.name for each in fields(found) if each.name != "span" and each.type not in _PLAIN]
        match names:
            case []:
                self[kind] = lambda _node: ()
            case [name]:
                self[kind] = lambda node: (getattr(node, name),)
            case _:  # several
                self[kind] = attrgetter(*names)
        return self[kind]


_PLAIN = ("str", "int", "bool", "str | None", "int | None")
_PARTS = _Parts()


def _place(mistake: UnexpectedInput, text: str) -> int:
    """Return the offset at which the parser was surprised; at the end of a line, just behind its last character."""
    at: int | None = mistake.pos_in_stream  # lark's annotation leaves out that it may be unknown
    at = len(text) if at is None else at
    if isinstance(mistake, UnexpectedCharacters):
        return at
    token = mistake.token if isinstance(mistake, UnexpectedToken) else None
    if token is not None and (token.type.startswith("_") or token.type == "$END"):
        start = token.start_pos if token.type == "_NL" and token.start_pos is not None else min(at, len(text))
        return len(text[: max(start, 0)].rstrip())
    return at


def _without_line(text: str, at: int) -> str | None:
    """Blank the line at an offset and the block under it; None if it is the head of the declaration."""
    start = text.rfind("\n", 0, at) + 1
    if start == 0:
        return None
    lines = text[start:].split("\n")
    indent = len(lines[0]) - len(lines[0].lstrip())
    gone = 1
    while gone < len(lines) and _belongs(lines[gone], indent):
        gone += 1
    return text[:start] + "\n".join([" " * len(line) for line in lines[:gone]] + lines[gone:])


def _belongs(line: str, indent: int) -> bool:
    """Tell whether a line goes with the one before it that is left out: its block, its `else`."""
    stripped = line.lstrip()
    deeper = len(line) - len(stripped) - indent
    return not stripped or deeper > 0 or (deeper == 0 and stripped.startswith("else"))


def _is_consequence(mistake: UnexpectedInput) -> bool:
    """Tell whether a mistake only follows from a line left out, such as a block that is now empty."""
    token = getattr(mistake, "token", None)
    return token is not None and (token.type in ("_INDENT", "_DEDENT", "$END") or wanted(mistake) == {"_INDENT"})
