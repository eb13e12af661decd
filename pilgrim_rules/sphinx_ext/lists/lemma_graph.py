"""How guarantees rest on each other: a drawing of the lemmas that proofs take for granted, and the same as a list.

Reads:  a book.   Writes: nodes; the drawing is made here, by no other program.
After:  every arrow leads from a guarantee to one whose proof uses it; what no proof uses and what uses none is left out. Every box
        is a link to its guarantee, on whatever page that stands.
"""

from __future__ import annotations

import re
from html import escape
from typing import cast

from docutils import nodes
from sphinx.application import Sphinx

from pilgrim_rules.core import ir
from pilgrim_rules.figures.markup import element, width_of
from pilgrim_rules.prose import words
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.nodes.node_builders import details
from pilgrim_rules.sphinx_ext.objects.domain import RulesDomain, anchor, full_id

__all__ = ["lemma_graph", "link_lemmas"]

ROW, GAP, SIZE = 30.0, 64.0, 12.0
SWEEPS = 4  #: how often the order of the columns is improved
_LINK = re.compile(r'href="#([^"]+)"')


def lemma_graph(book: Book) -> list[nodes.Node]:
    """Return the drawing and the list; nothing if every guarantee stands on its own."""
    uses = _uses(book.game)
    if not uses:
        return []
    drawn = nodes.raw("", _drawing(book, uses), format="html", lemmas=True)
    consequences = {claim.name for claim in book.game.claims if claim.follows}
    rows: list[list[node_builders.Inline]] = [
        [
            node_builders.xref("invariant", book.name, name),
            " follows from " if name in consequences else " rests on ",
            *node_builders.refs("invariant", book.name, used),
            ".",
        ]
        for name, used in uses.items()
        if used
    ]
    return [
        node_builders.box("rules-figure rules-lemmas", drawn),
        details(["The same as a list"], node_builders.bullets(rows)),
    ]


def link_lemmas(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Let the boxes of a drawing lead to the pages of their guarantees, which are known once all pages are read."""
    drawings = [node for node in doctree.findall(nodes.raw) if node.get("lemmas")]
    if not drawings or app.builder.format != "html":
        return
    domain = cast("RulesDomain", app.env.get_domain("rules"))
    pages = {anchor(kind, id_): entry.docname for (kind, id_), entry in domain.objects.items() if kind == "invariant"}

    def link(found: re.Match[str]) -> str:
        page = pages.get(found[1], docname)
        return f'href="{app.builder.get_relative_uri(docname, page)}#{found[1]}"'

    for node in drawings:
        node.replace_self(nodes.raw("", _LINK.sub(link, node.astext()), format="html"))


def _uses(game: ir.Game) -> dict[str, tuple[str, ...]]:
    """Return the guarantees that use others or are used, each with those it uses."""
    claims = {claim.name: claim for claim in game.claims}
    used = {name for claim in claims.values() for name in claim.using}
    return {
        name: tuple(other for other in claim.using if other in claims)
        for name, claim in claims.items()
        if claim.using or name in used
    }


def _columns(uses: dict[str, tuple[str, ...]]) -> list[list[str]]:
    """Return the guarantees by how many rest on each other before them; neighbours near each other."""
    depth: dict[str, int] = {}

    def deep(name: str, above: frozenset[str] = frozenset()) -> int:
        # Guarantees that are proved together use each other: what is asked for further up counts for nothing.
        if name not in depth:
            inside = above | {name}
            depth[name] = 1 + max((deep(other, inside) for other in uses[name] if other not in inside), default=-1)
        return depth[name]

    columns: list[list[str]] = [[] for _ in range(1 + max(deep(name) for name in uses))]
    for name in uses:
        columns[depth[name]].append(name)
    users = {name: [other for other, found in uses.items() if name in found] for name in uses}
    for sweep in range(SWEEPS):
        beside = users if sweep % 2 else uses
        rows = {name: at for column in columns for at, name in enumerate(column)}
        for column in columns:
            places = {name: _middle([rows[other] for other in beside[name]], rows[name]) for name in column}
            column.sort(key=places.__getitem__)
    return columns


def _middle(found: list[int], else_: int) -> float:
    return sum(found) / len(found) if found else float(else_)


def _drawing(book: Book, uses: dict[str, tuple[str, ...]]) -> str:
    columns = _columns(uses)
    places: dict[str, tuple[float, float, float]] = {}  # left, middle, width
    left = 4.0
    tall = max(map(len, columns)) * ROW
    for column in columns:
        wide = max(width_of(_label(book, name), SIZE) for name in column) + 18
        top = (tall - len(column) * ROW) / 2
        places |= {name: (left, top + (at + 0.5) * ROW, wide) for at, name in enumerate(column)}
        left += wide + GAP
    arrows = [_arrow(places[other], places[name]) for name, used in uses.items() for other in used]
    boxes = [_box(book, name, places[name]) for name in uses]
    width, height = left - GAP + 4, tall + 4
    return element(
        "svg",
        element("title", f"How the guarantees of {escape(book.game.title)} rest on each other"),
        *arrows,
        *boxes,
        role="group",  # of links: an image would hide them
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=f"{width:.0f}",
        height=f"{height:.0f}",
    )


def _label(book: Book, name: str) -> str:
    return f"{book.status(name).icon} {words.words(name)}"


def _box(book: Book, name: str, place: tuple[float, float, float]) -> str:
    left, middle, wide = place
    box = element("rect", x=left, y=middle - 11, width=wide, height=22.0, rx=6.0)
    label = element("text", escape(_label(book, name)), x=left + 8, y=middle + 4, font_size=SIZE)
    link = f"#{anchor('invariant', full_id(book.name, name))}"
    return element("a", box, label, href=link, class_=f"rules-lemma {book.status(name).css}")


def _arrow(start: tuple[float, float, float], end: tuple[float, float, float]) -> str:
    x, y = start[0] + start[2], start[1]
    to, at = end[0], end[1]
    bend = max(24.0, (to - x) / 2)
    tip = f"M{to - 6:.1f} {at - 3.5:.1f}L{to:.1f} {at:.1f}L{to - 6:.1f} {at + 3.5:.1f}"
    way = f"M{x:.1f} {y:.1f}C{x + bend:.1f} {y:.1f} {to - bend:.1f} {at:.1f} {to:.1f} {at:.1f}{tip}"
    return element("path", class_="rules-arrow", d=way)
