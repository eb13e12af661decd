"""Lists of a game's objects: guarantees, rulings, examples and what they begin with, clauses, terms; all can be linked.

Reads:  a book.   Writes: `Item`s and definition lists.
After:  every object has one anchor, whatever page shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docutils import nodes

from pilgrim_rules.clauses.records import Clause, Gap
from pilgrim_rules.clauses.trace import trace
from pilgrim_rules.core import ir
from pilgrim_rules.prose import say_claim, say_ranking, words
from pilgrim_rules.prose.voice import templates_of
from rules_docs import build
from rules_docs.bounds import merged
from rules_docs.disclosure import details
from rules_docs.evidence import PROVED, Record
from rules_docs.listing import listing
from rules_docs.objects import anchor, full_id
from rules_docs.shelf import Book
from rules_docs.spoken import told_steps
from rules_docs.status import Status

__all__ = ["Item", "declared", "show"]


MOST_RECORDS = 4  #: the parts of a proof that has more are to be opened


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a list: its name, what it is called, one sentence about it, what is shown, and the file it is from."""

    name: str
    title: str
    about: str
    body: tuple[nodes.Node, ...]
    status: Status | None = None
    file: str = ""


def declared(book: Book, kind: str) -> dict[str, Item]:
    """Return all entries of one kind, in the order of the game."""
    return {item.name: item for item in _LISTS[kind](book)}


def show(book: Book, kind: str, items: Sequence[Item]) -> list[nodes.Node]:
    """Return the entries as a list of definitions with anchors."""
    entries = nodes.definition_list("", classes=["rules-list", f"rules-list-{kind}"])
    for item in items:
        term = nodes.term("", item.title, ids=[anchor(kind, full_id(book.name, item.name))])
        if item.title != item.name:
            term += [nodes.Text(" "), build.inline("rules-id", full_id(book.name, item.name))]
        if item.status is not None:
            term += [nodes.Text(" "), build.badge(item.status)]
        entries += nodes.definition_list_item("", term, nodes.definition("", *item.body))
    return [entries] if items else []


def _guarantees(book: Book) -> list[Item]:
    found: list[tuple[str, str, ir.Note]] = [
        (claim.name, say_claim(book.game, claim), claim.note) for claim in book.game.claims
    ]
    found += [(ranking.name, say_ranking(book.game, ranking), ranking.note) for ranking in book.game.rankings]
    return [_guarantee(book, name, sentence, note) for name, sentence, note in found]


def _guarantee(book: Book, name: str, sentence: str, note: ir.Note) -> Item:
    status = book.status(name)
    body: list[nodes.Node] = [build.para(note.doc)] if note.doc else []
    body.append(build.para(sentence, *_cites(book, note.clauses), css="rules-english-line"))
    body += _folded(_source(book, note, anchor("invariant", full_id(book.name, name))))
    body += _records([record for record in book.evidence.about(name) if record.status is not Status.STALE])
    return Item(name, _title(name), note.doc or sentence, tuple(body), status)


def _records(records: Sequence[Record]) -> list[nodes.Node]:
    """Return what was found out about a claim: what is not proved at once, the parts of a proof to be opened."""
    proved = [record for record in records if record.status in PROVED]
    others = [record for record in records if record.status not in PROVED]
    shown: list[nodes.Node] = [_accounts(others)] if others else []
    if len(records) <= MOST_RECORDS:
        return [_accounts(records)] if records else []
    if proved:
        ways = words.join(sorted({record.method.partition(",")[0] for record in proved}))
        shown.append(details([f"{len(proved)} parts proved, by {ways}"], _accounts(proved)))
    return shown


def _folded(listing_: list[nodes.Node]) -> list[nodes.Node]:
    return [details(["In the language of the rules"], *listing_)] if listing_ else []


def _accounts(records: Sequence[Record]) -> nodes.Node:
    """Return lines of evidence: the verdict, how, within which limits, why not; and all parts of which the same is said."""
    by_part: dict[tuple[Status, str, str, str], list[Record]] = {}
    for record in records:
        key = (record.status, record.method, record.part, f"{record.reason}{record.play}")
        by_part.setdefault(key, []).append(record)
    parts: dict[tuple[Status, str], list[str]] = {}
    for (status, method, part, _), found in by_part.items():
        bounds = merged(bound for record in found for bound in record.bounds)
        told = " · ".join(text for text in (method, *bounds, found[0].reason) if text)
        play = f" · play: {', '.join(found[0].play)}" if found[0].play else ""
        parts.setdefault((status, f"{told}{play}"), []).append(words.label(part))
    return build.bullets(
        (
            [
                build.badge(status),
                " ",
                *build.prose(": ".join(text for text in (told, ", ".join(filter(None, named))) if text)),
            ]
            for (status, told), named in parts.items()
        ),
        "rules-records",
    )


def _rulings(book: Book) -> list[Item]:
    items = []
    for ruling in book.game.rulings:
        options = [
            [
                build.strong(words.words(name)),
                f": {text}" if text else "",
                " (our ruling)" if name == ruling.default else "",
            ]
            for name, text in ruling.options
        ]
        body: list[nodes.Node] = [
            build.para(ruling.note.doc, *_cites(book, ruling.note.clauses)),
            build.bullets(options),
        ]
        for clause in ruling.note.clauses:
            gap = book.inventory.find(clause)
            if isinstance(gap, Gap):
                body.append(build.para(f"{gap.problem} {gap.why}".strip(), css="rules-gap"))
        items.append(Item(ruling.name, _title(ruling.name), ruling.note.doc, tuple(body)))
    return items


def _examples(book: Book) -> list[Item]:
    items = []
    for example in book.game.examples:
        steps = told_steps(book, example)
        body: list[nodes.Node] = [build.para(example.note.doc)] if example.note.doc else []
        body.append(build.bullets(steps, "rules-example"))
        body += _folded(_plain(book, example.note))
        status = book.status(example.name)
        items.append(
            Item(example.name, _title(example.name), example.note.doc, tuple(body), status, _file(example.note))
        )
    return items


def _file(note: ir.Note) -> str:
    return "" if note.span is None else note.span.file.rsplit("/", 1)[-1]


def _arrangements(book: Book) -> list[Item]:
    items = []
    for name, each in book.arrangements.items():
        body: list[nodes.Node] = [build.para(each.doc)] if each.doc else []
        body.append(listing(book, each.source, each.lines, {}, anchor("arrangement", full_id(book.name, name))))
        items.append(Item(name, _title(name), each.doc, tuple(body), None, each.source.name.rsplit("/", 1)[-1]))
    return items


def _clauses(book: Book) -> list[Item]:
    cited = trace(book.game)
    items = []
    for id_ in book.inventory.ids():
        text = words.sentence((book.inventory.describe(id_) or "").rsplit(" (p. ", 1)[0])
        record = book.inventory.find(id_)
        facts = [
            f"p. {page}" if (page := getattr(record, "page", "")) else "",
            record.kind if isinstance(record, Clause) else "",
        ]
        where = list(dict.fromkeys((line.part, line.item) for line in cited.get(id_, ())))
        uses: list[build.Inline] = []
        for part, item in where:
            kind = {
                "requirement": "rule",
                "assignment": "rule",
                "action": "rule",
                "auto": "rule",
                "chance": "rule",
            }.get(part, "")
            kind = kind or ("invariant" if item in book.declared["invariant"] else "")
            known = kind and item in book.declared.get(kind, ())
            uses.append(build.xref(kind, book.name, item) if known else f"{part} {item}")
        line: list[build.Inline] = [text, " ", build.inline("rules-facts", " · ".join(fact for fact in facts if fact))]
        body = [build.para(*line)]
        if uses:
            body.append(build.para("Used by ", *build.spaced(uses, ", "), ".", css="rules-uses"))
        items.append(Item(id_, id_, text, tuple(body)))
    return items


def _terms(book: Book) -> list[Item]:
    phrases = templates_of(book.game)
    return [
        Item(term, words.words(term), text, (build.para(words.sentence(text)),))
        for term, text in book.game.glossary
        if term not in phrases
    ]


def _cites(book: Book, clauses: tuple[str, ...]) -> list[build.Inline]:
    known = [clause for clause in clauses if book.inventory.find(clause) is not None]
    return [" ", build.inline("rules-cites", *build.refs("clause", book.name, known))] if known else []


def _source(book: Book, note: ir.Note, here: str) -> list[nodes.Node]:
    found = None if note.span is None else book.lines(note.span)
    return [] if found is None else [listing(book, *found, {}, here)]


def _plain(book: Book, note: ir.Note) -> list[nodes.Node]:
    """Return the source without colours: a game may have hundreds of examples on one page."""
    found = None if note.span is None else book.lines(note.span)
    text = "" if found is None else "\n".join(found[0].line(number) for number in found[1])
    return [nodes.literal_block(text, text, language="none")] if text else []


def _title(name: str) -> str:
    text = words.words(name)
    return text[:1].upper() + text[1:]


_LISTS: dict[str, Callable[[Book], list[Item]]] = {
    "invariant": _guarantees,
    "ruling": _rulings,
    "example": _examples,
    "arrangement": _arrangements,
    "clause": _clauses,
    "term": _terms,
}
