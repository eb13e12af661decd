"""Small builders of docutils nodes, so that the pages read like what they show.

Reads:  text and nodes.   Writes: nodes.
After:  the other modules contain no docutils bookkeeping.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from pilgrim_rules.evidence.status import Status
from pilgrim_rules.prose import words

__all__ = [
    "Inline",
    "badge",
    "box",
    "bullets",
    "code",
    "file",
    "heading",
    "inline",
    "jump",
    "para",
    "part",
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
    """Return a link to an object of a game; the domain resolves it, or warns. Without a text, a rule is called by its title."""
    said = text or (name if kind == "clause" else words.words(name))
    # Thousands of links stand on a page: only those that look different carry a class.
    looks = [*(["rules-term"] if kind == "term" else []), *css.split()]
    shown = nodes.inline("", said, classes=looks) if looks else nodes.Text(said)
    node = addnodes.pending_xref(
        "",
        shown,
        refdomain="rules",
        reftype=kind,
        reftarget=name,
        refexplicit=text is not None or kind != "rule",
        refwarn=True,
    )
    node["rules:game"] = game
    return node


def ref(label: str, text: str) -> addnodes.pending_xref:
    """Return a link to a label of the authored pages."""
    shown = nodes.inline("", text)
    return addnodes.pending_xref(
        "", shown, refdomain="std", reftype="ref", reftarget=label, refexplicit=True, refwarn=True
    )


def jump(anchor: str, text: str) -> nodes.reference:
    """Return a link to a place of the same page."""
    return nodes.reference("", "", nodes.inline("", text), internal=True, refid=anchor)


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
    body = [
        [LabelledEntry("", para(*cell), label=label) for label, cell in zip(head, row, strict=True)] for row in rows
    ]
    group += nodes.tbody("", *(nodes.row("", *cells) for cells in body))
    return nodes.table("", group, classes=["rules-table", "colwidths-given", *css.split()])


class LabelledEntry(nodes.entry):
    """A cell that says to which column it belongs, for a phone, where there are no columns."""


class Details(nodes.General, nodes.Element):
    """A block that can be opened."""


class Summary(nodes.Part, nodes.TextElement):
    """The line of a block that is always shown."""


def details(summary: Sequence[Inline], *body: nodes.Node, css: str = "", anchor: str = "") -> Details:
    """Return a block of which the summary is shown, and the body once it is opened."""
    line = Summary("", "", *(nodes.Text(part) if isinstance(part, str) else part for part in summary))
    return Details("", line, *body, classes=["rules-details", *css.split()], ids=[anchor] if anchor else [])


def part(summary: str, title: str, name: str, *body: nodes.Node, css: str, anchor: str) -> Details:
    """Return a block whose body stands on a page of its own, with a title; `name` ends the name of that page."""
    found = details([summary], *body, css=css, anchor=anchor)
    found["part"], found["title"] = name, title
    return found


def register(app: Sphinx) -> None:
    """Say how the nodes are written."""
    app.add_node(Details, html=(_visit_details, _close("details")), text=_PLAIN, latex=_PLAIN, man=_PLAIN)
    app.add_node(LabelledEntry, html=(_visit_entry, _depart_entry), text=_ENTRY, latex=_ENTRY, man=_ENTRY)
    app.add_node(Summary, html=(_open("summary"), _close("summary")), text=_PLAIN, latex=_PLAIN, man=_PLAIN)


def _visit_details(self: Any, node: nodes.Element) -> None:
    self.body.append(
        self.starttag(node, "details", "", **{name: node[name] for name in ("data-part",) if name in node})
    )


def _open(tag: str) -> Any:
    def visit(self: Any, node: nodes.Element) -> None:
        self.body.append(self.starttag(node, tag, ""))

    return visit


def _close(tag: str) -> Any:
    def depart(self: Any, _node: nodes.Element) -> None:
        self.body.append(f"</{tag}>\n")

    return depart


def _visit_entry(self: Any, node: nodes.Element) -> None:
    self.body.append(self.starttag(node, "td", "", **({"data-label": node["label"]} if node["label"] else {})))


def _depart_entry(self: Any, _node: nodes.Element) -> None:
    self.body.append("</td>\n")


def _visit_plain_entry(self: Any, node: nodes.Element) -> None:
    self.visit_entry(node)


def _depart_plain_entry(self: Any, node: nodes.Element) -> None:
    self.depart_entry(node)


_ENTRY = (_visit_plain_entry, _depart_plain_entry)


def _nothing(_self: Any, _node: nodes.Element) -> None:
    return None


_PLAIN = (_nothing, _nothing)
