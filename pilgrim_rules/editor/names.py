"""Names: what is declared where, what is used where, and what there is to say about it.

Reads:  a project.   Writes: places and texts.
After:  a name that a declaration binds for itself (a parameter, a `let`, a `for`) is never taken for one of the game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.editor.project import Project
from pilgrim_rules.language.lexer import CONSTANTS, DECLARATIONS, FOLDS, INSIDE, OPERATORS
from pilgrim_rules.language.names.words import bound, declared, words
from pilgrim_rules.language.syntax import ast

_WORD = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+|[A-Za-z_]\w*")
_CITING = re.compile(r"\b(?:cites|because)\s+(?:[A-Z][A-Z0-9-]*\s*,\s*)*[A-Z0-9-]*$")


@dataclass(frozen=True, slots=True)
class DeclaredName:
    """A name of the game: what kind of thing it is, where its name stands, and the line and documentation of its declaration."""

    text: str
    kind: str
    span: Span
    line: str
    doc: str = ""


@dataclass(frozen=True)
class NameIndex:
    """The names of a project."""

    project: Project

    @cached_property
    def declared(self) -> dict[str, list[DeclaredName]]:
        """Everything that is declared, by name."""
        found: dict[str, list[DeclaredName]] = {}
        for tree in self.project.trees:
            for declaration in tree.declarations:
                for kind, word, doc in declared(declaration):
                    found.setdefault(word.text, []).append(self._described(kind, word, doc))
        return found

    @cached_property
    def uses(self) -> dict[str, list[Span]]:
        """Every place in which a name of the game stands, its declaration included."""
        found: dict[str, list[Span]] = {}
        for tree in self.project.trees:
            for declaration in tree.declarations:
                own = {word.text for word in bound(declaration)} - {word.text for _, word, _ in declared(declaration)}
                for text, span in words(declaration):
                    if text not in own:
                        found.setdefault(text, []).append(Span(span.file, span.start, span.start + len(text)))
        return {text: list(dict.fromkeys(spans)) for text, spans in found.items()}

    def at(self, file: str, offset: int) -> tuple[str, Span] | None:
        """Return the word at a place, and where it stands."""
        source = self.project.sources.get(file)
        if source is None:
            return None
        line, column = source.position(offset)
        start = offset - column + 1
        for word in _WORD.finditer(source.line(line)):
            if start + word.start() <= offset <= start + word.end():
                return word[0], Span(file, start + word.start(), start + word.end())
        return None

    def describe(self, text: str) -> str | None:
        """Return what there is to say about a word, as Markdown: its declaration, or what the clause says."""
        if self.project.inventory is not None and (says := self.project.inventory.describe(text)):
            return f"**{text}** {says}"
        parts = []
        for each in self.declared.get(text, ()):
            parts.append(f"```rules\n{each.line}\n```")
            if each.doc:
                parts.append(each.doc)
        return "\n\n".join(parts) or None

    def definition(self, text: str) -> list[Span]:
        """Return where a name is declared, or a clause given."""
        inventory = self.project.inventory
        if inventory is not None and (place := inventory.span(text)) is not None:
            return [place]
        return [each.span for each in self.declared.get(text, ())]

    def completions(self, before: str) -> list[tuple[str, str]]:
        """Return what may follow the text of a line, each with what it is: clauses after `cites`, else names and words."""
        if _CITING.search(before):
            inventory = self.project.inventory
            return [] if inventory is None else [(id_, inventory.describe(id_) or "") for id_ in inventory.ids()]
        if not before.strip() and not before:
            return [(word, "declaration") for word in DECLARATIONS]
        names = [(text, found[0].kind) for text, found in sorted(self.declared.items())]
        words = sorted({*INSIDE, *OPERATORS, *FOLDS, *CONSTANTS} - self.declared.keys())
        return names + [(word, "word of the language") for word in words]

    def _described(self, kind: str, word: ast.Word, doc: str) -> DeclaredName:
        source = self.project.sources[word.span.file]
        line = source.line(source.position(word.span.start)[0]).strip()
        return DeclaredName(word.text, kind, word.span, line, doc)
