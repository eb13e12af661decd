"""Build: grammar reductions -> surface syntax tree, the lines about cards and dice, and the texts of rows.

Reads:  what lark hands over when a production is complete.   Writes: `ast` declarations and statements.
After:  a text holds what happens at once and what is different while something holds; either may be missing.
"""

from __future__ import annotations

from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.language.syntax.build_expressions import (
    Group,
    Kids,
    group,
    grouped,
    nodes,
    production,
    single,
    tokens,
)
from pilgrim_rules.language.syntax.build_figures import BuildFigures


class BuildCards(BuildFigures):
    """The productions of texts, summaries, draws and throws."""

    at = group("at")

    @production
    def draw(self, span: Span, kids: Kids) -> ast.DrawStmt:
        amount, source, target, *then = kids
        return ast.DrawStmt(amount, source, target, then[0] if then else None, span=span)

    @production
    def roll(self, span: Span, kids: Kids) -> ast.RollStmt:
        amount, target, *then = kids
        return ast.RollStmt(amount, target, then[0] if then else None, span=span)

    @production
    def summary_line(self, span: Span, kids: Kids) -> ast.SummaryLine:
        return ast.SummaryLine(self.text(tokens(kids, "STRING")[0]), grouped(kids, "cites"), span=span)

    @production
    def run_text(self, span: Span, kids: Kids) -> ast.TextStmt:
        return ast.TextStmt(kids[0], span=span)

    @production
    def parameter_of(self, span: Span, kids: Kids) -> ast.Parameter:
        zone = nodes(kids)[0]
        many = int(tokens(kids, "INT")[0][:9])
        type_ = ast.TypeName(zone.name.text, span=zone.span)
        return ast.Parameter(self.word(kids[0]), type_, None, single(kids, "sight"), (many, zone), span=span)

    @production
    def text_nothing(self, span: Span, kids: Kids) -> ast.RowText:
        return self._text(span, kids)

    @production
    def text_lines(self, span: Span, kids: Kids) -> ast.RowText:
        return self._text(span, kids)

    def _text(self, span: Span, kids: Kids) -> ast.RowText:
        row, of = (self.word(token) for token in tokens(kids, "NAME"))
        at_once = [kid for kid in kids if isinstance(kid, Group) and kid.kind == "at_once"]
        return ast.RowText(
            of=of,
            at_once=tuple(stmt for block in at_once for stmt in block),
            lasting=tuple(kid for kid in kids if isinstance(kid, ast.WhileLine)),
            **self._head(span, kids, row),
        )

    @production
    def at_once(self, span: Span, kids: Kids) -> Group:
        made = Group(item for item in grouped(kids, "suite") if not isinstance(item, Group))
        made.span, made.kind = span, "at_once"
        return made

    @production
    def while_line(self, span: Span, kids: Kids) -> ast.WhileLine:
        test, *changes = nodes(kids)
        return ast.WhileLine(test, tuple(changes), span=span)

    @production
    def changed(self, span: Span, kids: Kids) -> ast.ChangedDef:
        return ast.ChangedDef(
            self.word(kids[0]), grouped(kids, "args"), nodes(kids)[0], grouped(kids, "cites"), span=span
        )
