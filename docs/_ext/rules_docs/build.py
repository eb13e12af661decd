"""Small builders of docutils nodes, so that the pages read like what they show.

Reads:  text and nodes.   Writes: nodes.
After:  the other modules contain no docutils bookkeeping.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from docutils import nodes
from sphinx import addnodes

from pilgrim_rules.prose import words
from rules_docs.status import Status

__all__ = [
    "Inline",
    "badge",
    "box",
    "bullets",
    "code",
    "file",
    "heading",
    "inline",
    "para",
    "prose",
    "ref",
    "refs",
    "spaced",
    "strong",
    "table",
    "xref",
]

Inline: TypeAlias = str | nodes.Node


def _nodes(parts: Iterable[Inline]) -> list[nodes.Node]:
    return [nodes.Text(part) if isinstance(part, str) else part for part in parts]


def inline(css: str, *parts: Inline) -> nodes.inline:
    """Return a stretch of text with a class."""
    return nodes.inline("", "", *_nodes(parts), classes=css.split())


def para(*parts: Inline, css: str = "") -> nodes.paragraph:
    """Return a paragraph."""
    return nodes.paragraph("", "", *_nodes(parts), classes=css.split())


def box(css: str, *parts: nodes.Node) -> nodes.container:
    """Return a block with a class."""
    return nodes.container("", *parts, classes=css.split())


def strong(text: str) -> nodes.strong:
    """Return text that stands out."""
    return nodes.strong("", text)


def code(text: str) -> nodes.literal:
    """Return text as it is written in the language."""
    return nodes.literal("", text)


def prose(text: str) -> list[Inline]:
    """Return a text in which back-ticks mark what is written in a file."""
    parts = " ".join(text.split()).split("`")
    return [code(part) if at % 2 else part for at, part in enumerate(parts) if part]


def heading(text: str, anchor: str = "") -> nodes.rubric:
    """Return a heading inside a rule page, which the table of contents leaves out."""
    rubric = nodes.rubric("", text, ids=[anchor] if anchor else [], classes=["rules-heading"])
    rubric["heading-level"] = 4
    return rubric


def bullets(items: Iterable[Sequence[Inline]], css: str = "") -> nodes.bullet_list:
    """Return a list, one paragraph an item."""
    listed = [nodes.list_item("", para(*item)) for item in items]
    return nodes.bullet_list("", *listed, classes=css.split())


def xref(kind: str, game: str, name: str, text: str | None = None, css: str = "") -> addnodes.pending_xref:
    """Return a link to an object of a game; the domain resolves it, or warns."""
    shown = nodes.inline(
        "", text or (name if kind == "clause" else words.words(name)), classes=["xref", f"rules-{kind}", *css.split()]
    )
    node = addnodes.pending_xref(
        "", shown, refdomain="rules", reftype=kind, reftarget=name, refexplicit=True, refwarn=True
    )
    node["rules:game"] = game
    return node


def ref(label: str, text: str) -> addnodes.pending_xref:
    """Return a link to a label of the authored pages."""
    shown = nodes.inline("", text)
    return addnodes.pending_xref(
        "", shown, refdomain="std", reftype="ref", reftarget=label, refexplicit=True, refwarn=True
    )


def file(path: str, text: str) -> addnodes.download_reference:
    """Return a link to a file, given from the folder of the pages, which is copied beside them."""
    return addnodes.download_reference("", "", nodes.inline("", text), reftarget=f"/{path}")


def refs(kind: str, game: str, names: Iterable[str]) -> list[Inline]:
    """Return links, with commas between them."""
    return spaced([xref(kind, game, name) for name in names], ", ")


def spaced(parts: Sequence[Inline], gap: str) -> list[Inline]:
    """Return the parts with a text between each two."""
    return [piece for at, part in enumerate(parts) for piece in ((gap, part) if at else (part,))]


def badge(status: Status, extra: str = "", anchor: str = "") -> nodes.Node:
    """Return a status as a badge: sign and word, a link to what it rests on if there is an anchor."""
    text = f"{status.icon} {status.word}{f' {extra}' if extra else ''}"
    css = ["rules-badge", status.css]
    if not anchor:
        return nodes.inline("", text, classes=css)
    return nodes.reference("", "", nodes.inline("", text), internal=True, refid=anchor, classes=css)


def table(
    head: Sequence[str], rows: Iterable[Sequence[Sequence[Inline]]], widths: Sequence[int], css: str = ""
) -> nodes.table:
    """Return a table; at most four columns fit the page."""
    group = nodes.tgroup("", cols=len(head))
    group += [nodes.colspec("", colwidth=width) for width in widths]
    top = nodes.row("", *(nodes.entry("", para(title)) for title in head))
    group += nodes.thead("", top)
    group += nodes.tbody("", *(nodes.row("", *(nodes.entry("", para(*cell)) for cell in row)) for row in rows))
    return nodes.table("", group, classes=["rules-table", "colwidths-given", *css.split()])
