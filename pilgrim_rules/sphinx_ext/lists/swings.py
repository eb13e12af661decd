"""Swings: the rulings that can move the most points, announced before all others.

Reads:  a book, and what `pilgrim readings --write` has kept in a folder beside the page.   Writes: nodes.
After:  the figures are those that were measured; if the rules of play have changed since, the page says so.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from docutils import nodes
from docutils.parsers.rst import directives as options

from pilgrim_rules.prose import words
from pilgrim_rules.sphinx_ext import node_builders
from pilgrim_rules.sphinx_ext.directive_base import RulesDirective
from pilgrim_rules.sphinx_ext.lists.findings import MEASURED, rules_of

__all__ = ["SwingsDirective", "largest"]

Data: TypeAlias = dict[str, Any]
SHOWN = 5


class SwingsDirective(RulesDirective):
    """`.. rules:swings:: folder`: the rulings with the largest measured swing; `:most:` says how many."""

    required_arguments = 1
    option_spec: ClassVar = {"most": options.positive_int}

    def run(self) -> list[nodes.Node]:
        """Show the list, with how it was measured."""
        book = self.current()
        if book is None:
            return []
        path = Path(self.env.doc2path(self.env.docname)).parent / self.arguments[0] / MEASURED
        self.env.note_dependency(str(path))
        try:
            data: Data = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as problem:
            return self.warn(f"what was measured cannot be read: {problem}")
        texts = {ruling.name: dict(ruling.options) for ruling in book.game.rulings}
        lines: list[list[node_builders.Inline]] = [
            [
                node_builders.xref("ruling", book.name, name),
                f": {swing} points, if it is ruled: {texts[name][option] or words.words(option)}",
            ]
            for swing, name, option in largest(data, self.options.get("most", SHOWN))
            if name in texts and option in texts[name]
        ]
        said = f"Measured in {data['games']:,} random games of {data['game']['players']} players. "
        fresh = data["rules"] == rules_of(book.found_at, data["game"]["players"])
        old = node_builders.strong("The rules of play have changed since: the figures are those of another text.")
        return [
            node_builders.bullets(lines, "rules-swings"),
            node_builders.para(said, "" if fresh else old, css="rules-facts"),
        ]


def largest(data: Data, most: int) -> list[tuple[int, str, str]]:
    """Return swing, ruling and option, the largest first, each ruling once."""
    found = [
        max((figures.get("swing", 0), each["name"], option) for option, figures in each["options"].items())
        for each in data["rulings"]
        if each["options"]
    ]
    return sorted((each for each in found if each[0]), key=lambda each: (-each[0], each[1]))[:most]
