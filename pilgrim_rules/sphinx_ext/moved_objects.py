"""Moved objects: pages whose links lead to something that is shown elsewhere now, or is called something else.

Reads:  what the domain knew before pages were read, and what it knows afterwards.   Writes: which pages are written again.
After:  in an incremental build a link leads to where its target is shown now, also on a page that has not changed itself.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from pilgrim_rules.sphinx_ext.objects.domain import RulesDomain, ShownObject

__all__ = ["register"]

_before: WeakKeyDictionary[BuildEnvironment, dict[tuple[str, str], ShownObject]] = WeakKeyDictionary()


def register(app: Sphinx) -> None:
    """Watch what pages are read."""
    app.connect("env-get-outdated", _remember)
    app.connect("doctree-read", _note_links)
    app.connect("env-updated", _outdated)


def _domain(env: BuildEnvironment) -> RulesDomain:
    domain = env.get_domain("rules")
    assert isinstance(domain, RulesDomain)
    return domain


def _remember(
    _app: Sphinx, env: BuildEnvironment, _added: set[str], _changed: set[str], _removed: set[str]
) -> list[str]:
    """Remember where everything was shown; nothing is outdated before pages are read."""
    _before[env] = dict(_domain(env).objects)
    return []


def _note_links(app: Sphinx, doctree: nodes.document) -> None:
    """Note what the links of a page may mean: something of the game of the page, or a full id."""
    found = {
        (node["reftype"], id_)
        for node in doctree.findall(pending_xref)
        if node.get("refdomain") == "rules"
        for id_ in (f"{node.get('rules:game')}.{node['reftarget']}", node["reftarget"])
    }
    _domain(app.env).note_links(app.env.docname, frozenset(found))


def _outdated(_app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return the pages to write again."""
    domain, before = _domain(env), _before.get(env, {})
    now = domain.objects
    if not before:  # nothing had been built: every page is written
        return []
    moved = {key for key in before.keys() | now.keys() if before.get(key) != now.get(key)}
    return sorted(docname for docname, links in domain.links.items() if not moved.isdisjoint(links))
