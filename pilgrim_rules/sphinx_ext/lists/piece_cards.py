"""Cards: every row of the edition's data, drawn as a card with its numbers, its kinds and its text.

Reads:  a book.   Writes: nodes; the style sheet makes cards of them.
After:  each row can be linked. A column that says nothing of a row is not on its card: nothing, no, a number 0, or what
        all rows of that kind say alike while the others differ, unless points are counted with it. A row without a text of
        its own has that of the clauses which begin with its name. Tables that only
        describe the map come last, folded.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from docutils import nodes

from pilgrim_rules.core import ir
from pilgrim_rules.core.footprint import Footprints
from pilgrim_rules.core.values import show as show_value
from pilgrim_rules.figures.palette import Palette
from pilgrim_rules.prose import say_text, words
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.objects.domain import anchor, full_id
from pilgrim_rules.sphinx_ext.pictures import picture_nodes as pictures

__all__ = ["piece_names", "piece_tables", "tables_of_pieces"]

FEW_NUMBERS = 6  #: that a colour tells apart
FEWEST = 4  #: rows of a kind before what they say alike counts as saying nothing


def piece_names(book: Book, tables: Collection[str] | None = None) -> Iterator[tuple[str, str, str]]:
    """Yield each row of each table of pieces, or of those that are named: its name, what it is called, and the table."""
    for table, columns in _tables(book.game).items():
        if tables is not None and table not in tables:
            continue
        for label in columns[0].index[0].labels:
            yield f"{table}.{label}", _title(label), words.words(table)


def tables_of_pieces(book: Book) -> tuple[str, ...]:
    """Return the names of the tables of pieces."""
    return tuple(_tables(book.game))


def piece_tables(book: Book, tables: Collection[str] | None = None) -> list[nodes.Node]:
    """Return every table of pieces, or those that are named, as sheets of cards; what only describes the map is folded, at the end."""
    every = (Sheet(book, table, tuple(columns)) for table, columns in _tables(book.game).items())
    sheets = [each for each in every if tables is None or each.table in tables]
    shown: list[nodes.Node] = []
    for sheet in sheets:
        if not sheet.is_map:
            shown += [node_builders.heading(sheet.title), sheet.cards()]
    shown += [
        node_builders.details([f"{sheet.title}: data of the map"], sheet.cards()) for sheet in sheets if sheet.is_map
    ]
    return [*shown, node_builders.para(pictures.ASSUMED, css="rules-caption")] if shown else []


def _tables(game: ir.Game) -> dict[str, list[ir.Constant]]:
    """Return the columns of each table of rows."""
    found: dict[str, list[ir.Constant]] = {}
    for constant in game.constants:
        table, dot, _ = constant.name.partition(".")
        if constant.source == "column" and dot and constant.index and constant.index[0].kind == "enum":
            found.setdefault(table, []).append(constant)
    return found


def _title(label: str) -> str:
    return words.sentence(words.label(label)).rstrip(".")


@dataclass(frozen=True, slots=True)
class Sheet:
    """The cards of one table."""

    book: Book
    table: str
    columns: tuple[ir.Constant, ...]

    @property
    def title(self) -> str:
        """The table, in the plural."""
        return words.sentence(words.plural(words.words(self.table))).rstrip(".")

    @property
    def rows(self) -> ir.Type:
        """The type whose values are the rows."""
        return self.columns[0].index[0]

    @property
    def is_map(self) -> bool:
        """Whether its rows are places of a graph, or speak of each other, or mostly of places and sides."""
        graphs = [constant for constant in self.book.game.constants if constant.source == "graph"]
        places = {constant.index[0].name for constant in graphs if constant.index}
        spoken = [_plain(column.type).name for column in self.columns]
        mostly = 2 * sum(name in places for name in spoken) > len(spoken)
        return mostly or self.rows.name in places or self.rows.name in spoken

    def cards(self) -> nodes.bullet_list:
        """Return a card for each row."""
        cards = [self._card(code) for code in range(self.rows.size)]
        return nodes.bullet_list("", *cards, classes=["rules-sheet"])

    def _card(self, code: int) -> nodes.list_item:
        """Return a card: its name, its numbers, its kinds, and its text or that of a label it bears."""
        label = self.rows.labels[code]
        name = node_builders.inline("rules-piece", _title(label))
        name["ids"] = [anchor("piece", full_id(self.book.name, f"{self.table}.{label}"))]
        told = [column for column in self.columns if not self._is_silent(column, code)]
        numbers = [
            node_builders.inline("rules-pip", node_builders.strong(much), f" {of}") for much, of in _numbers(told, code)
        ]
        kinds = [node_builders.inline("rules-chip", fact) for column in told if (fact := _fact(column, code, label))]
        text: list[node_builders.Inline] = [" ".join(map(words.sentence, self._texts(code)))]
        if not text[0]:
            text = self._retold(label)
        parts = [
            node_builders.para(name, css="rules-part"),
            *([node_builders.para(*node_builders.spaced(numbers, " "), css="rules-pips")] if numbers else []),
            *([node_builders.para(*node_builders.spaced(kinds, " "), css="rules-chips")] if kinds else []),
            *([node_builders.para(*text, css="rules-card-text")] if text else []),
        ]
        return nodes.list_item("", *parts, classes=[f"rules-tint-{self._tint(code)}"])

    def _retold(self, label: str) -> list[node_builders.Inline]:
        """Return what the rulebook says of a row, as its clauses tell it: those that begin with its name and a colon."""
        begins = re.compile(
            rf"{re.escape(_title(label))}(?: {re.escape(words.words(self.table))})?: (.+)", re.IGNORECASE
        )
        found: list[node_builders.Inline] = []
        for clause in self.book.inventory.clauses:
            if (told := begins.match(clause.text)) is not None:
                found += [" "] if found else []
                found += [words.sentence(told[1]), " ", node_builders.xref("clause", self.book.name, clause.id)]
        return found

    def _texts(self, code: int) -> Iterator[str]:
        """Yield what a term says of a row, and the texts of the row and of the labels that it bears."""
        game, label = self.book.game, self.rows.labels[code]
        yield from (explained for term, explained in game.glossary if term == label and "{" not in explained)
        scalars = [column for column in self.columns if len(column.index) == 1]
        bears = {(column.type.name, show_value(column.type, column.values[code])) for column in scalars}
        for text in game.texts:
            if (text.of, text.row) in {(self.table, label), *bears}:
                yield from [text.note.doc] if text.note.doc else [step.text for step in say_text(game, text)]

    def _tint(self, code: int) -> str:
        """Return the colour of a card: that of its first kind, or of the row itself."""
        palette = Palette(self.book.game)
        scalars = [each for each in self.columns if len(each.index) == 1]
        for column in sorted(scalars, key=lambda each: _plain(each.type).kind != "enum"):
            if not _tells_apart(_plain(column.type)):
                continue
            if (colour := palette.colour(column.type, column.values[code])) is not None:
                return colour
        return palette.colour(self.rows, code) or "grey"

    def _is_silent(self, column: ir.Constant, code: int) -> bool:
        """Tell whether all rows of this kind say the same in the column, while others differ.

        Characters say nothing of what an event does, though their rows have the column.
        """
        width = _width(column)
        cells = [column.values[at * width : (at + 1) * width] for at in range(self.rows.size)]
        for flag in self.columns:
            if flag is column or flag.type.kind != "bool" or len(flag.index) > 1:
                continue
            same = [cell for at, cell in enumerate(cells) if flag.values[at] == flag.values[code]]
            others = {cell for at, cell in enumerate(cells) if flag.values[at] != flag.values[code]}
            if len(same) >= FEWEST and len(set(same)) == 1 and len(others) > 1:
                return not self._is_scored(column)
        return False

    def _is_scored(self, column: ir.Constant) -> bool:
        """Tell whether points are counted with a column: then every row says something in it."""
        game = self.book.game
        lines = () if game.score is None else game.score.lines
        return column.name in Footprints.from_game(game).joint(line.value for line in lines).constants


def _tells_apart(type_: ir.Type) -> bool:
    """Tell whether a colour can stand for a value of the type: a label, or one of a few numbers."""
    return type_.kind == "enum" or (type_.kind == "int" and type_.size <= FEW_NUMBERS)


def _plain(type_: ir.Type) -> ir.Type:
    return _plain(type_.parts[0]) if type_.kind == "optional" else type_


def _width(column: ir.Constant) -> int:
    return len(column.values) // column.index[0].size


def _numbers(columns: Sequence[ir.Constant], code: int) -> Iterator[tuple[str, str]]:
    """Yield the numbers of a card that are not 0, with what they count; those of one named type stand together."""
    groups: dict[str, list[str]] = {}
    for column in columns:
        kind = _plain(column.type)
        if kind.kind != "int" or len(column.index) > 1:
            continue
        shown = show_value(column.type, column.values[code])
        alike = [each for each in columns if _plain(each.type).name == kind.name and len(each.index) == 1]
        called = kind.name if kind.name.isidentifier() and len(alike) > 1 else column.name
        if shown != "none" and (shown != "0" or not _is_mostly_0(column)):
            groups.setdefault(words.words(called), []).append(shown)
    for called, found in groups.items():
        yield " · ".join(dict.fromkeys(found)), called


def _is_mostly_0(column: ir.Constant) -> bool:
    """Tell whether 0 stands for nothing in a column: most rows have it."""
    return 2 * list(column.values).count(0) >= len(column.values)


def _fact(column: ir.Constant, code: int, row: str) -> str:
    """Return what a column says of a row besides numbers: "starred", "good ore", "need: 2 wool"; nothing if it says no."""
    called, width = words.words(column.name), _width(column)
    values = column.values[code * width : (code + 1) * width]
    if width > 1:
        return _listed(column, values)
    if column.type.kind == "bool":
        return called if values[0] else ""
    shown = show_value(column.type, values[0])
    if _plain(column.type).kind == "int" or shown in ("none", row):
        return ""
    label = words.label(shown)
    return label if called in label.split() else f"{called} {label}"  # "letter a", not "letter letter a"


def _listed(column: ir.Constant, values: Sequence[int]) -> str:
    """Return the cells of a column that has several for each row: "need: 2 wool, 1 plow"; nothing if they speak of rows."""
    inner, kind = column.index[1:], _plain(column.type)
    if len(inner) > 1 or kind.name == column.index[0].name:
        return ""
    shown = [show_value(column.type, value) for value in values]
    places = [words.label(show_value(inner[0], at)) for at in range(inner[0].lo, inner[0].hi + 1)]
    if kind.kind == "bool":
        found = [place for place, value in zip(places, values, strict=True) if value]
    elif inner[0].kind == "int":  # one after the other: which is which the numbers do not say
        found = [words.label(each) for each in shown if each not in ("0", "none")]
    elif kind.kind == "int":
        found = [f"{each} {place}" for place, each in zip(places, shown, strict=True) if each not in ("0", "none")]
    elif kind.name == inner[0].name:  # what is joined with what: each pair once
        pairs = (
            sorted((place, words.label(each))) for place, each in zip(places, shown, strict=True) if each != "none"
        )
        found = list(dict.fromkeys(" – ".join(pair) for pair in pairs))
    else:
        found = [f"{place} {words.label(each)}" for place, each in zip(places, shown, strict=True) if each != "none"]
    return f"{words.words(column.name)}: {', '.join(found)}" if found else ""
