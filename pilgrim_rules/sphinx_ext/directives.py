"""Directives: where authored pages splice in what is generated.

Reads:  the page, the books.   Writes: nodes, and notes for the domain about what is shown where.
After:  a mistake of an author (an unknown rule, a missing game) is a warning at its line, never a traceback.
"""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, cast

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.parsers.rst import directives as options

from pilgrim_rules.core.rulings import choices_of
from pilgrim_rules.diagnostics.codes import all_codes
from pilgrim_rules.diagnostics.suggestions import did_you_mean
from pilgrim_rules.prose import say_action, say_costs, say_order
from pilgrim_rules.prose.lint import lint_costs, lint_game_text, lint_rule, lint_titles, lint_told
from pilgrim_rules.sphinx_ext.blocks.in_short import untold_clauses
from pilgrim_rules.sphinx_ext.blocks.rule_page import rule_section
from pilgrim_rules.sphinx_ext.lists import error_catalogue, game_tables, object_lists, piece_cards, why_not
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.nodes import python_session
from pilgrim_rules.sphinx_ext.objects.directive_base import RulesDirective
from pilgrim_rules.sphinx_ext.objects.domain import KINDS, ShownObject, anchor, full_id
from pilgrim_rules.sphinx_ext.pictures import play_boards
from pilgrim_rules.sphinx_ext.play_directives import (
    FigureDirective,
    PlayableDirective,
    PlayableIfPossible,
    PlayDirective,
)
from pilgrim_rules.sphinx_ext.print_page import PrintedChapters

__all__ = ["DIRECTIVES"]


class GameDirective(RulesDirective):
    """`.. rules:game:: nim`: the head of a game's first page."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Show the facts about the game."""
        book = self.set_game(self.arguments[0])
        if book is None:
            return []
        for problem in (*lint_game_text(book.game), *lint_titles((book.game, *book.other_tables))):
            self.warn(f"the English of {book.name} has {problem}; write a phrase for it with `term`")
        place = ShownObject(self.env.docname, anchor("game", book.name), book.game.title, book.game.note.doc)
        self.domain.note("game", book.name, place, self.lineno)
        return game_tables.game_head(book)


class CurrentGameDirective(RulesDirective):
    """`.. rules:current:: nim`: a further page of a game."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Set the game of the page."""
        self.set_game(self.arguments[0])
        return []


class RulePageDirective(RulesDirective):
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
        section = rule_section(book, action)
        english = say_action(book.game, action, choices_of(book.game))
        costs = say_costs(book.game, action)
        for problem in (
            *lint_told(action, book.labels),
            *lint_rule(english, book.labels),
            *lint_costs(costs, book.labels),
        ):
            self.warn(f"the English of {name} has {problem}; write a phrase for it with `term`")
        if untold := untold_clauses(book, action):
            self.warn(f"the summary of {name} does not tell of {', '.join(untold)}")
        about = section.next_node(
            lambda node: "rules-sentence" in node.get("classes", ()) if isinstance(node, nodes.paragraph) else False
        )
        self.note(book, "rule", name, cast("nodes.title", section[0]).astext(), about.astext() if about else "")
        return [section]


class PrintDirective(RulesDirective):
    """`.. rules:print:: index` with a caption as content: the chapters of that table of contents, for paper."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Note the place of the chapters."""
        docname = posixpath.join(posixpath.dirname(self.env.docname), self.arguments[0])
        if docname not in self.env.found_docs:
            return self.warn(f"there is no page {docname!r} whose chapters could be printed")
        self.domain.note_printed(self.env.docname, docname)
        return [PrintedChapters("", contents=docname, caption=" ".join(self.content).strip())]


class HideDirective(RulesDirective):
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
        self.domain.note(kind, full_id(book.name, name), ShownObject(self.env.docname, "", name), self.lineno)
        return []


class ObjectsDirective(RulesDirective):
    """A list of objects of one kind: all of the game, those named in the argument, or those of the files `:from:`.

    Names and files may be patterns: `GAP-*` takes those that begin so, `* !GAP-*` all others.
    """

    kind: ClassVar[str]
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {"from": options.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Show the objects."""
        book = self.current()
        if book is None:
            return []
        declared = object_lists.declared_objects(book, self.kind)
        wanted = _patterns(self.arguments[0]) if self.arguments else ["*"]
        for pattern in wanted if declared else ():
            if not fnmatch.filter(declared, pattern.removeprefix("!")):
                self.warn(f"{book.name} has no {KINDS[self.kind][0]} {pattern!r}")
        shown = [item for name, item in declared.items() if _is_wanted(name, wanted)]
        if files := self.options.get("from"):
            shown = [item for item in shown if _is_wanted(item.file, _patterns(files))]
            if not shown:
                return self.warn(f"{book.name} has no {KINDS[self.kind][0]} in a file {files!r}")
        for item in shown:
            self.note(book, self.kind, item.name, item.title, item.about)
        return object_lists.definition_list(book, self.kind, shown)


def _patterns(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _is_wanted(text: str, patterns: list[str]) -> bool:
    """Tell whether a text is one of the patterns and none of those with `!` before them."""
    taken = any(fnmatch.fnmatchcase(text, each) for each in patterns if not each.startswith("!"))
    return taken and not any(fnmatch.fnmatchcase(text, each[1:]) for each in patterns if each.startswith("!"))


def _objects(kind: str) -> type[ObjectsDirective]:
    return type(f"{kind.title()}List", (ObjectsDirective,), {"kind": kind})


class GameTableDirective(RulesDirective):
    """A table about the whole game, such as the phrases written by hand."""

    table: ClassVar[str]

    def run(self) -> list[nodes.Node]:
        """Show the table."""
        book = self.current()
        if book is None:
            return []
        shown = game_tables.TABLES[self.table](book)
        for kind, name, title, about in self._objects(book) if shown else ():
            self.note(book, kind, name, title, about)
        return shown

    def _objects(self, book: Book) -> Iterator[tuple[str, str, str, str]]:
        """Yield what of a table can be searched for and linked: kind, name, title, a sentence."""
        match self.table:
            case "whynot":
                yield from (("refusal", name, text, rules) for name, text, rules in why_not.refusal_names(book))
            case "score" if say_order(book.game):
                yield "term", "tie", "Tie: who wins", say_order(book.game)
            case _:  # the other tables are about the game as a whole
                return


class PiecesDirective(RulesDirective):
    """A sheet of cards for each table of pieces: `* !Reply` takes all but one, whose rows are no pieces."""

    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Show the sheets."""
        book = self.current()
        if book is None:
            return []
        wanted = _patterns(self.arguments[0]) if self.arguments else ["*"]
        every = piece_cards.tables_of_pieces(book)
        for pattern in wanted if every else ():
            if not fnmatch.filter(every, pattern.removeprefix("!")):
                self.warn(f"{book.name} has no table of pieces {pattern!r}")
        tables = [each for each in every if _is_wanted(each, wanted)]
        shown = piece_cards.piece_tables(book, tables)
        for name, title, table in piece_cards.piece_names(book, tables) if shown else ():
            self.note(book, "piece", name, title, table)
        return shown


def _listed(name: str) -> type[GameTableDirective]:
    return type(f"{name.title()}Table", (GameTableDirective,), {"table": name})


class WholeGameDirective(RulesDirective):
    """`.. rules:whole::`: everything of a small game that needs no chapters, in the order of reading."""

    #: Heading, and the directives under it; a heading with nothing under it is left out.
    PARTS: ClassVar = (
        ("What the cards say", ("texts",)),
        ("Cards and tiles", ("pieces",)),
        ("How it ends", ("score",)),
        ("The round on a card", ("roundcard",)),
        ("The first turns of a game", ("firstturn",)),
        ("Why not?", ("whynot",)),
        ("Campaigns", ("campaigns",)),
        ("A recorded game", ("play",)),
        ("What is guaranteed", ("guarantees",)),
        ("Options of the set-up", ("options",)),
        ("Rulings", ("rulings",)),
        ("Examples", ("examples",)),
        ("What examples begin with", ("arrangements",)),
        ("Stages and variables", ("stages", "state")),
        ("Definitions", ("definitions",)),
        ("Words", ("glossary",)),
        ("What the rulebook says", ("clauses",)),
        ("What changed", ("history",)),
    )

    def run(self) -> list[nodes.Node]:
        """Show the game."""
        book = self.current()
        if book is None:
            return []
        shown = [] if self._has_board() else self._play()
        for action in book.game.actions:
            shown += self._other("page", action.name)
        for title, parts in self.PARTS:
            content = [node for part in parts for node in self._other(part)]
            if content:
                section = nodes.section("", nodes.title("", title), ids=[nodes.make_id(f"{book.name}-{title}")])
                section += content
                shown.append(section)
        return shown

    def _has_board(self) -> bool:
        return any(True for _ in self.state.document.findall(play_boards.BoardPlace))

    def _play(self) -> list[nodes.Node]:
        """Return the board, under a heading of its own; nothing if the game cannot be played in a page."""
        shown = self._other("playable_if_possible")
        section = nodes.section("", nodes.title("", "Play it here"), ids=[nodes.make_id("play-it-here")])
        section += shown
        return [section] if shown else []

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


class SessionDirective(RulesDirective):
    """`.. rules:session:: nim` with lines of Python: they are run, and shown with what they print."""

    optional_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Show the transcript."""
        if self.arguments and self.open(self.arguments[0]) is None:
            return []
        try:
            text = python_session.transcript("\n".join(self.content), Path(self.env.doc2path(self.env.docname)).parent)
        except python_session.SessionError as problem:
            return self.warn(f"the session cannot be run: {problem}")
        return [nodes.literal_block(text, text, language="pycon")]


class ErrorsDirective(RulesDirective):
    """`.. rules:errors::`: the catalogue of diagnostics."""

    def run(self) -> list[nodes.Node]:
        """Show every code."""
        golden = Path(self.env.srcdir, self.config.rules_golden) if self.config.rules_golden else None
        for code in all_codes():
            for path in error_catalogue.transcripts(golden, code):
                self.env.note_dependency(str(path))
            entry = ShownObject(self.env.docname, anchor("error", code.id), f"{code.id} {code.title}")
            self.domain.note("error", code.id, entry, self.lineno)
        return error_catalogue.catalogue(golden)


DIRECTIVES: dict[str, type[Directive]] = {
    "game": GameDirective,
    "current": CurrentGameDirective,
    "page": RulePageDirective,
    "print": PrintDirective,
    "hide": HideDirective,
    "play": PlayDirective,
    "playable": PlayableDirective,
    "playable_if_possible": PlayableIfPossible,
    "guarantees": _objects("invariant"),
    "rulings": _objects("ruling"),
    "options": _objects("option"),
    "examples": _objects("example"),
    "arrangements": _objects("arrangement"),
    "clauses": _objects("clause"),
    "glossary": _objects("term"),
    "pieces": PiecesDirective,
    "errors": ErrorsDirective,
    "figure": FigureDirective,
    "session": SessionDirective,
    "whole": WholeGameDirective,
    **{name: _listed(name) for name in game_tables.TABLES},
}
