"""Swings: the rulings that change the end of games the most, announced before all others.

Reads:  a book, and what `pilgrim readings --outcomes --write` has kept in a folder beside the page.   Writes: nodes.
After:  the figures are those that were measured, with their confidence intervals, and only of rulings whose interval
        leaves zero out; if the rules of play have changed since, the page says so.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from docutils import nodes
from docutils.parsers.rst import directives as options

from pilgrim_rules.prose import words
from pilgrim_rules.sphinx_ext.lists.findings import rules_of
from pilgrim_rules.sphinx_ext.model.all_examples import said_players
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.objects.directive_base import RulesDirective

__all__ = ["SwingsDirective", "largest"]

Data: TypeAlias = dict[str, Any]
OUTCOMES = "outcomes.json"
SHOWN = 5


class SwingsDirective(RulesDirective):
    """`.. rules:swings:: folder`: the rulings with the largest measured change of points; `:most:` says how many."""

    required_arguments = 1
    option_spec: ClassVar = {"most": options.positive_int}

    def run(self) -> list[nodes.Node]:
        """Show the list, with how it was measured."""
        book = self.current()
        if book is None:
            return []
        path = Path(self.env.doc2path(self.env.docname)).parent / self.arguments[0] / OUTCOMES
        self.env.note_dependency(str(path))
        try:
            data: Data = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as problem:
            return self.warn(f"what was measured cannot be read: {problem}")
        texts = {ruling.name: dict(ruling.options) for ruling in book.game.rulings}
        lines: list[list[node_builders.Inline]] = [
            [
                node_builders.xref("ruling", book.name, each["ruling"]),
                f": {_signed(each['swing'])} points, and somebody else wins {_share(each['other_winner'])} of the games",
                f", if it is ruled: {texts[each['ruling']][each['option']] or words.words(each['option'])}",
            ]
            for each in largest(data, self.options.get("most", SHOWN))
            if each["option"] in texts.get(each["ruling"], ())
        ]
        said = (
            f"Measured in {data['games']:,} games of {said_players(data['game']['players'])} under each reading, "
            f"with the same seeds; the players choose: {data['policy']}. Compared are {len(data['options'])} of "
            f"{sum(len(each) - 1 for each in texts.values())} other answers. "
        )
        fresh = data["rules"] == rules_of(book.found_at, data["game"]["players"])
        old = node_builders.strong("The rules of play have changed since: the figures are those of another text.")
        return [
            node_builders.bullets(lines, "rules-swings"),
            node_builders.para(said, "" if fresh else old, css="rules-facts"),
        ]


def largest(data: Data, most: int) -> list[Data]:
    """Return what is surest to change points much, each ruling once; what may be nothing but chance is left out."""
    surest: dict[str, Data] = {}
    for each in sorted(data["options"], key=lambda one: -_at_least(one["swing"])):
        if _at_least(each["swing"]) > 0:
            surest.setdefault(each["ruling"], each)
    return list(surest.values())[:most]


def _at_least(estimate: list[float | None]) -> float:
    """Return how far from zero a mean is at the near end of its interval."""
    mean, error = estimate
    return 0.0 if mean is None or error is None else max(0.0, abs(mean) - error)


def _signed(estimate: list[float]) -> str:
    mean, error = estimate
    return f"{mean:+.1f} ± {error:.1f}".replace("-", "−")


def _share(estimate: list[float]) -> str:
    mean, error = estimate
    return f"{mean:.0%} ± {error:.0%}"
