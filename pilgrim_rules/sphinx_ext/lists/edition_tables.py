"""Tables about the rulebook behind a game: where its editions differ, what is assumed, words in both languages.

Reads:  a book.   Writes: nodes.
After:  nothing is filled in for what the rulebook does not say without this page admitting it.
"""

from __future__ import annotations

from collections.abc import Sequence

from docutils import nodes

from pilgrim_rules.inputs.clauses.records import EditionDifference
from pilgrim_rules.prose import words
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.objects.domain import natural_key

__all__ = ["assumed_table", "difference_table", "language_table", "page_table", "waiver_table"]

SEVERITIES = {
    "changes-play": "The editions play differently",
    "silent-in-en": "Only the German edition says it",
    "silent-in-de": "Only the English edition says it",
    "wording": "Other words, the same play",
}

#: What a preset makes of a difference, in a sentence.
PRESET = {
    "taken": "The preset plays what the German edition says.",
    "same": "The German text comes to what is played anyway.",
    "silent": "The German text says nothing, so the English sentence stands.",
    "contradictory": "The German edition contradicts itself, so its sentence is left aside.",
    "no rule": "Not a rule of play.",
}


def difference_table(book: Book) -> list[nodes.Node]:
    """Return where two editions differ, what changes play first: as the rules declare them, and as the inventory compares them."""
    shown: list[nodes.Node] = _declared_differences(book)
    for severity, title in SEVERITIES.items():
        found = [each for each in book.inventory.differences if each.severity == severity]
        rows: list[Sequence[Sequence[node_builders.Inline]]] = [
            (
                [node_builders.xref("clause", book.name, each.id), _pages(each.page_en, each.page_de)],
                [each.en],
                [each.de],
                [
                    node_builders.strong(each.ruling),
                    f": {each.why}" if each.why else "",
                    *_preset(each),
                    *_played(book, each.id),
                ],
            )
            for each in found
        ]
        if rows:
            head = ("Where", "English edition", "German edition", "Proposal, and what is played")
            shown += [node_builders.heading(title), node_builders.table(head, rows, (19, 27, 27, 27))]
    return shown or [node_builders.para("Only one edition of this game was read.")]


def _declared_differences(book: Book) -> list[nodes.Node]:
    """Return the rulings, data and clauses that are not the same in all editions that the rules declare."""
    found = book.comparison
    shown: list[nodes.Node] = []
    titles = tuple(each.title for each in found.editions)
    widths = (25, *(75 // len(titles) for _ in titles)) if titles else ()
    for title, kind, rows in (
        ("Rulings", "ruling", found.rulings),
        ("Data", None, found.data),
        ("Clauses", "clause", found.clauses),
    ):
        cells: list[Sequence[Sequence[node_builders.Inline]]] = []
        for row in rows:
            what = node_builders.code(row.what) if kind is None else node_builders.xref(kind, book.name, row.what)
            cells.append(([what], *([_said(said, kind)] for said in row.said)))
        if cells:
            shown += [node_builders.heading(title), node_builders.table((title, *titles), cells, widths)]
    return shown


def _said(said: str, kind: str | None) -> str:
    return "—" if not said else words.words(said) if kind == "ruling" else said


def _preset(each: EditionDifference) -> list[node_builders.Inline]:
    """Return what the preset makes of a difference, and why."""
    if not each.preset:
        return []
    because = f" {each.because}" if each.because else ""
    return [" ", node_builders.strong(each.preset.capitalize()), f": {PRESET[each.preset]}{because}"]


def _played(book: Book, difference: str) -> list[node_builders.Inline]:
    """Return what a difference comes to in play: which preset switches which ruling, or that both play the same."""
    shown: list[node_builders.Inline] = []
    for ruling in book.game.rulings:
        if difference in ruling.note.clauses:
            link = node_builders.xref("ruling", book.name, ruling.name)
            options = {each.name: dict(each.choices).get(ruling.name, ruling.default) for each in book.game.presets}
            if len(set(options.values())) > 1:
                played = [f"{name} plays {words.words(option)}" for name, option in options.items()]
                shown += [" ", node_builders.strong("Switched"), " by ", link, f": {words.join(played)}."]
            else:
                shown += [" Not switched: ", link, " is decided alike for both."]
    return shown or [" Not switched: the rules are the same for both."]


def _pages(english: str, german: str) -> str:
    told = [f"{name} {page}" for name, page in (("p.", english), ("German p.", german)) if page]
    return f" ({', '.join(told)})" if told else ""


def assumed_table(book: Book) -> list[nodes.Node]:
    """Return the data that the text does not give, and the constants that rest on assumptions."""
    rows = [
        ([words.words(each.id)], [each.what], [each.known or "—"], [each.suggested or "—"])
        for each in book.inventory.unknowns
    ]
    shown: list[nodes.Node] = []
    if rows:
        head = ("Data", "What is missing", "What the text tells", "What is assumed")
        shown.append(node_builders.table(head, rows, (16, 28, 28, 28)))
    assumed = [constant.name for constant in book.game.constants if constant.assumed]
    if assumed:
        names = node_builders.spaced([node_builders.code(name) for name in assumed], ", ")
        shown.append(node_builders.para("Constants of the rules that rest on such data: ", *names, "."))
    return shown or [node_builders.para("Nothing is assumed: all data of this game is given.")]


def page_table(book: Book) -> list[nodes.Node]:
    """Return the clauses page by page, to be read beside the printed book."""
    found: dict[str, dict[str, list[str]]] = {}
    for clause in book.inventory.clauses:
        if clause.page:
            found.setdefault(clause.page, {}).setdefault(clause.section, []).append(clause.id)
    rows: list[Sequence[Sequence[node_builders.Inline]]] = []
    for page in sorted(found, key=natural_key):
        for section, clauses in found[page].items():
            rows.append(
                (
                    [page],
                    [book.german_pages.get(page, "—")],
                    [section],
                    node_builders.refs("clause", book.name, clauses),
                )
            )
    head = ("English", "German", "Section", "Clauses")
    return [node_builders.table(head, rows, (9, 9, 26, 56))] if rows else []


def waiver_table(book: Book) -> list[nodes.Node]:
    """Return the clauses that no rule needs to cite, and why."""
    rows = [(node_builders.refs("clause", book.name, each.clause), [each.reason]) for each in book.inventory.waivers]
    return [node_builders.table(("Clauses", "Why no rule cites them"), rows, (40, 60))] if rows else []


def language_table(book: Book) -> list[nodes.Node]:
    """Return the terms of the rulebook in both languages, in the order of the alphabet."""
    rows = [([term.en], [term.de]) for term in sorted(book.inventory.terms, key=lambda term: term.en.casefold())]
    return [node_builders.table(("English", "German"), rows, (50, 50))] if rows else []
