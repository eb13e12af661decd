"""The rules of a game on one page, for paper: its chapters one after the other, each rule as a player needs it.

Reads:  the chapters as they were read, in the order of a table of contents.   Writes: one page made of parts of them.
After:  nothing on the page is written twice by hand; what is proved, listed and linked stays on the pages of the chapters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar, cast
from weakref import WeakKeyDictionary

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.nodes.node_builders import Details, Summary
from pilgrim_rules.util.collection import without_collection

__all__ = ["PrintedChapters", "insert_chapters", "note_read", "outdated"]

logger = logging.getLogger(__name__)

#: What of a rule is printed, by the class of the block; rulings are printed as their first line, each once.
KEPT = frozenset({"rules-sentence", "rules-asked", "rules-move", "rules-pair", "rules-changes"})
DROPPED = frozenset({"rules-formal", "rules-play"})
_read: WeakKeyDictionary[BuildEnvironment, frozenset[str]] = WeakKeyDictionary()
_Node = TypeVar("_Node", bound=nodes.Element)


class PrintedChapters(nodes.General, nodes.Element):
    """The place of the chapters; `contents` is the page with their table, `caption` that of the table."""


def note_read(_app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Remember which pages this build reads."""
    _read[env] = frozenset(docnames)


def outdated(_app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return the pages to write again since a page that they are made of was read again."""
    printed: dict[str, str] = env.domaindata.get("rules", {}).get("printed", {})
    read = _read.get(env, frozenset())
    return sorted(
        page
        for page, contents in printed.items()
        if read.intersection((contents, *env.toctree_includes.get(contents, ())))
    )


def insert_chapters(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the chapters where a page asks for them."""
    for place in list(doctree.findall(PrintedChapters)):
        with without_collection():  # large trees are read, and nothing of them is garbage yet
            told: set[str] = set()
            chapters = [_chapter(app, docname, each, told) for each in _contents(app.env, place)]
        if not chapters:
            logger.warning("%s has no table of contents %r", place["contents"], place["caption"], location=docname)
        place.parent["classes"].append("rules-printed")
        contents = [_table_of_contents(chapters)] if chapters else []
        place.replace_self([*contents, *(node for found in chapters for node in found)])


def _contents(env: BuildEnvironment, place: PrintedChapters) -> list[str]:
    tables = env.get_doctree(place["contents"]).findall(addnodes.toctree)
    return [name for table in tables if table["caption"] == place["caption"] for name in table["includefiles"]]


def _chapter(app: Sphinx, docname: str, name: str, told: set[str]) -> list[nodes.Node]:
    """Return what is printed of a chapter; `told` are the rulings that stand on the page already, and grows by its own."""
    found = app.env.get_doctree(name)
    for page in _all(found, nodes.section, "rules-page"):
        summed_up = bool(_all(page, nodes.paragraph, "rules-summary"))
        page.children = [kept for child in page.children for kept in _printed(child, told, summed_up=summed_up)]
    sessions = (block for block in found.findall(nodes.literal_block) if block.get("language") == "pycon")
    tables = [table.parent for table in _all(found, nodes.table, "rules-state")]  # players need none of it
    for section in (each for each in tables if isinstance(each, nodes.section) and each.parent is not None):
        section.parent.remove(section)
    gone: list[nodes.Element] = [*found.findall(Details), *found.findall(addnodes.toctree), *sessions]
    for node in (*gone, *(each for css in DROPPED for each in _all(found, nodes.Element, css))):
        node.parent.remove(node)
    for element in found.findall(nodes.Element):
        # Chapters may use the same ids; nothing but the table of contents links to a place of this page.
        kept = element["ids"][:1] if isinstance(element, nodes.section) else []
        element["ids"] = [nodes.make_id(f"{name}-{id_}") for id_ in kept]
    app.env.resolve_references(found, docname, app.builder)
    for link in list(found.findall(nodes.reference)):  # downloads are among them
        link.replace_self(link.children)  # paper leads nowhere
    return list(found.children)


def _table_of_contents(chapters: Sequence[list[nodes.Node]]) -> nodes.Node:
    """Return the titles of the chapters, which lead to them where the page is read on a screen."""
    sections = [node for found in chapters for node in found if isinstance(node, nodes.section)]
    return node_builders.bullets(
        ([node_builders.jump(section["ids"][0], cast("nodes.title", section[0]).astext())] for section in sections),
        "rules-contents",
    )


def _printed(node: nodes.Node, told: set[str], *, summed_up: bool) -> Iterator[nodes.Node]:
    """Yield what is printed of a block of a rule; one that nobody has summed up is printed step by step.

    A ruling is printed with the first rule that it concerns.
    """
    if isinstance(node, nodes.title) or (isinstance(node, nodes.Element) and KEPT.intersection(node["classes"])):
        yield node
    elif isinstance(node, Details) and "rules-ruling" in node["classes"]:
        summary = next(node.findall(Summary))
        if (said := summary.astext()) not in told:
            told.add(said)
            yield node_builders.para(*summary.children, css="rules-ruling")
    elif isinstance(node, Details) and "rules-below" in node["classes"] and not summed_up:
        yield from _all(node, nodes.container, "rules-english")


def _all(tree: nodes.Node, kind: type[_Node], css: str) -> list[_Node]:
    return [node for node in tree.findall(kind) if css in node["classes"]]
