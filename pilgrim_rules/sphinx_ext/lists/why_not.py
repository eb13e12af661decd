"""Why not?: every reason for which the rules refuse a move, from A to Z.

Reads:  a book.   Writes: nodes.
After:  a reason that several rules give stands once, with all of them; costs that cannot be paid are reasons, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from docutils import nodes

from pilgrim_rules.core import ir
from pilgrim_rules.prose import words
from pilgrim_rules.prose.moves import action_title
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.objects.domain import anchor, full_id

__all__ = ["refusal_names", "why_not_list"]


@dataclass(slots=True)
class _Reason:
    rules: list[str] = field(default_factory=list)
    clauses: list[str] = field(default_factory=list)


def why_not_list(book: Book) -> list[nodes.Node]:
    """Return the reasons in alphabetical order, each with the rules that give it and the clauses it rests on."""
    found = _reasons(book)
    if not found:
        return [node_builders.para("No rule of this game gives a reason to refuse a move.")]
    rows = [
        (
            [_anchored(book, text)],
            node_builders.refs("rule", book.name, reason.rules),
            node_builders.refs("clause", book.name, [each for each in reason.clauses if book.inventory.find(each)])
            or ["—"],
        )
        for text, reason in sorted(found.items(), key=lambda item: item[0].casefold())
    ]
    return [node_builders.table(("You may not, because …", "Rules", "Clauses"), rows, (50, 30, 20), "rules-why-not")]


def _anchored(book: Book, text: str) -> nodes.Node:
    shown = node_builders.inline("rules-reason", words.sentence(text))
    shown["ids"] = [anchor("refusal", full_id(book.name, _name(text)))]
    return shown


def _name(text: str) -> str:
    return nodes.make_id(text).replace("-", "_")


def refusal_names(book: Book) -> Iterator[tuple[str, str, str]]:
    """Yield each reason: its name, its words, and the rules that give it."""
    seen: set[str] = set()
    titles = {action.name: action_title(action) for action in book.game.actions}
    for text, reason in _reasons(book).items():
        if (name := _name(text)) not in seen:
            seen.add(name)
            yield name, words.sentence(text).rstrip("."), words.join([titles[rule] for rule in reason.rules])


def _reasons(book: Book) -> dict[str, _Reason]:
    found: dict[str, _Reason] = {}
    for action in book.game.actions:
        if action.kind != "action":
            continue
        for line in action.guard:
            if not isinstance(line, ir.Require) or not line.says:
                continue
            reason = found.setdefault(line.says.replace("`", ""), _Reason())
            reason.rules += [] if action.name in reason.rules else [action.name]
            reason.clauses += [each for each in line.clauses if each not in reason.clauses]
    return found
