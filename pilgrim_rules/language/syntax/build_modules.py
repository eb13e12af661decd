"""Build: grammar reductions -> surface syntax tree, modules and their uses.

Reads:  what lark hands over when a production is complete.   Writes: `ast.Module` and `ast.Use`.
After:  one declaration; what a module takes is in the order of the text.
"""

from __future__ import annotations

from typing import Any, Literal

from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.language.syntax.build_data import BuildData
from pilgrim_rules.language.syntax.build_expressions import Kids, group, grouped, nodes, production, single, tokens


class BuildModules(BuildData):
    """The productions of modules."""

    alias = group("alias")

    @production
    def module(self, span: Span, kids: Kids) -> ast.Module:
        title = tokens(kids, "STRING")
        return ast.Module(
            title=self.text(title[0]).text if title else None,
            takes=tuple(kid for kid in kids if isinstance(kid, ast.Taken)),
            **self._head(span, kids),
        )

    @production
    def use(self, span: Span, kids: Kids) -> ast.Use:
        alias = single(kids, "alias")
        module = self.word(tokens(kids, "NAME")[0])
        name = module if alias is None else alias
        return ast.Use(module=module, args=grouped(kids, "args"), alias=alias, **self._head(span, kids, name))

    @production
    def takes_type(self, span: Span, kids: Kids) -> ast.Taken:
        return self._taken("type", span, kids)

    @production
    def takes_stage(self, span: Span, kids: Kids) -> ast.Taken:
        return self._taken("stage", span, kids)

    @production
    def takes_state(self, span: Span, kids: Kids) -> ast.Taken:
        return self._taken("state", span, kids, index=grouped(kids, "index"), type=nodes(kids)[0])

    @production
    def takes_def(self, span: Span, kids: Kids) -> ast.Taken:
        return self._taken("def", span, kids, params=grouped(kids, "params"), type=single(kids, "result"))

    @production
    def takes_effect(self, span: Span, kids: Kids) -> ast.Taken:
        return self._taken("effect", span, kids, params=grouped(kids, "params"))

    @production
    def takes_value(self, span: Span, kids: Kids) -> ast.Taken:
        type_, *default = nodes(kids)
        return self._taken("value", span, kids, type=type_, default=default[0] if default else None)

    def _taken(
        self, kind: Literal["type", "value", "state", "def", "effect", "stage"], span: Span, kids: Kids, **parts: Any
    ) -> ast.Taken:
        return ast.Taken(kind=kind, **parts, **self._head(span, kids))
