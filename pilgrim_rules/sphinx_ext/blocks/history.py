"""History: at which versions a rule came to mean something else, and what changed from each version to the next.

Reads:  a book with its history.   Writes: nodes.
After:  a rule keeps the anchors of its former names. A game of which no history is kept shows none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from docutils import nodes

from pilgrim_rules.core import ir
from pilgrim_rules.evidence.history import Change, ChangeKind, RulePart, Version, changes, of_rule
from pilgrim_rules.prose import words
from pilgrim_rules.prose.moves import action_title
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.nodes.node_builders import details
from pilgrim_rules.sphinx_ext.objects.domain import anchor, full_id

__all__ = ["former_ids", "history_block", "what_changed"]

KINDS: tuple[tuple[ChangeKind, str], ...] = (("new", "New"), ("renamed", "Under another name"), ("gone", "Gone"))


def history_block(book: Book, action: ir.Action) -> list[nodes.Node]:
    """Return the versions at which the rule changed, the latest first; nothing if it is as it always was."""
    if not book.history.versions:
        return []
    found = list(of_rule(book.history, book.today, action.name))
    if not any(change for _, change in found):
        return []
    items: list[list[node_builders.Inline]] = [
        [node_builders.strong(_called(version)), f": {_told(change)}"] for version, change in found
    ]
    return [details(["History"], node_builders.bullets(items, "rules-history"))]


def former_ids(book: Book, action: ir.Action) -> list[str]:
    """Return the anchors under which the rule was linked when it had other names."""
    if not book.history.versions:
        return []
    found = (change.former for _, change in of_rule(book.history, book.today, action.name) if change and change.former)
    return [anchor("rule", full_id(book.name, former)) for former in found if book.action(former) is None]


def _called(version: Version) -> str:
    if not version.name:
        return "Since the last version"
    return version.name if version.name == version.date else f"{version.name} ({version.date})"


def _told(change: Change | None) -> str:
    if change is None:
        return "as it was in the first version that is kept"
    told = [f"called “{words.words(change.former)}” before"] if change.former else []
    told += [f"changed in {_parts(change.parts, one=True)}"] if change.parts else []
    return "; ".join(told) or change.kind


def _parts(parts: Sequence[RulePart], *, one: bool) -> str:
    """Return in what one rule, or several, have changed: "who may use it or when, and in what it needs and does"."""
    verbs: dict[RulePart, str] = {"needs": "needs", "does": "does"} if one else {"needs": "need", "does": "do"}
    who, it = ("it", "it") if one else ("them", "they")
    when = [f"who may use {who} or when"] if "when" in parts else []
    rest = [verbs[part] for part in parts if part in verbs]
    return ", and in ".join([*when, *([f"what {it} {words.join(rest)}"] if rest else [])])


def what_changed(book: Book) -> list[nodes.Node]:
    """Return a menu of the versions, and for each, the latest first, what changed from the one before."""
    versions = book.history.versions
    if not versions:
        return []
    steps = [(None, versions[0]), *pairwise(versions), (versions[-1], book.today)]
    shown: list[nodes.Node] = []
    menu: list[node_builders.Inline] = []
    for old, new in reversed(steps):
        here = nodes.make_id(f"{book.name}-version-{new.name or 'now'}")
        menu.append(node_builders.jump(here, new.name or "now"))
        shown += [node_builders.heading(_called(new), here), *_step(book, old, new)]
    lead = node_builders.para("Versions: ", *node_builders.spaced(menu, " · "), css="rules-versions")
    return [lead, *shown]


def _step(book: Book, old: Version | None, new: Version) -> Iterator[nodes.Node]:
    if old is None:
        yield node_builders.para(f"The first version of which something is kept: {len(new.rules)} rules.")
        return
    found = changes(old, new)
    for title, among in _groups(found):
        yield node_builders.para(node_builders.strong(title), css="rules-part")
        yield node_builders.bullets((_rule(book, change) for change in among), "rules-history rules-links")
    reworded = [id_ for id_, text in new.clauses.items() if old.clauses.get(id_, text) != text]
    added = [id_ for id_ in new.clauses if id_ not in old.clauses]
    for title, ids in (("Clauses reworded: ", reworded), ("Clauses added: ", added)):
        known = [id_ for id_ in ids if book.inventory.find(id_) is not None]
        if known:
            yield node_builders.para(node_builders.strong(title), *node_builders.refs("clause", book.name, known))
    if not found and not reworded and not added:
        yield node_builders.para("No rule means anything else.")


def _groups(found: Sequence[Change]) -> Iterator[tuple[str, list[Change]]]:
    """Yield what happened to rules, and the rules to which it happened; what changed most comes first among what changed."""
    changed: dict[tuple[RulePart, ...], list[Change]] = {}
    for each in found:
        if each.kind == "changed":
            changed.setdefault(each.parts, []).append(each)
    for parts, among in sorted(changed.items(), key=lambda item: -len(item[0])):
        yield f"Changed in {_parts(parts, one=False)}", among
    for kind, title in KINDS:
        if among := [each for each in found if each.kind == kind]:
            yield title, among


def _rule(book: Book, change: Change) -> list[node_builders.Inline]:
    action = book.action(change.rule)
    gone = words.sentence(words.words(change.rule)).rstrip(".")
    link = gone if action is None else node_builders.xref("rule", book.name, action.name, action_title(action))
    return [link, f", called “{words.words(change.former)}” before" if change.former else ""]
