"""Directives: where authored pages splice in what is generated.

Reads:  the page, the shelf.   Writes: nodes, and notes for the domain about what is shown where.
After:  a mistake of an author (an unknown rule, a missing game) is a warning at its line, never a traceback.
"""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.parsers.rst import directives as options
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from pilgrim_rules.diagnostics.bag import RulesError
from pilgrim_rules.diagnostics.codes import all_codes
from pilgrim_rules.diagnostics.suggest import did_you_mean
from rules_docs import build, errors, figure, lists, pictures, play, session, shelf, tables
from rules_docs.evidence import BadEvidence
from rules_docs.lessons import BadMutants
from rules_docs.objects import KINDS, Entry, anchor, full_id
from rules_docs.page import rule_section
from rules_docs.printed import Printed
from rules_docs.samples import BadSamples
from rules_docs.shelf import Book

if TYPE_CHECKING:
    from rules_docs.domain import RulesDomain

__all__ = ["DIRECTIVES"]

logger = logging.getLogger(__name__)


class RulesDirective(SphinxDirective):
    """A directive that speaks of the game of its page."""

    def warn(self, message: str) -> list[nodes.Node]:
        """Report a mistake of the author, and show nothing."""
        logger.warning(message, location=self.get_location(), type="rules")
        return []

    @property
    def domain(self) -> RulesDomain:
        """The domain."""
        return cast("RulesDomain", self.env.get_domain("rules"))

    def open(self, name: str) -> Book | None:
        """Return a book and remember that this page depends on it; None, and a warning, if it cannot be read."""
        try:
            book = shelf.book(self.env, name)
        except (RulesError, BadEvidence, BadMutants, BadSamples) as problem:
            self.warn(f"the game {name!r} cannot be read: {problem}")
            return None
        for path in book.files:
            self.env.note_dependency(str(path))
        self.domain.note_game(name, self.env.docname, [str(path) for path in book.absent])
        return book

    def begin(self, name: str) -> Book | None:
        """Make a game, given by its name or by a file beside the pages, the game of the page from here on."""
        book = self.open(name)
        if book is not None:
            self.env.ref_context.update({"rules:book": name, "rules:game": book.name})
        return book

    def current(self) -> Book | None:
        """Return the book of the game that the page speaks of."""
        name = self.env.ref_context.get("rules:book")
        if not name:
            self.warn(f"{self.name} needs a game: begin the page with rules:game or rules:current")
            return None
        return self.open(name)

    def note(self, book: Book, kind: str, name: str, title: str, about: str = "") -> None:
        """Note that this place shows an object."""
        id_ = full_id(book.name, name)
        self.domain.note(kind, id_, Entry(self.env.docname, anchor(kind, id_), title, about), self.lineno)


class Game(RulesDirective):
    """`.. rules:game:: nim`: the head of a game's first page."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Show the facts about the game."""
        book = self.begin(self.arguments[0])
        if book is None:
            return []
        place = Entry(self.env.docname, anchor("game", book.name), book.game.title, book.game.note.doc)
        self.domain.note("game", book.name, place, self.lineno)
        return tables.game_head(book)


class Current(RulesDirective):
    """`.. rules:current:: nim`: a further page of a game."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Set the game of the page."""
        self.begin(self.arguments[0])
        return []


class Page(RulesDirective):
    """`.. rules:page:: drop`: the whole page of a rule."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Show the rule."""
        book = self.current()
        if book is None:
            return []
        name = self.arguments[0].removeprefix(f"{book.name}.")
        action = book.action(name)
        if action is None:
            near = did_you_mean(name, book.declared["rule"]) or f"its rules are {', '.join(book.declared['rule'])}"
            return self.warn(f"{book.name} has no rule {name!r}: {near}")
        section = rule_section(book, action, pictures.album(self.env))
        about = section.next_node(
            lambda node: "rules-sentence" in node.get("classes", ()) if isinstance(node, nodes.paragraph) else False
        )
        self.note(book, "rule", name, cast("nodes.title", section[0]).astext(), about.astext() if about else "")
        return [section]


class Play(RulesDirective):
    """`.. rules:play::`: a recorded game to step through."""

    def run(self) -> list[nodes.Node]:
        """Show the game, if one was recorded."""
        book = self.current()
        return [] if book is None else play.shown(book, pictures.album(self.env))


class Print(RulesDirective):
    """`.. rules:print:: index` with a caption as content: the chapters of that table of contents, for paper."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Note the place of the chapters."""
        docname = posixpath.join(posixpath.dirname(self.env.docname), self.arguments[0])
        if docname not in self.env.found_docs:
            return self.warn(f"there is no page {docname!r} whose chapters could be printed")
        self.domain.note_printed(self.env.docname)
        return [Printed("", contents=docname, caption=" ".join(self.content).strip())]


class Hide(RulesDirective):
    """`.. rules:hide:: rule drop` with a reason as content: the only way not to show something."""

    required_arguments = 2
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Note that an object is not shown on purpose."""
        book = self.current()
        kind, name = self.arguments
        if book is None:
            return []
        if kind not in book.declared or name not in book.declared[kind]:
            return self.warn(f"{book.name} has no {kind} {name!r} to hide")
        if not "".join(self.content).strip():
            return self.warn(f"hiding the {kind} {name!r} needs a reason as content")
        self.domain.note(kind, full_id(book.name, name), Entry(self.env.docname, "", name), self.lineno)
        return []


class Objects(RulesDirective):
    """A list of objects of one kind: all of the game, those named in the argument, or those of the file `:from:`."""

    kind: ClassVar[str]
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {"from": options.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Show the objects."""
        book = self.current()
        if book is None:
            return []
        declared = lists.declared(book, self.kind)
        wanted = self.arguments[0].replace(",", " ").split() if self.arguments else list(declared)
        for name in wanted:
            if name not in declared:
                self.warn(f"{book.name} has no {KINDS[self.kind][0]} {name!r}")
        shown = [item for name, item in declared.items() if name in wanted]
        if file := self.options.get("from"):
            shown = [item for item in shown if item.file == file]
            if not shown:
                return self.warn(f"{book.name} has no {KINDS[self.kind][0]} in a file {file!r}")
        for item in shown:
            self.note(book, self.kind, item.name, item.title, item.about)
        return lists.show(book, self.kind, shown)


def _objects(kind: str) -> type[Objects]:
    return type(f"{kind.title()}List", (Objects,), {"kind": kind})


class Listed(RulesDirective):
    """A table about the whole game, such as the phrases written by hand."""

    table: ClassVar[str]

    def run(self) -> list[nodes.Node]:
        """Show the table."""
        book = self.current()
        return [] if book is None else tables.TABLES[self.table](book)


def _listed(name: str) -> type[Listed]:
    return type(f"{name.title()}Table", (Listed,), {"table": name})


class Whole(RulesDirective):
    """`.. rules:whole::`: everything of a small game that needs no chapters, in the order of reading."""

    #: Heading, and the directives under it; a heading with nothing under it is left out.
    PARTS: ClassVar = (
        ("How it ends", ("score",)),
        ("A recorded game", ("play",)),
        ("What is guaranteed", ("guarantees",)),
        ("Rulings", ("rulings",)),
        ("Examples", ("examples",)),
        ("What examples begin with", ("arrangements",)),
        ("Definitions", ("definitions",)),
        ("Words", ("glossary",)),
        ("What the rulebook says", ("clauses",)),
    )

    def run(self) -> list[nodes.Node]:
        """Show the game."""
        book = self.current()
        if book is None:
            return []
        shown = [*self._other("stages"), *self._other("state")]
        for action in book.game.actions:
            shown += self._other("page", action.name)
        for title, parts in self.PARTS:
            content = [node for part in parts for node in self._other(part)]
            if content:
                section = nodes.section("", nodes.title("", title), ids=[nodes.make_id(f"{book.name}-{title}")])
                section += content
                shown.append(section)
        return shown

    def _other(self, name: str, *arguments: str) -> list[nodes.Node]:
        """Run another directive of this domain as if it stood here."""
        kind = DIRECTIVES[name]
        made = kind(
            f"rules:{name}",
            list(arguments),
            {},
            self.content,
            self.lineno,
            self.content_offset,
            "",
            self.state,
            self.state_machine,
        )
        return list(made.run())


class Session(RulesDirective):
    """`.. rules:session:: nim` with lines of Python: they are run, and shown with what they print."""

    optional_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Show the transcript."""
        if self.arguments and self.open(self.arguments[0]) is None:
            return []
        try:
            text = session.transcript("\n".join(self.content), Path(self.env.doc2path(self.env.docname)).parent)
        except session.SessionError as problem:
            return self.warn(f"the session cannot be run: {problem}")
        return [nodes.literal_block(text, text, language="pycon")]


class Figure(RulesDirective):
    """`.. rules:figure:: map` with a move a line: the position after them, drawn; `:caption:` says what to look at."""

    optional_arguments = 1
    has_content = True
    option_spec: ClassVar = {
        "caption": options.unchanged_required,
        "seed": options.nonnegative_int,
        "rulings": options.unchanged,
        "outline": options.flag,
    }

    def run(self) -> list[nodes.Node]:
        """Show the picture."""
        book = self.current()
        if book is None:
            return []
        moves = [line.strip() for line in self.content if line.strip()]
        drawn = self.arguments[0] if self.arguments else None
        seed, rulings, outline = self.options.get("seed", 0), self.options.get("rulings", ""), "outline" in self.options
        name = self.env.ref_context["rules:book"]
        try:
            state = figure.position(name, book.game.players, rulings, seed, moves)
            shown = figure.picture(pictures.album(self.env), state, drawn, outline=outline)
        except figure.FigureError as problem:
            return self.warn(f"the picture cannot be drawn: {problem}")
        caption = build.para(self.options.get("caption", ""), css="rules-caption")
        return [build.box("rules-figure", shown, caption)]


class Errors(RulesDirective):
    """`.. rules:errors::`: the catalogue of diagnostics."""

    def run(self) -> list[nodes.Node]:
        """Show every code."""
        golden = Path(self.env.srcdir, self.config.rules_golden)
        for code in all_codes():
            for path in errors.transcripts(golden, code):
                self.env.note_dependency(str(path))
            entry = Entry(self.env.docname, anchor("error", code.id), f"{code.id} {code.title}")
            self.domain.note("error", code.id, entry, self.lineno)
        return errors.catalogue(golden)


DIRECTIVES: dict[str, type[Directive]] = {
    "game": Game,
    "current": Current,
    "page": Page,
    "print": Print,
    "hide": Hide,
    "play": Play,
    "guarantees": _objects("invariant"),
    "rulings": _objects("ruling"),
    "examples": _objects("example"),
    "arrangements": _objects("arrangement"),
    "clauses": _objects("clause"),
    "glossary": _objects("term"),
    "errors": Errors,
    "figure": Figure,
    "session": Session,
    "whole": Whole,
    **{name: _listed(name) for name in tables.TABLES},
}
