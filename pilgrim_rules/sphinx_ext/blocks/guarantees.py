"""What is known about a rule: the guarantees that concern it in words, the others by name, and badges.

Reads:  a book, a rule and what it touches.   Writes: nodes.
After:  each word stands beside how it was reached and within which limits, and leads to its record; what is open says
        so. A sentence that many rules keep stands on the page of the guarantees and not on the page of each rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from docutils import nodes

from pilgrim_rules.core import ir
from pilgrim_rules.evidence.judged import PROVED, JudgedRecord
from pilgrim_rules.evidence.merge_bounds import merged
from pilgrim_rules.evidence.status import Status, weakest
from pilgrim_rules.prose import say_claim, words
from pilgrim_rules.sphinx_ext.blocks.clauses import cited_clauses
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.model.connections import Connections
from pilgrim_rules.sphinx_ext.nodes import node_builders

__all__ = ["RESTS", "guarantee_table", "own_guarantees", "status_line", "together", "trust_block"]

MOST_OWN = 5  #: guarantees that are told in words
MOST_WORDS = 25  #: of a generated sentence that is told above the fold
MOST_TABLES = 2  #: of data that are named among the limits
SPLIT = "; "  #: between limits
EVERY = re.compile(r"for every (\S+) in its range")
ONLY_FOR = "only for "
COUNTED = re.compile(r"`?(\w+s)`? = (\d+)\b")
RESTS = re.compile(r"(?:it|the argument) rests on ([\w./`, ]+), which is not proved")
FEW = 4  #: a guarantee that no more rules can break concerns each of them


def trust_block(book: Book, action: ir.Action, links: Connections, here: str) -> list[nodes.Node]:
    """Return what is known of the guarantees that concern a rule, and how much more there is to know."""
    own = own_guarantees(book, action, links)
    accounts = [account(_records(book, action.name, claim.name)) for claim in own]
    shared = _shared_limits([limits for _, limits in accounts])
    items = [
        _in_words(book, action.name, claim, how, [each for each in limits.split(SPLIT) if each not in shared])
        for claim, (how, limits) in zip(own, accounts, strict=True)
    ]
    if shared:
        said = node_builders.prose(f"All of them: {SPLIT.join(_short(shared))}.")
        items.append([node_builders.inline("rules-facts", *said)])
    told = {claim.name for claim in own}
    others = [name for name in dict.fromkeys((*links.preserves, *links.audits)) if name not in told]
    if others:
        word = weakest(_status_of(book, action.name, name) for name in others)
        more = f"{len(others)}{' more' if own else ''} guarantee{'s' if len(others) > 1 else ''} that it keeps"
        items.append([node_builders.badge(word), " ", node_builders.jump(f"{here}-guaranteed", more)])
    if links.rulings:
        many = "1 question" if len(links.rulings) == 1 else f"{len(links.rulings)} questions"
        matter = "matters" if len(links.rulings) == 1 else "matter"
        items.append(["! ", node_builders.jump(f"{here}-rulings", f"{many} that the book leaves open {matter} here")])
    return [node_builders.box("rules-trust", node_builders.bullets(items))] if items else []


def own_guarantees(book: Book, action: ir.Action, links: Connections) -> list[ir.Claim]:
    """Return the guarantees that concern a rule more than others: they cite a clause that it cites, or few rules matter.

    Those in the words of their author come first.
    """
    cited = set(cited_clauses(action))
    found: list[tuple[bool, int, int, ir.Claim]] = []
    for at, claim in enumerate(book.game.claims):
        if claim.name not in links.preserves and claim.name not in links.audits:
            continue
        shared = len(cited.intersection(claim.note.clauses))
        rules = len(book.proof_parts.get(claim.name, ())) or len(book.game.actions)
        told = claim.note.doc or say_claim(book.game, claim)
        if (shared or rules <= FEW) and (claim.note.doc or len(told.split()) <= MOST_WORDS):
            found.append((not claim.note.doc, rules - 2 * shared, at, claim))
    return [each[-1] for each in sorted(found, key=lambda each: each[:3])[:MOST_OWN]]


def _shared_limits(found: Sequence[str]) -> list[str]:
    """Return the limits that all guarantees have, if there are several of them: they are said once."""
    first, *others = [each.split(SPLIT) for each in found] or [[]]
    return [each for each in first if each and all(each in other for other in others)] if others else []


def _short(limits: Sequence[str]) -> list[str]:
    """Return limits as they are told above the fold: tables that may hold anything are counted after the second."""
    tables = [found[1] for each in limits if (found := EVERY.fullmatch(each))]
    others = [_plain(each) for each in limits if each and not EVERY.fullmatch(each)]
    if not tables:
        return others
    more = [f"{len(tables) - MOST_TABLES} more tables"] if len(tables) > MOST_TABLES + 1 else tables[MOST_TABLES:]
    return [*others, f"for every value of {words.join([*tables[:MOST_TABLES], *more])}"]


def _plain(limit: str) -> str:
    """Return a limit without the names of the rules: "only for 3 bridges", "it rests on another that is not proved"."""
    counted = COUNTED.sub(lambda found: f"{found[2]} {words.words(found[1])}", limit)
    return RESTS.sub("it rests on another that is not proved", counted)


def _in_words(book: Book, rule: str, claim: ir.Claim, how: str, limits: Sequence[str]) -> list[node_builders.Inline]:
    status = _status_of(book, rule, claim.name)
    said = words.sentence(_in_prose(claim.note.doc)) if claim.note.doc else say_claim(book.game, claim)
    badge = node_builders.xref("invariant", book.name, claim.name, f"{status.icon} {status.word}", status_css(status))
    facts = ", ".join(text for text in (f"by {how}" if how else "", SPLIT.join(_short(limits))) if text)
    return [badge, f" {said} ", node_builders.inline("rules-facts", *node_builders.prose(facts))]


def _in_prose(doc: str) -> str:
    """Return what an author says of a guarantee with names as they are read: `craft_column` is "craft column"."""
    return re.sub(r"`(\w+)`", lambda found: words.words(found[1]), " ".join(doc.split()))


def _records(book: Book, rule: str, claim: str) -> Sequence[JudgedRecord]:
    """Return what was found out about a claim as far as a rule is concerned; of an audit, what is known of it at all."""
    return book.evidence.of_rule_about(rule, claim) or book.evidence.about(claim)


def _status_of(book: Book, rule: str, claim: str) -> Status:
    records = _records(book, rule, claim)
    return weakest(record.status for record in records) if records else book.status(claim)


def status_css(status: Status) -> str:
    """Return the classes of a badge."""
    return f"rules-badge {status.css}"


def guarantee_table(book: Book, rule: str, links: Connections) -> list[nodes.Node]:
    """Return all guarantees that a rule keeps, by name, those of which the same is known together."""
    mine = _by_claim(book.evidence.of_rule(rule))
    named = [*links.preserves, *(name for name in links.audits if name not in links.preserves)]
    groups: dict[tuple[Status, str, str], list[node_builders.Inline]] = {}
    for name in named:
        records = _records(book, rule, name)
        status = _status_of(book, rule, name)
        groups.setdefault((status, *account(records)), []).append(node_builders.xref("invariant", book.name, name))
    for records in mine.values():
        if records[0].subject not in named:
            status = weakest(record.status for record in records)
            groups.setdefault((status, *account(records)), []).append(
                words.words(records[0].kind or records[0].subject)
            )
    rows = [
        (_once(found), [node_builders.badge(status)], [how or "—"], node_builders.prose(limits or "—"))
        for (status, how, limits), found in sorted(groups.items(), key=lambda item: item[0])
    ]
    head, widths = ("Guarantees", "Verdict", "How", "Limits"), (46, 18, 14, 22)
    return [node_builders.table(head, rows, widths, "rules-guarantees")] if rows else []


def _once(parts: Sequence[node_builders.Inline]) -> list[node_builders.Inline]:
    """Return names with commas between them, a text that occurs several times counted."""
    links = [part for part in parts if not isinstance(part, str)]
    texts: dict[str, int] = {}
    for part in parts:
        if isinstance(part, str):
            texts[part] = texts.get(part, 0) + 1
    told = [text if count == 1 else f"{text} ({count})" for text, count in texts.items()]
    return node_builders.spaced([*links, *told], ", ")


def _by_claim(records: Iterable[JudgedRecord]) -> dict[str, list[JudgedRecord]]:
    """Return the records of each claim, those of several instances together."""
    found: dict[str, list[JudgedRecord]] = {}
    for record in records:
        found.setdefault(record.claim, []).append(record)
    return found


def account(records: Sequence[JudgedRecord]) -> tuple[str, str]:
    """Return how something was found out, and within which limits or why not; nothing for what is stale."""
    fresh = [record for record in records if record.status is not Status.STALE]
    how = "; ".join(dict.fromkeys(record.method.partition(",")[0] for record in fresh if record.method))
    reasons = dict.fromkeys(record.reason for record in fresh if record.reason)
    limits = SPLIT.join((*together(merged(bound for record in fresh for bound in record.bounds)), *reasons))
    return how, limits


def together(bounds: Iterable[str]) -> list[str]:
    """Return bounds with what holds only for some data in one of them: "only for `fords` = 3 and `bridges` = 3"."""
    told = list(bounds)
    data = [each.removeprefix(ONLY_FOR) for each in told if each.startswith(ONLY_FOR)]
    others = [each for each in told if not each.startswith(ONLY_FOR)]
    return [*others, f"{ONLY_FOR}{words.join(data)}"] if data else others


def status_line(book: Book, links: Connections, rule: str, here: str) -> nodes.Node:
    """Return the badges of a rule: what it must preserve, what it was tried on, what it rests on."""
    badges: list[node_builders.Inline] = []
    mine = _by_claim(book.evidence.of_rule(rule)).values()
    shown = {records[0].subject for records in mine}
    found = [weakest(record.status for record in records) for records in mine]
    found += [Status.OPEN for name in links.preserves if name not in shown]
    found += [book.status(name) for name in links.audits]  # a word must not hide what is only tried in play
    if found:
        done = sum(status in PROVED for status in found)
        badges.append(node_builders.badge(weakest(found), f"{done}/{len(found)}", f"{here}-guaranteed"))
    if games := book.evidence.played(rule):
        badges.append(node_builders.badge(Status.TESTED, f"{games:,} games"))
    if used_in := book.examples_using(rule):
        held = [book.status(told.example.name) for told in used_in]
        word = Status.EXAMPLE if all(status is Status.EXAMPLE for status in held) else weakest(held)
        good = sum(status is Status.EXAMPLE for status in held)
        badges.append(node_builders.badge(word, f"{'' if word is Status.EXAMPLE else 'examples '}{good}/{len(held)}"))
    if links.rulings:
        text = f"! {len(links.rulings)} ruling{'s' if len(links.rulings) > 1 else ''}"
        badges.append(
            nodes.reference(
                "",
                "",
                nodes.inline("", text),
                internal=True,
                refid=f"{here}-rulings",
                classes=["rules-badge", "rules-is-ruled"],
            )
        )
    action = book.action(rule)
    if reworded := [clause for clause in cited_clauses(action) if clause in book.to_review] if action else []:
        text = f"to be reviewed: {', '.join(reworded)}"
        badges.append(node_builders.inline("rules-badge rules-is-stale", text))
    return node_builders.para(
        *node_builders.spaced(badges or [node_builders.badge(Status.OPEN)], " "), css="rules-badges"
    )
