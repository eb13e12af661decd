"""Build: grammar reductions -> surface syntax tree, contracts.

Reads:  what lark hands over when a production is complete.   Writes: `ast.Contract`.
After:  one declaration, with its lines as they are written.
"""

from __future__ import annotations

from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.language.syntax.build_data import BuildData
from pilgrim_rules.language.syntax.build_expressions import Kids, group, grouped, nodes, production, single, tokens


class BuildContracts(BuildData):
    """The productions of contracts."""

    @production
    def contract(self, span: Span, kids: Kids) -> ast.Contract:
        return ast.Contract(
            of=self.word(tokens(kids, "NAME")[1]),
            using=single(kids, "using") or (),
            when=single(kids, "when"),
            lines=tuple(kid for kid in kids if isinstance(kid, ast.ChangesOnly | ast.Amount | ast.Ensures)),
            **self._head(span, kids),
        )

    @production
    def changes_only(self, span: Span, kids: Kids) -> ast.ChangesOnly:
        return ast.ChangesOnly(tuple(nodes(kids)), grouped(kids, "cites"), span=span)

    @production
    def gains(self, span: Span, kids: Kids) -> ast.Amount:
        return self._amount(span, kids, gains=True)

    @production
    def pays(self, span: Span, kids: Kids) -> ast.Amount:
        return self._amount(span, kids, gains=False)

    receiver = group("receiver")

    def _amount(self, span: Span, kids: Kids, *, gains: bool) -> ast.Amount:
        over = grouped(kids, "over_binders")
        cell, amount = nodes(kids)
        return ast.Amount(
            cell, gains, amount, single(kids, "receiver"), grouped(over, "binders"), single(over, "where"),
            grouped(kids, "cites"), span=span,
        )  # fmt: skip

    @production
    def ensures(self, span: Span, kids: Kids) -> ast.Ensures:
        return ast.Ensures(nodes(kids)[0], grouped(kids, "cites"), span=span)
