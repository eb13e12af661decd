"""Pictures on a page: positions of one game, drawn so that what they share is on the page once.

Reads:  states.   Writes: nodes; and at the end of each page the store of its pictures.
After:  a page with pictures carries everything they need; nothing essential is said by a picture alone.
"""

from __future__ import annotations

import re
from itertools import product

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from pilgrim_rules.core import ir
from pilgrim_rules.core.values import show as show_value
from pilgrim_rules.engine.state import State
from pilgrim_rules.figures.album import Album
from pilgrim_rules.figures.draw import changed_nodes
from pilgrim_rules.figures.items import pieces
from pilgrim_rules.figures.places import Places, places
from pilgrim_rules.figures.text import picture_text
from pilgrim_rules.prose import Voice, say_expr, words
from rules_docs import build

__all__ = ["album", "before_and_after", "changes", "finish", "one", "thin", "without"]

MOST_FIGURES = 1  #: of a rule at work; the rest of what it changes is said in words
_KEY = "rules:album"


def album(env: BuildEnvironment) -> Album:
    """Return the album of the page that is being read."""
    found = env.temp_data.setdefault(_KEY, Album(f"{nodes.make_id(env.docname)}-part"))
    assert isinstance(found, Album), "nobody else uses this key"
    return found


def finish(app: Sphinx, doctree: nodes.document) -> None:
    """Put what the pictures of a page share at its end."""
    found = app.env.temp_data.get(_KEY)
    if isinstance(found, Album) and (parts := found.parts()):
        begin = f'<style>{found.style()}</style><div class="store" aria-hidden="true"><svg><defs>'
        doctree += nodes.raw("", begin, format="html")
        doctree += [nodes.raw("", text, format="html", part=name) for name, text in parts.items()]
        doctree += nodes.raw("", "</defs></svg></div>", format="html")


def thin(doctree: nodes.document) -> None:
    """Take away the parts that no picture of a page refers to any more."""
    shown = [node for node in doctree.findall(nodes.raw) if "part" not in node]
    used = {name for node in shown for name in re.findall(r'href="#([\w-]+)"', node.astext())}
    for node in [node for node in doctree.findall(nodes.raw) if node.get("part", "") not in {"", *used}]:
        node.parent.remove(node)


def one(book: Album, state: State, figure: ir.Figure, label: str, found: Places | None = None) -> nodes.Node:
    """Return one figure of a position."""
    described = picture_text(state, figure=figure.name)
    return nodes.raw("", book.picture(state, figure, label, found=found, described=described), format="html")


def before_and_after(book: Album, before: State, after: State, rule: str) -> list[nodes.Node]:
    """Return the figures that a rule touches before and after it is used, its legal and its refused places marked."""
    shown: list[tuple[int, nodes.Node]] = []
    for figure in before.game.core.figures:
        found = _places(before, figure, rule)
        changed = len(changed_nodes(pieces(before, figure.name), pieces(after, figure.name)))
        if changed or found.legal or found.refused:
            pair = [
                _framed(
                    f"{figure.title}, before", book.picture(before, figure, f"{figure.title}, before", found=found)
                ),
                _framed(f"{figure.title}, after", book.picture(after, figure, f"{figure.title}, after", since=before)),
            ]
            weight = 2 * bool(found.legal or found.refused) + bool(changed)
            shown.append((weight, build.box("rules-pair", *pair)))
    best = sorted(shown, key=lambda each: -each[0])[:MOST_FIGURES]
    return [node for _, node in best]


def without(book: Album, before: State, after: State, move: str) -> list[nodes.Node]:
    """Return the figure that a refused move touches: the place crossed out, and what it would become all the same."""
    for figure in before.game.core.figures:
        found = places(before, figure.canvas, moves=False, highlight=(), cross_out=(move,))
        if found.refused:
            labels = (f"{figure.title}, where it is refused", f"{figure.title}, if it were not")
            drawn = (
                book.picture(before, figure, labels[0], found=found),
                book.picture(after, figure, labels[1], since=before),
            )
            return [build.box("rules-pair", *map(_framed, labels, drawn))]
    return []


def _framed(title: str, svg: str) -> nodes.Node:
    return build.box("rules-frame", build.para(title, css="rules-caption"), nodes.raw("", svg, format="html"))


def _places(state: State, figure: ir.Figure, rule: str) -> Places:
    """Return where the rule may be used now and where it is refused; nothing if it concerns no place of the figure."""
    found = places(state, figure.canvas, moves=True, highlight=(), cross_out=(rule,))
    mine = {node: [move for move in moves if move.partition("(")[0] == rule] for node, moves in found.legal.items()}
    found.legal = {node: moves for node, moves in mine.items() if moves}
    return found


def changes(game: ir.Game, before: State, after: State) -> list[list[build.Inline]]:
    """Return what a step has changed, a line for each cell; what only claims read is left out."""
    voice = Voice.of(game)
    old, new = (state.game.layout.decode(state.data) for state in (before, after))
    told: list[list[build.Inline]] = []
    for variable in (each for each in game.variables if not each.ghost):
        domains = (range(type_.lo, type_.hi + 1) for type_ in variable.index)
        for codes, was, now in zip(product(*domains), old[variable.name], new[variable.name], strict=True):
            if was != now:
                index = tuple(ir.Lit(code, type_) for code, type_ in zip(codes, variable.index, strict=True))
                told.append(_change(ir.Read(variable.name, index, variable.type), was, now, voice))
    return told


def _change(cell: ir.Read, was: int, now: int, voice: Voice) -> list[build.Inline]:
    if cell.type.kind == "bool":
        said = say_expr(cell if now else ir.Apply("not", (cell,), ir.BOOL), voice)
        return [words.sentence(said)]
    values = (words.label(show_value(cell.type, code)) for code in (was, now))
    return [words.sentence(f"{say_expr(cell, voice)}: {' → '.join(values)}")]
