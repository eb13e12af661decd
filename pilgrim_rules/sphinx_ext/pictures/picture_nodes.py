"""Pictures on a page: positions of one game.

Reads:  states.   Writes: nodes that show files of pictures.
After:  nothing essential is said by a picture alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

import pilgrim_rules
from pilgrim_rules.api.game import State
from pilgrim_rules.core import ir
from pilgrim_rules.core.move_text import action_name
from pilgrim_rules.figures.draw import changed_nodes
from pilgrim_rules.figures.layer_items import changing_items, figure_of
from pilgrim_rules.figures.move_places import MovePlaces, places
from pilgrim_rules.semantics.errors import RulesGameError
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.nodes.picture_files import picture_file
from pilgrim_rules.sphinx_ext.pictures.play_boards import board_in

__all__ = [
    "ASSUMED",
    "FigureError",
    "before_and_after",
    "note_assumed_once",
    "position_after",
    "position_node",
    "refused_and_carried_out",
]

ASSUMED = "A layout of ours, drawn from the rules; the printed game may look different."
MOST_FIGURES = 1  #: of a rule at work; the rest of what it changes is said in words


def before_and_after(folder: Path | None, before: State, after: State, rule: str) -> list[nodes.Node]:
    """Return the figures that a rule touches before and after it is used, its legal and its refused places marked."""
    shown: list[tuple[int, ir.Figure, MovePlaces]] = []
    for figure in before.game.core.figures:
        found = _places(before, figure, rule)
        changed = len(changed_nodes(changing_items(before, figure.name), changing_items(after, figure.name)))
        if changed or found.legal or found.refused:
            shown.append((2 * bool(found.legal or found.refused) + bool(changed), figure, found))
    best = sorted(shown, key=lambda each: -each[0])[:MOST_FIGURES]
    drawn = [
        node_builders.box(
            "rules-pair",
            _framed(
                f"{figure.title}, before",
                picture_file(folder, before, figure, f"{figure.title}, before", found=found),
            ),
            _framed(
                f"{figure.title}, after", picture_file(folder, after, figure, f"{figure.title}, after", since=before)
            ),
        )
        for _, figure, found in best
    ]
    note = [node_builders.para(ASSUMED, css="rules-caption rules-assumed")] if drawn else []
    return [*drawn, *note, board_in(before, "The position before the move")]


def note_assumed_once(_app: Sphinx, doctree: nodes.document) -> None:
    """Say once a page that its pictures are a layout of ours; what is opened as a page of its own says it as well."""
    said: set[int] = set()
    for note in [each for each in doctree.findall(nodes.paragraph) if "rules-assumed" in each["classes"]]:
        page: nodes.Element | None = note.parent
        while page is not None and not (isinstance(page, node_builders.Details) and page.get("part")):
            page = page.parent
        if id(page) in said:
            note.parent.remove(note)
        said.add(id(page))


def refused_and_carried_out(folder: Path | None, before: State, after: State, move: str) -> list[nodes.Node]:
    """Return the figure that a refused move touches: the place crossed out, and what it would become all the same."""
    for figure in before.game.core.figures:
        found = places(before, figure.canvas, moves=False, highlight=(), cross_out=(move,))
        if found.refused:
            labels = (f"{figure.title}, where it is refused", f"{figure.title}, if it were not")
            drawn = (
                picture_file(folder, before, figure, labels[0], found=found),
                picture_file(folder, after, figure, labels[1], since=before),
            )
            note = node_builders.para(ASSUMED, css="rules-caption rules-assumed")
            return [node_builders.box("rules-pair", *map(_framed, labels, drawn)), note]
    return []


def _framed(title: str, drawn: nodes.Node) -> nodes.Node:
    return node_builders.box("rules-frame", node_builders.para(title, css="rules-caption"), drawn)


def _places(state: State, figure: ir.Figure, rule: str) -> MovePlaces:
    """Return where the rule may be used now and where it is refused; nothing if it concerns no place of the figure."""
    found = places(state, figure.canvas, moves=True, highlight=(), cross_out=(rule,))
    mine = {node: [move for move in moves if action_name(move) == rule] for node, moves in found.legal.items()}
    found.legal = {node: moves for node, moves in mine.items() if moves}
    return found


class FigureError(Exception):
    """A play that cannot be drawn."""


def position_after(
    name: str, players: int | None, rulings: str, seed: int, moves: Sequence[str], chosen: str = ""
) -> State:
    """Return the position after some moves, under rulings and with options that the players have chosen."""
    try:
        return _game(name, players, _choices(rulings), _choices(chosen)).start(seed).play(*moves)
    except (RulesGameError, pilgrim_rules.RulesError, ValueError) as problem:
        raise FigureError(str(problem)) from problem


def position_node(folder: Path | None, state: State, figure: str | None, *, outline: bool) -> nodes.Node:
    """Return a position, one figure of it or all; `outline` marks where the next move may happen."""
    try:
        if figure is None:
            return nodes.raw("", str(state.svg(moves=outline)), format="html")
        drawn = figure_of(state.game, figure)
    except KeyError as problem:
        raise FigureError(problem.args[0]) from problem
    found = places(state, drawn.canvas, moves=outline, highlight=(), cross_out=())
    return picture_file(folder, state, drawn, f"{drawn.title}, {state.stage.replace('_', ' ')}", found=found)


def _choices(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(_choice(each) for each in text.replace(",", " ").split()))


def _choice(text: str) -> tuple[str, str]:
    name, equals, option = text.partition("=")
    if not equals:
        raise FigureError(f"a choice is written `name=option`, not `{text}`")
    return name, option


@cache
def _game(
    name: str, players: int | None, rulings: tuple[tuple[str, str], ...], chosen: tuple[tuple[str, str], ...]
) -> pilgrim_rules.Game:
    return pilgrim_rules.load(name, players, dict(rulings) or None, options=dict(chosen) or None)
