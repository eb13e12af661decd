"""Findings: where a rulebook leaves a question open, in the order of how often that matters in random play.

Reads:  a book, and what `pilgrim readings --write` has kept in a folder beside the page.   Writes: nodes.
After:  every ruling of the game stands on the page once: met in play, never met, or of no consequence. What was measured with
        other rules than today's is shown, and the page says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from docutils import nodes
from docutils.parsers.rst import directives as options
from sphinx import addnodes

from pilgrim_rules.core import ir
from pilgrim_rules.core.fingerprint import Fingerprints
from pilgrim_rules.core.ghosts import without_ghosts
from pilgrim_rules.inputs.clauses.records import EditionDifference, Gap
from pilgrim_rules.language.load import load_rules
from pilgrim_rules.prose import words
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.objects.directive_base import RulesDirective

__all__ = ["FindingsDirective", "in_order", "rules_of"]

MEASURED = "measured.json"
KINDS = {
    "contradiction": "The book contradicts itself",
    "silence": "The book is silent",
    "ambiguity": "The book can be read in several ways",
}
DEAD_END = "Dead end"
MOST_EXAMPLES = 4

Data: TypeAlias = dict[str, Any]


class FindingsDirective(RulesDirective):
    """`.. rules:findings:: folder`: what was measured; `:dead-ends:` names the gaps in which nobody can go on."""

    required_arguments = 1
    option_spec: ClassVar = {"dead-ends": options.unchanged}

    def run(self) -> list[nodes.Node]:
        """Show the findings."""
        book = self.current()
        if book is None:
            return []
        folder = Path(self.env.doc2path(self.env.docname)).parent / self.arguments[0]
        self.env.note_dependency(str(folder / MEASURED))
        try:
            data: Data = json.loads((folder / MEASURED).read_text("utf-8"))
        except (OSError, ValueError) as problem:
            return self.warn(f"what was measured cannot be read: {problem}")
        today = rules_of(book.found_at, data["game"]["players"])
        dead_ends = frozenset(self.options.get("dead-ends", "").replace(",", " ").split())
        page = _Page(book, data, self.arguments[0], dead_ends)
        return [page.head(today), *page.parts()]


def rules_of(name: str, players: int) -> str:
    """Return the fingerprint of play of a game for this many players, as `pilgrim readings` writes it."""
    return Fingerprints(without_ghosts(load_rules(name, players=players).game)).rules


def in_order(rulings: Iterable[Data]) -> list[Data]:
    """Return what was measured, what matters most often first."""
    return sorted(rulings, key=lambda each: (-each["bites"], -each["parted"]))


class _Page:
    """What the page says about each ruling."""

    def __init__(self, book: Book, data: Data, folder: str, dead_ends: frozenset[str]) -> None:
        self.book, self.data, self.folder, self.dead_ends = book, data, folder, dead_ends
        self.rulings = {ruling.name: ruling for ruling in book.game.rulings}

    def head(self, today: str) -> nodes.Node:
        """Return how it was measured, and whether with the current rules."""
        players, games, decisions = self.data["game"]["players"], self.data["games"], self.data["decisions"]
        said = f"Measured in {games:,} random games of {players} players with {decisions:,} decisions, seed {self.data['seed']}. "
        old = "The rules of play have changed since: the figures are those of another text."
        return node_builders.para(
            said, "" if self.data["rules"] == today else node_builders.strong(old), css="rules-facts"
        )

    def parts(self) -> list[nodes.Node]:
        """Return the findings in three parts, each ordered."""
        known = [each for each in in_order(self.data["rulings"]) if each["name"] in self.rulings]
        met = [each for each in known if each["bites"]]
        unmet = [each for each in known if each["read"] and not each["bites"]]
        idle = [each for each in known if not each["read"]]
        shown = [
            self._section(
                "Met in random play", [node for at, each in enumerate(met, 1) for node in self._finding(each, at)]
            ),
            self._section("Not met in these games", [node for each in unmet for node in self._finding(each, None)]),
            self._section("Without consequences", self._without_effect(idle)),
        ]
        return [section for section in shown if section is not None]

    def _section(self, title: str, content: Sequence[nodes.Node]) -> nodes.section | None:
        if not content:
            return None
        return nodes.section("", nodes.title("", title), *content, ids=[nodes.make_id(f"{self.book.name}-{title}")])

    def _finding(self, each: Data, rank: int | None) -> list[nodes.Node]:
        ruling = self.rulings[each["name"]]
        title = words.words(ruling.name)
        shown: list[nodes.Node] = [
            node_builders.heading(
                f"{f'{rank}. ' if rank else ''}{title[:1].upper()}{title[1:]}",
                f"finding-{self.book.name}-{ruling.name}",
            ),
            node_builders.para(self._facts(each, ruling), css="rules-facts"),
            node_builders.para(
                *node_builders.prose(ruling.note.doc),
                " ",
                node_builders.xref("ruling", self.book.name, ruling.name, "The ruling"),
            ),
            *(node_builders.para(*self._gap_text(gap), css="rules-gap") for gap in self._gaps(ruling)),
            node_builders.bullets(self._options(each, ruling)),
        ]
        german = [
            [*node_builders.refs("clause", self.book.name, [other.id]), ": ", other.de]
            for other in self._differences(ruling)
        ]
        if german:
            shown += [node_builders.para("The German edition:"), node_builders.bullets(german)]
        return [*shown, *self._position(each), *self._examples(ruling)]

    def _facts(self, each: Data, ruling: ir.Ruling) -> str:
        kinds = [DEAD_END if gap.id in self.dead_ends else KINDS.get(gap.kind, gap.kind) for gap in self._gaps(ruling)]
        kinds = kinds or (["The editions differ"] if self._differences(ruling) else [])
        games, decisions = self.data["games"], self.data["decisions"]
        often = f"in {each['bites']:,} of {games:,} games" if each["bites"] else f"in none of {games:,} games"
        if each["parted"]:
            often += f", in {each['parted'] / decisions:.2%} of the decisions"
        return " · ".join([*dict.fromkeys(kinds), often])

    def _gap_text(self, gap: Gap) -> list[node_builders.Inline]:
        known = [clause for clause in gap.clauses if self.book.inventory.find(clause) is not None]
        return [
            gap.problem,
            " ",
            node_builders.inline("rules-cites", *node_builders.refs("clause", self.book.name, [gap.id, *known])),
        ]

    def _options(self, each: Data, ruling: ir.Ruling) -> list[list[node_builders.Inline]]:
        shown: list[list[node_builders.Inline]] = []
        for name, text in ruling.options:
            measured = each["options"].get(name)
            tail = (
                " (our ruling)"
                if measured is None
                else f" (differs in {measured['bites']:,} games)"
                if measured["bites"]
                else ""
            )
            shown.append([node_builders.strong(words.words(name)), f": {text}" if text else "", tail])
        return shown

    def _position(self, each: Data) -> list[nodes.Node]:
        """Return the play that leads to the first position that makes a difference."""
        if each["record"] is None:
            return []
        first, path = each["first"], f"{self.folder}/{each['record']}"
        link = addnodes.download_reference("", "", nodes.literal("", each["record"]), reftarget=path)
        told: list[node_builders.Inline] = ["To replay: ", link, f", after {first['moves']} moves. "]
        only = [
            [f"only {whose} allows ", *node_builders.spaced([node_builders.code(move) for move in first[side]], ", ")]
            for side, whose in (("here", "our ruling"), ("there", words.words(each["option"])))
            if first[side]
        ]
        if first["what"] == "scores":
            only = [["the scores differ"]]
        parts = only or [["somebody else moves, or the stage is another"]]
        joined = [piece for at, part in enumerate(parts) for piece in (*([", and "] if at else []), *part)]
        return [
            node_builders.para(*told, f"Under {words.words(each['option'])}, compared with our ruling: ", *joined, ".")
        ]

    def _examples(self, ruling: ir.Ruling) -> list[nodes.Node]:
        wanted = set(ruling.note.clauses)
        names = [name for name, told in self.book.examples.items() if wanted & set(told.example.note.clauses)]
        more = f" and {len(names) - MOST_EXAMPLES} more" if len(names) > MOST_EXAMPLES else ""
        shown = node_builders.refs("example", self.book.name, names[:MOST_EXAMPLES])
        return [node_builders.para("Examples: ", *shown, f"{more}.")] if names else []

    def _without_effect(self, rulings: Sequence[Data]) -> list[nodes.Node]:
        """Return the questions that change nothing, or that the rest of the book answers, each with why."""
        rows = []
        for each in rulings:
            ruling = self.rulings[each["name"]]
            gaps = [gap.id for gap in self._gaps(ruling)]
            rows.append(([*node_builders.refs("clause", self.book.name, gaps)], node_builders.prose(ruling.note.doc)))
        return [node_builders.table(("Question", "Why it does not matter in play"), rows, (30, 70))] if rows else []

    def _gaps(self, ruling: ir.Ruling) -> list[Gap]:
        return [found for id_ in ruling.note.clauses if isinstance(found := self.book.inventory.find(id_), Gap)]

    def _differences(self, ruling: ir.Ruling) -> list[EditionDifference]:
        return [
            found
            for id_ in ruling.note.clauses
            if isinstance(found := self.book.inventory.find(id_), EditionDifference)
        ]
