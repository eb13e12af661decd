"""Build: grammar reductions -> surface syntax tree, figures.

Reads:  what lark hands over when a production is complete.   Writes: `ast.Figure`.
After:  one declaration, with the documenting comments that stand at it and at its lines.
"""

from __future__ import annotations

from typing import Any

from lark import Token

from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.language.syntax.build_data import BuildData
from pilgrim_rules.language.syntax.build_expressions import (
    Group,
    Kids,
    group,
    grouped,
    nodes,
    production,
    single,
    tokens,
    unquote,
)


class BuildFigures(BuildData):
    """The productions of figures."""

    over_binders = group("over_binders")
    coloured = group("coloured")
    tints = group("tints")

    @production
    def figure(self, span: Span, kids: Kids) -> ast.Figure:
        title = tokens(kids, "STRING")
        tints = [kid for kid in kids if isinstance(kid, Group) and kid.kind == "tints"]
        return ast.Figure(
            title=unquote(title[0]) if title else None,
            canvas=next(kid for kid in kids if isinstance(kid, ast.Canvas)),
            layers=tuple(kid for kid in kids if isinstance(kid, ast.Layer)),
            tints=tuple(tint for line in tints for tint in line),
            **self._head(span, kids),
        )

    @production
    def canvas(self, span: Span, kids: Kids) -> ast.Canvas:
        return ast.Canvas(kids[0], span=span)

    @production
    def canvas_at(self, span: Span, kids: Kids) -> ast.Canvas:
        type_, *at = nodes(kids)
        return ast.Canvas(type_, self.word(kids[0]), tuple(at), span=span)

    @production
    def tint(self, span: Span, kids: Kids) -> ast.Tint:
        return ast.Tint(self.word(kids[0]), self.word(kids[1]), span=span)

    def _layer(self, kind: Any, span: Span, kids: Kids, value: ast.Expr | None, at: Kids) -> ast.Layer:
        over = grouped(kids, "over_binders")
        sign = next((kid for kid in kids if isinstance(kid, Token)), None)
        said = None if sign is None else self.text(sign) if sign.type == "STRING" else self.word(sign)
        binders, where = grouped(over, "binders"), single(over, "where") or single(kids, "where")
        by, doc = single(kids, "coloured"), self.doc(span)
        return ast.Layer(kind, tuple(at), value, said, binders, where, by, doc, span=span)

    @production
    def area(self, span: Span, kids: Kids) -> ast.Layer:
        return self._layer("area", span, kids, None, nodes(kids))

    @production
    def edge(self, span: Span, kids: Kids) -> ast.Layer:
        return self._layer("edge", span, kids, None, nodes(kids))

    @production
    def path(self, span: Span, kids: Kids) -> ast.Layer:
        return self._layer("path", span, kids, None, nodes(kids))

    @production
    def mark(self, span: Span, kids: Kids) -> ast.Layer:
        return self._layer("mark", span, kids, None, nodes(kids))

    @production
    def pieces(self, span: Span, kids: Kids) -> ast.Layer:
        value, *at = nodes(kids)
        return self._layer("pieces", span, kids, value, at)

    @production
    def label(self, span: Span, kids: Kids) -> ast.Layer:
        *value, at = nodes(kids)
        return self._layer("label", span, kids, value[0] if value else None, [at])
