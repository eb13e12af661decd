"""Build: grammar reductions -> surface syntax tree, campaigns.

Reads:  what lark hands over when a production is complete.   Writes: `ast.Campaign`.
After:  one declaration, with its games, its result and its ranks as they are written.
"""

from __future__ import annotations

from typing import Literal

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.syntax import ast
from pilgrim_rules.language.syntax.build_data import BuildData
from pilgrim_rules.language.syntax.build_expressions import Kids, grouped, production, single, tokens

_FOLDS: dict[str, Literal["sum", "max", "min"]] = {"SUM": "sum", "MAX": "max", "MIN": "min"}


class BuildCampaigns(BuildData):
    """The productions of campaigns."""

    @production
    def campaign(self, span: Span, kids: Kids) -> ast.Campaign:
        title = tokens(kids, "STRING")
        results = [kid for kid in kids if isinstance(kid, ast.CampaignResult)]
        for extra in results[1:]:
            self.bag.add(codes.PR116, "a second `result` line", extra.span)
        players = [kid for kid in kids if isinstance(kid, ast.Number)]
        return ast.Campaign(
            title=self.text(title[0]).text if title else None,
            players=players[0].value if players else None,
            games=tuple(kid for kid in kids if isinstance(kid, ast.CampaignGames)),
            result=results[0] if results else None,
            ranks=tuple(kid for kid in kids if isinstance(kid, ast.CampaignRank)),
            **self._head(span, kids),
        )

    @production
    def campaign_players(self, span: Span, kids: Kids) -> ast.Number:
        return ast.Number(int(tokens(kids, "INT")[0][:9]), span=span)

    @production
    def campaign_with(self, span: Span, kids: Kids) -> ast.CampaignGames:
        return ast.CampaignGames(self.word(tokens(kids, "NAME")[0]), grouped(kids, "names"), span=span)

    @production
    def campaign_result(self, span: Span, kids: Kids) -> ast.CampaignResult:
        fold, value = kids[0], kids[1]
        return ast.CampaignResult(_FOLDS[fold.type], value, span=span)

    @production
    def rank_from(self, span: Span, kids: Kids) -> ast.CampaignRank:
        return self._rank(span, kids, low=True, high=False)

    @production
    def rank_up_to(self, span: Span, kids: Kids) -> ast.CampaignRank:
        return self._rank(span, kids, low=False, high=True)

    @production
    def rank_between(self, span: Span, kids: Kids) -> ast.CampaignRank:
        return self._rank(span, kids, low=True, high=True)

    @production
    def total_number(self, span: Span, kids: Kids) -> ast.Number:
        sign = -1 if tokens(kids, "MINUS") else 1
        return ast.Number(sign * int(tokens(kids, "INT")[0][:9]), span=span)

    def _rank(self, span: Span, kids: Kids, *, low: bool, high: bool) -> ast.CampaignRank:
        numbers = [kid.value for kid in kids if isinstance(kid, ast.Number)]
        return ast.CampaignRank(
            self.text(tokens(kids, "STRING")[0]),
            numbers[0] if low else None,
            numbers[-1] if high else None,
            single(kids, "when"),
            grouped(kids, "cites"),
            span=span,
        )
