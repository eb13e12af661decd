"""Text: a figure of a state in plain characters, for terminals, for screen readers and for comparing.

Reads:  the same items as the drawing.   Writes: lines of text: the nodes where they lie, then what they hold in words.
After:  whatever a picture shows of the state is in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import ceil

from pilgrim_rules.core.ir import Figure
from pilgrim_rules.engine.rules import StateLike
from pilgrim_rules.figures.board import name_of
from pilgrim_rules.figures.layer_items import (
    PictureItem,
    changing_items,
    figure_of,
    fixed_items,
    palette,
    undrawn_variables,
)
from pilgrim_rules.figures.move_places import MovePlaces
from pilgrim_rules.figures.palette import Tint
from pilgrim_rules.figures.variable_tables import VariableTable, variable_tables
from pilgrim_rules.semantics.errors import Contradiction
from pilgrim_rules.semantics.visibility import Observer

_MOST_CARDS = 16  #: nodes that are written out, each with its name and everything on it
_LONGEST = 7  #: of what is written for one node; the words below the map say it in full


def picture_text(
    state: StateLike,
    *,
    figure: str | None = None,
    observer: Observer | None = None,
    places: Mapping[str, MovePlaces] | None = None,
) -> str:
    """Return the figures of a state as text, one below the other; of one figure if it is named.

    `places` says for each figure where something may be done, and where not.
    """
    game = state.game
    parts = _figures(state, figure, observer, places or {})
    if figure is None and not parts:
        shown = variable_tables(state, None, undrawn_variables(game), observer)
        parts = [_table(table, palette(game).seats) for table in shown]
    stage, mover = game.runner.row(state.data).stage.name, to_move(state)
    moment = f"{stage}, {mover} to move" if mover else stage
    return "\n\n".join([f"{game.title}: {moment}", *parts, _letters(state)])


def to_move(state: StateLike) -> str | None:
    """Return who decides in a state: a player's name, `chance`, `auto`, or None.

    Nobody does when the game is over, or when the rules contradict themselves there: such a state can be drawn too.
    """
    try:
        return state.game.runner.decider(state.data)
    except Contradiction:
        return None


def board_text(state: StateLike, observer: Observer | None = None, since: StateLike | None = None) -> str:
    """Return the figures of a state for a terminal that shows the rest in its own way; nothing if there are none.

    `since` is an earlier state, seen by the same player: figures that look as they did then are left out.
    """
    parts = _figures(state, None, observer, {})
    if since is not None:
        known = _figures(since, None, observer, {})
        parts = [part for part in parts if part not in known]
    return "\n\n".join([*parts, *([] if since else [_letters(state)])]) if parts else ""


def _figures(
    state: StateLike, name: str | None, observer: Observer | None, places: Mapping[str, MovePlaces]
) -> list[str]:
    game = state.game
    chosen = game.core.figures if name is None else (figure_of(game, name),)
    return [
        "\n".join([
            _figure(each, fixed_items(game, each.name), changing_items(state, each.name, observer)),
            *_place_lines(each, places.get(each.name, MovePlaces())),
        ])
        for each in chosen
    ]  # fmt: skip


def _place_lines(figure: Figure, found: MovePlaces) -> list[str]:
    """Return a line for the places of legal moves, for those chosen, and for each reason why others are refused."""
    lines: dict[str, list[int]] = {"legal": sorted(found.legal), "chosen": sorted(found.chosen)}
    for node, why in sorted(found.refused.items()):
        lines.setdefault(", ".join(filter(None, ("refused", str(why)))), []).append(node)
    return [
        f"{what}: {', '.join(name_of(figure.canvas, at) for at in nodes)}" for what, nodes in lines.items() if nodes
    ]


def _letters(state: StateLike) -> str:
    return ", ".join(f"{tint.letter} {tint.label}" for tint in palette(state.game).seats)


def _figure(figure: Figure, below: Sequence[PictureItem], upon: Sequence[PictureItem]) -> str:
    held: list[list[PictureItem]] = [[] for _ in figure.canvas.places]
    for item in (*below, *upon):
        held[item.node].append(item)
    if _has_cards(figure):
        names = [name_of(figure.canvas, node).replace("_", " ") for node in range(len(held))]
        cards = [[name, *_card(items)] for name, items in zip(names, held, strict=True)]
        return "\n".join([figure.title, *_cards(figure.canvas.places, cards)])
    lines = _grid(figure.canvas.places, [_short(items) for items in held])
    # What never changes is said in words only where it stands in a node by itself.
    marks = [item for item in below if item.kind in ("mark", "pieces", "label")]
    return "\n".join([figure.title, *lines, *_areas(below), *_in_words(figure, (*marks, *upon))])


def _areas(below: Sequence[PictureItem]) -> list[str]:
    """Return a line that says what the letters of areas mean, if there are areas that do not change."""
    named = dict.fromkeys(item.tint.label for item in below if item.kind == "area" and item.tint is not None)
    return [", ".join(f"{label[0]} {label.replace('_', ' ')}" for label in named)] if named else []


def _table(table: VariableTable, seats: Sequence[Tint]) -> str:
    """Return a table as text."""
    heads = (("", *(tint.label for tint in seats)),) if table.players else ()
    rows = [*heads, *((label, *(cell.words for cell in cells)) for label, cells in table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _grid(places: Sequence[tuple[int, int]], words: Sequence[str]) -> list[str]:
    """Return the words where their nodes lie; the distance of the nearest columns is as wide as the longest word."""
    rows = _lanes(y for _, y in places)
    columns = _lanes(x for x, _ in places)
    lines: list[list[tuple[int, str]]] = [[] for _ in range(max(rows.values()) + 1)]
    for (x, y), word in zip(places, words, strict=True):
        lines[rows[y]].append((columns[x], word))
    nearest = min((b - a for line in map(sorted, lines) for (a, _), (b, _) in pairwise(line)), default=1)
    step = ceil((max(map(len, words)) + 1) / max(nearest, 1))
    made = []
    for line in lines:
        text = ""
        for column, word in sorted(line):
            text = text.ljust(column * step) + word
        made.append(text.rstrip())
    return made


def _has_cards(figure: Figure) -> bool:
    """Tell whether each node is written out: a row of nodes, or nodes that hold several things."""
    canvas = figure.canvas
    if canvas.outline not in ("square", "point") or canvas.type.kind == "pair" or len(canvas.places) > _MOST_CARDS:
        return False
    inside = [layer for layer in figure.layers if layer.kind in ("mark", "pieces", "label")]
    return len(inside) > 1 or len({y for _, y in canvas.places}) == 1


def _card(items: Sequence[PictureItem]) -> list[str]:
    """Return the lines of a node: its labels, then everything on it in one line."""
    said = [item.words for item in items if item.kind == "label"]
    tokens = [_spelled(item) for item in items if item.kind in ("mark", "pieces")]
    return [*said, *([" ".join(tokens)] if tokens else [])] or ["."]


def _spelled(item: PictureItem) -> str:
    """Return a piece or mark: a player by the letter, anything else by its name."""
    whose = "" if item.tint is None else item.tint.letter or item.tint.label
    if item.kind == "pieces":
        return f"{whose}{'' if item.tint is None or item.tint.letter else ' '}{item.count}"
    return whose or item.says or item.words or item.shape


def _cards(places: Sequence[tuple[int, int]], cards: Sequence[list[str]]) -> list[str]:
    """Return the cards where their nodes lie, as narrow as what is on them."""
    columns = {x: at for at, x in enumerate(sorted({x for x, _ in places}))}
    widths = [0] * len(columns)
    rows: dict[int, dict[int, list[str]]] = {}
    for (x, y), card in zip(places, cards, strict=True):
        rows.setdefault(y, {})[columns[x]] = card
        widths[columns[x]] = max(widths[columns[x]], *map(len, card))
    made: list[str] = []
    for _, row in sorted(rows.items()):
        made += [""] if made else []
        for line in range(max(map(len, row.values()))):
            words = [row[at][line] if at in row and line < len(row[at]) else "" for at in range(len(widths))]
            made.append("  ".join(word.ljust(width) for word, width in zip(words, widths, strict=True)).rstrip())
    return made


def _lanes(values: Iterable[int]) -> dict[int, int]:
    """Return a whole number for each coordinate, in proportion where the coordinates are evenly spaced."""
    known = sorted(set(values))
    gaps = [b - a for a, b in pairwise(known)]
    unit = min((gap for gap in gaps if gap > 2), default=1)  # noqa: PLR2004  (thousandths: rounding, no distance)
    lanes = {value: round((value - known[0]) / unit) for value in known}
    crowded = max(lanes.values()) > 4 * len(known)
    return {value: at for at, value in enumerate(known)} if crowded else lanes


def _short(items: Sequence[PictureItem]) -> str:
    """Return the few characters that stand for a node: what is on it, or else its area."""
    said = [_token(item) for item in items if item.kind in ("mark", "pieces")]
    said += [_initial(item.words) for item in items if item.kind == "label"]
    ways = dict.fromkeys(
        item.tint.letter.lower() for item in items if item.kind == "path" and item.tint and item.tint.letter
    )
    said += ways
    if not said:
        area = next((item for item in items if item.kind == "area"), None)
        return "#" if area is not None and area.tint is None else area.tint.label[0] if area and area.tint else "."
    return "".join(said)[:_LONGEST]


def _token(item: PictureItem) -> str:
    letter = item.tint.letter if item.tint is not None else ""
    if item.kind == "pieces":
        return f"{letter or (item.tint.label[0] if item.tint else '')}{item.count}"
    if letter:
        return letter
    return item.words or {"cross": "x", "ring": "o", "star": "*"}.get(item.shape, item.shape[0])


def _initial(words: str) -> str:
    return words if len(words) <= 3 else words[:2]  # noqa: PLR2004  (numbers stay whole)


def _in_words(figure: Figure, items: Sequence[PictureItem]) -> list[str]:
    """Return a line for each kind of thing: what it means, and where it is."""
    found: dict[str, list[str]] = {}
    for item in items:
        whose = "" if item.tint is None else f" {item.tint.label}"
        place = name_of(figure.canvas, item.node)
        match item.kind:
            case "area":
                continue
            case "edge" | "path":
                assert figure.canvas.sides is not None, "only nodes with sides have ways"
                sides = "–".join(figure.canvas.sides.labels[side] for side in item.sides)
                found.setdefault(item.says or item.kind, []).append(f"{place} {sides}{whose}")
            case "pieces":
                found.setdefault(item.says or "pieces", []).append(f"{place} {item.count}{whose}")
            case "label":
                found.setdefault(item.says or "labels", []).append(f"{place} {item.words}")
            case "mark":
                sign = f"{_token(item)} " if item.tint is None and item.says else ""
                what = sign + (item.says or item.shape or item.words)
                found.setdefault(what, []).append(f"{place}{whose}")
    return [f"{what}: {', '.join(where)}" for what, where in found.items()]
