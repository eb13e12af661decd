"""Disclosure: blocks that the reader opens, as HTML's own `details`; no script is needed.

Reads:  nodes.   Writes: `details` and `summary` nodes, and how each builder writes them.
After:  other builders than HTML show the block as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from rules_docs import build

__all__ = ["Details", "Summary", "details", "register"]


class Details(nodes.General, nodes.Element):
    """A block that can be opened."""


class Summary(nodes.Part, nodes.TextElement):
    """The line of a block that is always shown."""


def details(summary: Sequence[build.Inline], *body: nodes.Node, css: str = "", anchor: str = "") -> nodes.Node:
    """Return a block of which the summary is shown, and the body once it is opened."""
    line = Summary("", "", *(nodes.Text(part) if isinstance(part, str) else part for part in summary))
    return Details("", line, *body, classes=["rules-details", *css.split()], ids=[anchor] if anchor else [])


def register(app: Sphinx) -> None:
    """Say how the nodes are written."""
    app.add_node(Details, html=(_open("details"), _close("details")), text=_PLAIN, latex=_PLAIN, man=_PLAIN)
    app.add_node(Summary, html=(_open("summary"), _close("summary")), text=_PLAIN, latex=_PLAIN, man=_PLAIN)


def _open(tag: str) -> Any:
    def visit(self: Any, node: nodes.Element) -> None:
        self.body.append(self.starttag(node, tag, ""))

    return visit


def _close(tag: str) -> Any:
    def depart(self: Any, _node: nodes.Element) -> None:
        self.body.append(f"</{tag}>\n")

    return depart


def _nothing(_self: Any, _node: nodes.Element) -> None:
    return None


_PLAIN = (_nothing, _nothing)
