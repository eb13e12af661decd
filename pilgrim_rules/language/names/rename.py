"""Rename: a tree with other names, at places that know where they are used.

Reads:  a syntax tree.   Writes: the same tree, its names replaced.
After:  each name is replaced wherever it stands, where it is bound as well as where it is used, so that the tree means
        what it meant. Columns keep their names: they belong to the types that are given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.syntax import ast


@dataclass(frozen=True, slots=True)
class Rename:
    """New names, and the place at which the tree is used."""

    names: Mapping[str, str]
    use: Span

    def declaration(self, node: ast.Declaration) -> ast.Declaration:
        """Return a declaration with other names."""
        made: ast.Declaration = self.node(node)
        return made

    def node(self, node: Any) -> Any:
        """Return a node, or whatever a field of one holds, with other names."""
        match node:
            case tuple():
                return tuple(map(self.node, node))
            case ast.Attribute(base=base, name=name):
                return ast.Attribute(self.node(base), name, span=self._place(node.span))
            case ast.Word(text=text):
                return ast.Word(self.names.get(text, text), span=self._place(node.span))
            case ast.Name(text=text, primed=primed):
                return ast.Name(self.names.get(text, text), primed, span=self._place(node.span))
            case ast.TypeName(name=text):
                return ast.TypeName(self.names.get(text, text), span=self._place(node.span))
            case ast.Node():
                parts = {part.name: self.node(getattr(node, part.name)) for part in fields(node) if part.name != "span"}
                return type(node)(**parts, span=self._place(node.span))
            case _:  # a number, a text, a mark
                return node

    def _place(self, span: Span) -> Span:
        return replace(span, via=self.use if span.via is None else self._place(span.via))
