"""A rule page: one rule as a player, a rules editor and a verification engineer want to read it.

Reads:  a book and one of its rules.   Writes: a section of nodes, block by block in the order of the page.
After:  whoever stops early has read what matters to them; every sentence names its clause.
"""

from __future__ import annotations

from docutils import nodes

from pilgrim_rules.core import ir, walk
from pilgrim_rules.prose import Step, Steps, Voice, say_action, say_claim, say_expr, say_stages, words
from rules_docs import build
from rules_docs.connections import Connections, connect
from rules_docs.guarantees import evidence_rows, status_line
from rules_docs.listing import listing
from rules_docs.objects import anchor, full_id
from rules_docs.shelf import Book
from rules_docs.status import Status

__all__ = ["rule_section"]

KINDS = {"action": "player action", "auto": "happens by itself", "chance": "decided by chance"}


def rule_section(book: Book, action: ir.Action) -> nodes.section:
    """Return the whole page of a rule."""
    id_ = full_id(book.name, action.name)
    here = anchor("rule", id_)
    english = say_action(book.game, action)
    links = connect(book.game, action)
    section = nodes.section("", ids=[here], classes=["rules-page"])
    section += nodes.title("", english.title)
    section += [
        _header(book, action, id_),
        status_line(book, links, action.name, here),
        build.para(english.sentence, css="rules-sentence"),
    ]
    section += _rulebook(book, action)
    section += _twice(book, action, english, here)
    section += _guaranteed(book, action, links, here)

    section += _rulings(book, links, here)
    section += _connections(book, links)
    section += _footer(book)
    return section


def _header(book: Book, action: ir.Action, id_: str) -> nodes.Node:
    stages = say_stages(book.game, action)
    deciders = {stage.by: None for stage in book.game.stages if stage.code in action.stages and stage.by is not None}
    who = words.join([say_expr(by, Voice.of(book.game)) for by in deciders], "or")
    facts = [KINDS[action.kind], *([who] if who else []), f"stage {stages}"]
    return build.para(
        build.inline("rules-id", id_), " ", build.inline("rules-facts", " · ".join(facts)), css="rules-header"
    )


def _rulebook(book: Book, action: ir.Action) -> list[nodes.Node]:
    """Return what the rulebook says: every clause that the rule cites, in our words."""
    cited = _cited(action)
    known = [found for id_ in cited if (found := book.inventory.find(id_)) is not None]
    if not known:
        return []
    rows = [
        (
            [build.xref("clause", book.name, record.id)],
            [getattr(record, "page", "")],
            [getattr(record, "kind", "")],
            [words.sentence((book.inventory.describe(record.id) or "").split(" (p. ")[0])],
        )
        for record in known
    ]
    head = ("Clause", "Page", "Kind", "What it says")
    return [build.heading("What the rulebook says"), build.table(head, rows, (12, 6, 12, 70), "rules-clauses")]


def _cited(action: ir.Action) -> list[str]:
    lines = [clause for line in action.guard if isinstance(line, ir.Require) for clause in line.clauses]
    effects = [clause for stmt in walk.assignments(action.body) for clause in stmt.clauses]
    return list(dict.fromkeys((*action.note.clauses, *lines, *effects)))


def _twice(book: Book, action: ir.Action, english: Steps, here: str) -> list[nodes.Node]:
    """Return the rule in English and in the language, side by side."""
    left = build.box("rules-english", *_english(book, english, here))
    right = build.box("rules-formal", *_formal(book, action, english, here))
    return [build.heading("The rule"), build.box("rules-twice", left, right)]


def _english(book: Book, english: Steps, here: str) -> list[nodes.Node]:
    shown: list[nodes.Node] = []
    for section in english.sections:
        shown.append(build.para(build.strong(section.title), css="rules-part"))
        items = nodes.bullet_list("", classes=["rules-steps"])
        items += [_step(book, step, here) for step in section.steps]
        shown.append(items)
    return shown


def _step(book: Book, step: Step, here: str) -> nodes.list_item:
    parts: list[build.Inline] = []
    if step.number is not None:
        parts += [build.inline("rules-number", str(step.number)), " "]
    parts.append(step.text)
    if step.says:
        parts += [" ", build.inline("rules-says", f"Else: {step.says}.")]
    if step.clauses:
        parts += [" ", build.inline("rules-cites", *_clauses(book, step.clauses))]
    item = nodes.list_item("", build.para(*parts), classes=[f"rules-depth-{step.depth}"])
    if step.number is not None and step.key is not None:
        item["ids"] = [nodes.make_id(f"{here}-step-{step.number}-{step.text}")]
    return item


def _clauses(book: Book, clauses: tuple[str, ...]) -> list[build.Inline]:
    shown: list[build.Inline] = [
        build.xref("clause", book.name, clause) if book.inventory.find(clause) else clause for clause in clauses
    ]
    return build.spaced(shown, ", ")


def _formal(book: Book, action: ir.Action, english: Steps, here: str) -> list[nodes.Node]:
    """Return the rule's own lines, and below them lines of shared guards and effects that it uses."""
    numbers: dict[str, dict[int, list[int]]] = {}
    for step in (step for section in english.sections for step in section.steps):
        found = None if step.span is None else book.lines(step.span)
        if found is not None and step.number is not None:
            at = numbers.setdefault(found[0].name, {}).setdefault(found[1].start, [])
            if step.number not in at:
                at.append(step.number)
    own = None if action.note.span is None else book.lines(action.note.span)
    if own is None:
        return []
    source, lines = own
    shown: list[nodes.Node] = [
        _place(source.name, lines),
        listing(book, source, lines, numbers.get(source.name, {}), here),
    ]
    for name, marks in numbers.items():
        outside = sorted(number for number in marks if name != source.name or number not in lines)
        for number in outside:
            line = range(number, number + 1)
            shown += [
                _place(name, line),
                listing(book, book.sources[name], line, marks, f"{here}-{nodes.make_id(name)}"),
            ]
    return shown


def _place(name: str, lines: range) -> nodes.Node:
    where = f"line {lines.start}" if len(lines) == 1 else f"lines {lines.start}–{lines[-1]}"
    return build.para(build.inline("rules-file", f"{name.rsplit('/', 1)[-1]}, {where}"), css="rules-part")


def _guaranteed(book: Book, action: ir.Action, links: Connections, here: str) -> list[nodes.Node]:
    claims = [(claim.name, say_claim(book.game, claim)) for claim in book.game.claims if claim.name in links.preserves]
    # A claim that nothing is known about is only named here: the page of guarantees says what it is.
    known = [claim for claim in claims if book.evidence.about(claim[0])]
    unknown = [name for name, _ in claims if not book.evidence.about(name)]
    rows = evidence_rows(book, action.name, known)
    shown: list[nodes.Node] = [build.heading("What is guaranteed", f"{here}-guaranteed")]
    if rows:
        head = ("Guarantee", "Verdict", "How", "Limits")
        shown.append(build.table(head, rows, (46, 18, 14, 22), "rules-guarantees"))
    if unknown:
        names = build.refs("invariant", book.name, unknown)
        shown.append(build.para(build.badge(Status.OPEN), " ", *names, css="rules-unknown"))
    return shown if rows or unknown else []


def _rulings(book: Book, links: Connections, here: str) -> list[nodes.Node]:
    rulings = [ruling for ruling in book.game.rulings if ruling.name in links.rulings]
    if not rulings:
        return []
    items: list[list[build.Inline]] = [
        [
            build.xref("ruling", book.name, ruling.name, words.words(ruling.name)),
            f": we play {words.words(ruling.default)}. {ruling.note.doc}".rstrip(),
        ]
        for ruling in rulings
    ]
    return [build.heading("Rulings it rests on", f"{here}-rulings"), build.bullets(items)]


def _connections(book: Book, links: Connections) -> list[nodes.Node]:
    rows: list[tuple[str, list[build.Inline]]] = [
        ("Reads", build.spaced([build.code(name) for name in links.reads], ", ")),
        ("Writes", build.spaced([build.code(name) for name in links.writes], ", ")),
        ("May be followed by", build.refs("rule", book.name, links.followers)),
        ("Shown in", build.refs("example", book.name, links.examples)),
    ]
    fields = nodes.field_list("", classes=["rules-connections"])
    for name, parts in rows:
        if parts:
            fields += nodes.field("", nodes.field_name("", name), nodes.field_body("", build.para(*parts)))
    return [build.heading("Connections"), fields] if len(fields) else []


def _footer(book: Book) -> nodes.Node:
    """Return what the page was made from, and where its words are explained."""
    facts: list[build.Inline] = [
        f"rules {book.fingerprint[:12]}",
        *([book.evidence.tools] if book.evidence.tools else []),
    ]
    if book.words_label:
        facts.append(build.ref(book.words_label, "what the words mean"))
    return build.para(*build.spaced(facts, " · "), css="rules-footer")
