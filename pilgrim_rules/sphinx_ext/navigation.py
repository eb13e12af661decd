"""Navigation: the tree of all pages beside a page, made once for all pages.

Reads:  the tree as Sphinx and the theme furo make it for the first page of all.   Writes: the tree of each page.
After:  each page has the tree that they would make for it, which takes them longer than the rest of the page: only where
        links lead as seen from the page, and what is marked as open, differ. With another theme nothing is changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any, cast
from weakref import WeakKeyDictionary

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

__all__ = ["NAVIGATION_OF", "Navigation", "register"]

NAVIGATION_OF = "rules_navigation_of"  #: in the context of a page: the page whose tree it has, if that is another one
_THEME, _TREE = "furo", "furo_navigation_tree"  #: the theme, and where it puts the tree
_TAG = re.compile(r"<(/?)(ul|li|a|input)\b([^>]*)>")
_HREF = re.compile(r'href="([^"]*)"')

Toctree = Callable[..., str]


@dataclass(frozen=True, slots=True)
class _Tag:
    """A tag that may look different on another page; `entries` are the pages below it, or that it leads to."""

    text: str
    name: str
    entries: frozenset[str]


class Navigation:
    """The tree of all pages, from which that of each page is made."""

    def __init__(self, builder: StandaloneHTMLBuilder, tree: str) -> None:
        """Take the tree of the root page, where nothing is open."""
        self._builder = builder
        root = builder.config.root_doc
        pages = {escape(builder.get_relative_uri(root, each) or "#"): each for each in builder.env.found_docs}
        self._parts = tuple(_parts(tree, pages))

    def of(self, page: str) -> str:
        """Return the tree of a page."""
        last = max((at for at, part in enumerate(self._parts) if _is_open(part, "li", page)), default=None)
        return "".join(
            part if isinstance(part, str) else self._tag(part, page, here=at == last)
            for at, part in enumerate(self._parts)
        )

    def _tag(self, tag: _Tag, page: str, *, here: bool) -> str:
        if tag.name == "a":
            (target,) = tag.entries
            address = escape(self._builder.get_relative_uri(page, target)) or "#"
            link = _HREF.sub(lambda _: f'href="{address}"', tag.text)
            return link.replace('class="', 'class="current ', 1) if target == page else link
        if page not in tag.entries:
            return tag.text
        match tag.name:
            case "ul":
                return '<ul class="current">'
            case "li":
                opened = re.sub(r'class="(toctree-l\d+)', r'class="\1 current', tag.text, count=1)
                return opened.replace('">', ' current-page">') if here else opened
            case _:  # the box that keeps a part of the tree open
                return tag.text.replace(" class=", ' checked="" class=', 1)


def _is_open(part: str | _Tag, name: str, page: str) -> bool:
    return isinstance(part, _Tag) and part.name == name and page in part.entries


def _parts(tree: str, pages: dict[str, str]) -> Iterator[str | _Tag]:
    """Yield the tree in pieces: tags that may look different, and what stands between them."""
    below = _pages_below(tree, pages)
    at = 0
    for number, found in enumerate(_TAG.finditer(tree)):
        if number in below:
            yield tree[at : found.start()]
            yield _Tag(found[0], found[2], below[number])
            at = found.end()
    yield tree[at:]


def _pages_below(tree: str, pages: dict[str, str]) -> dict[int, frozenset[str]]:
    """Return for each tag, by its number, the pages that it leads to or that are listed inside of it."""
    found: dict[int, set[str]] = {}
    inside: list[int] = []
    for number, tag in enumerate(_TAG.finditer(tree)):
        closing, name, attributes = tag.groups()
        if closing:
            if name != "a":
                inside.pop()
            continue
        if name == "a":
            href = _HREF.search(attributes)
            target = pages.get(href[1]) if href else None
            if target is not None:
                found[number] = {target}
                for each in inside:
                    found[each].add(target)
            continue
        found[number] = found[inside[-1]] if name == "input" else set()  # a box is about the entry that it stands in
        if name != "input":
            inside.append(number)
    return {number: frozenset(entries) for number, entries in found.items()}


# ---------------------------------------------------------------------------------------------------------------- pages

#: For each builder: the tree of all pages, or None where it cannot be made from that of one.
_known: WeakKeyDictionary[StandaloneHTMLBuilder, Navigation | None] = WeakKeyDictionary()
_PUT_ASIDE = "rules_toctree"


def register(app: Sphinx) -> None:
    """Take the place of the theme when it asks for the tree."""
    app.connect("html-page-context", _ask_nothing, priority=200)
    app.connect("html-page-context", _put_tree, priority=800)


def _ask_nothing(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Let the theme work on an empty tree, if the tree can be made without it."""
    if app.config.html_theme == _THEME and "toctree" in context and _navigation(app, page, context) is not None:
        context[_PUT_ASIDE] = context["toctree"]
        context["toctree"] = _no_tree


def _no_tree(**_options: object) -> str:
    return ""


def _put_tree(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None) -> None:
    """Put the tree where the theme would have put it."""
    if _PUT_ASIDE in context:
        context["toctree"] = context.pop(_PUT_ASIDE)
        known = _known[cast("StandaloneHTMLBuilder", app.builder)]
        assert known is not None, "the tree was put aside because it can be made"
        context[_TREE] = known.of(context.get(NAVIGATION_OF, page))


def _navigation(app: Sphinx, page: str, context: dict[str, Any]) -> Navigation | None:
    """Return the tree of all pages, made on first use; None if what is made of it for this page is not what the theme makes."""
    builder = cast("StandaloneHTMLBuilder", app.builder)
    if builder not in _known:
        of_page = builder._get_local_toctree  # noqa: SLF001  (what `toctree` of a context is)
        made = Navigation(builder, _by_theme(partial(of_page, app.config.root_doc)))
        same = made.of(context.get(NAVIGATION_OF, page)) == _by_theme(context["toctree"])
        _known[builder] = made if same else None
    return _known[builder]


def _by_theme(toctree: Toctree) -> str:
    from furo.navigation import get_navigation_tree  # type: ignore[import-untyped]  # noqa: PLC0415  (untyped, and only where this theme is used)

    return str(get_navigation_tree(toctree(collapse=False, titles_only=True, maxdepth=-1, includehidden=True)))
