"""Part pages: what a reader opens only now and then stands on a page of its own, so that the page around it stays light.

Reads:  pages whose links are resolved.   Writes: a page for each part, beside the page it is a part of.
After:  the page has a line that leads to the part; where scripts run, `parts.js` shows the part in place. All links
        between the two lead to where their targets are now. Other builders than HTML keep parts where they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, cast

from docutils import nodes
from docutils.utils import new_document
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.writers.html5 import HTML5Translator

from pilgrim_rules.sphinx_ext.navigation import NAVIGATION_OF
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.nodes.node_builders import Details, Summary

__all__ = ["keep_navigation", "register", "take_out", "write"]

_TAKEN = "rules:parts"  #: the attribute of a page that holds what was taken out of it
_BUILDERS = ("html", "dirhtml")  #: those that write many pages
_FIRST_HEADING = 2  #: of a page whose title is the only heading above


def register(app: Sphinx) -> None:
    """Say when parts are taken out and written: after everything else has changed the page."""
    app.connect("doctree-resolved", take_out, priority=950)
    app.connect("html-page-context", keep_navigation, priority=100)
    app.connect("html-page-context", write, priority=950)


def take_out(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Move each part of a page into a section of its own, and leave a line that leads there."""
    if app.builder.name not in _BUILDERS:
        return
    taken = {f"{docname}-{fold['part']}": _section(fold) for fold in list(doctree.findall(Details)) if fold.get("part")}
    if not taken:
        return
    places = {id_: page for page, section in taken.items() for id_ in _ids(section)}
    own = {id_: docname for id_ in _ids(doctree) if id_ not in places}
    for page, tree in ((docname, cast("nodes.Element", doctree)), *taken.items()):
        _redirect(app, tree, page, {**own, **places})
    for fold in [each for each in doctree.findall(Details) if each.get("part")]:
        where = app.builder.get_relative_uri(docname, f"{docname}-{fold['part']}")
        fold["data-part"] = where
        link = nodes.reference("", "", nodes.Text("Open it as a page"), internal=True, refuri=where)
        fold.append(node_builders.para(link, "."))
    doctree[_TAKEN] = taken


def _section(fold: Details) -> nodes.section:
    """Return what a fold holds below its first line as the content of a page; the fold keeps the line."""
    line = next(child for child in fold.children if isinstance(child, Summary))
    body = [child for child in fold.children if child is not line]
    fold.children = [line]
    back = nodes.reference("", "", nodes.Text("‹ Back to the rule"), internal=True, refid=fold["ids"][0])
    top = node_builders.para(back, css="rules-back")
    section = nodes.section("", nodes.title("", fold["title"]), top, *body, ids=[f"{fold['ids'][0]}-page"])
    section["classes"] = ["rules-page", "rules-part-page"]
    for rubric in section.findall(nodes.rubric):
        if "rules-heading" in rubric["classes"]:
            rubric["heading-level"] = _FIRST_HEADING
    return section


def _ids(tree: nodes.Element) -> Iterator[str]:
    return (id_ for node in tree.findall(nodes.Element) for id_ in node["ids"])


def _redirect(app: Sphinx, tree: nodes.Element, page: str, places: Mapping[str, str]) -> None:
    """Let the links inside a page lead to the page that has their target now."""
    for link in tree.findall(nodes.reference):
        target = link.get("refid")
        if target is not None and places.get(target, page) != page:
            del link["refid"]
            link["refuri"] = f"{app.builder.get_relative_uri(page, places[target])}#{target}"


def keep_navigation(
    _app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Let the tree of all pages be made once for a page and its parts: it is the same, and takes longer than the rest."""
    if doctree is not None and _TAKEN in doctree:
        context["toctree"] = cache(context["toctree"])


def write(app: Sphinx, pagename: str, _template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Write the parts of a page when the page is written."""
    if doctree is None or _TAKEN not in doctree:
        return
    builder = cast("StandaloneHTMLBuilder", app.builder)
    around = _part_context(builder, pagename, context)
    for page, section in doctree[_TAKEN].items():
        document = new_document("<part>", doctree.settings)
        document += section
        translator = cast("HTML5Translator", builder.create_translator(document, builder))
        document.walkabout(translator)
        title = cast("nodes.title", section[0]).astext()
        builder.handle_page(page, {**around, "title": title, "body": "".join(translator.fragment)})
    builder.current_docname = pagename


def _part_context(builder: StandaloneHTMLBuilder, pagename: str, context: dict[str, Any]) -> dict[str, Any]:
    """Return what the template says of a part: it belongs to its page, and has no source, no contents, no next page."""
    around = builder.get_doc_context(pagename, "", "")
    whole = {"link": builder.get_relative_uri(pagename, pagename) or ".", "title": around["title"]}
    return {
        **around,
        "parents": [*around["parents"], whole],
        "next": None,
        "prev": None,
        "sourcename": "",
        "toc": "",
        "display_toc": False,
        "toctree": context["toctree"],
        NAVIGATION_OF: pagename,
    }
