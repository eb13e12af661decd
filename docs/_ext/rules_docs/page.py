"""A rule page: one rule as a player, a rules editor and a verification engineer want to read it.

Reads:  a book and one of its rules.   Writes: a section of nodes, block by block in the order of the page.
After:  whoever stops early has read what matters to them; every sentence names its clause.
"""

from __future__ import annotations

from pathlib import Path

from docutils import nodes

from pilgrim_rules.core import ir
from pilgrim_rules.figures.album import Album
from pilgrim_rules.prose import Voice, say_action, say_claim, say_expr, say_stages, words
from pilgrim_rules.prose.decided import choices_of, decided
from rules_docs import build, worked
from rules_docs.connections import Connections, connect
from rules_docs.disclosure import details
from rules_docs.guarantees import guaranteed, status_line
from rules_docs.objects import anchor, full_id
from rules_docs.refused import refusal_block
from rules_docs.rulebook import rulebook
from rules_docs.ruled import ruling_block
from rules_docs.session import transcript
from rules_docs.shelf import Book
from rules_docs.status import Status
from rules_docs.twice import twice
from rules_docs.why import why_block

__all__ = ["rule_section"]

KINDS = {"action": "player action", "auto": "happens by itself", "chance": "decided by chance"}


def rule_section(book: Book, action: ir.Action, album: Album) -> nodes.section:
    """Return the whole page of a rule; its pictures go into the album."""
    id_ = full_id(book.name, action.name)
    here = anchor("rule", id_)
    # Told as we play it; what other rulings would change stands below.
    english = say_action(book.game, decided(action, choices_of(book.game)))
    links = connect(book.game, action)
    section = nodes.section("", ids=[here], classes=["rules-page"])
    section += nodes.title("", english.title)
    section += [
        _header(book, action, id_),
        status_line(book, links, action.name, here),
        build.para(english.sentence, css="rules-sentence"),
    ]
    section += rulebook(book, action)
    section += twice(book, action, english, here)
    section += worked.picture(book, action, album)
    section += refusal_block(book, action, english, album)
    section += why_block(book, action, english, album)
    section += worked.examples(book, action)
    section += _guaranteed(book, action, links, here)
    section += _rulings(book, action, links, here)
    section += _connections(book, links)
    section += _try_it(book, action)
    section += _footer(book, action)
    return section


def _header(book: Book, action: ir.Action, id_: str) -> nodes.Node:
    stages = say_stages(book.game, action)
    deciders = {stage.by: None for stage in book.game.stages if stage.code in action.stages and stage.by is not None}
    who = words.join([say_expr(by, Voice.of(book.game)) for by in deciders], "or")
    facts = [KINDS[action.kind], *([who] if who else []), f"stage {stages}"]
    return build.para(
        build.inline("rules-facts", build.xref("game", book.name, book.name, book.game.title), " ›"),
        " ",
        build.inline("rules-id", id_),
        " ",
        build.inline("rules-facts", " · ".join(facts)),
        css="rules-header",
    )


def _guaranteed(book: Book, action: ir.Action, links: Connections, here: str) -> list[nodes.Node]:
    claims = [(claim.name, say_claim(book.game, claim)) for claim in book.game.claims if claim.name in links.preserves]
    # A claim that nothing is known about is only named here: the page of guarantees says what it is.
    known = [claim for claim in claims if book.evidence.about(claim[0])]
    unknown = [name for name, _ in claims if not book.evidence.about(name)]
    found = guaranteed(book, action.name, known)
    shown: list[nodes.Node] = [build.heading("What is guaranteed", f"{here}-guaranteed"), *found]
    if unknown:
        names = build.refs("invariant", book.name, unknown)
        many = f"{len(unknown)} guarantee{'s' if len(unknown) > 1 else ''} that nobody has looked at yet"
        shown.append(details([build.badge(Status.OPEN), " ", many], build.para(*names)))
    return shown if found or unknown else []


def _rulings(book: Book, action: ir.Action, links: Connections, here: str) -> list[nodes.Node]:
    rulings = [ruling for ruling in book.game.rulings if ruling.name in links.rulings]
    if not rulings:
        return []
    return [
        build.heading("Rulings it rests on", f"{here}-rulings"),
        *(ruling_block(book, action, ruling) for ruling in rulings),
    ]


def _connections(book: Book, links: Connections) -> list[nodes.Node]:
    """Return what the rule touches, and what touches it."""
    rows: list[tuple[str, list[build.Inline]]] = [
        ("Reads", build.spaced([build.code(name) for name in links.reads], ", ")),
        ("Writes", build.spaced([build.code(name) for name in links.writes], ", ")),
        ("May be followed by", build.refs("rule", book.name, links.followers)),
    ]
    fields = nodes.field_list("", classes=["rules-connections"])
    for name, parts in rows:
        if parts:
            fields += nodes.field("", nodes.field_name("", name), nodes.field_body("", build.para(*parts)))
    return [details(["What it reads, writes and leads to"], fields)] if len(fields) else []


def _try_it(book: Book, action: ir.Action) -> list[nodes.Node]:
    """Return a session that asks the library about the rule, and the command that checks it again."""
    name = book.name
    place = book.samples.uses.get(action.name)
    shown: list[nodes.Node] = []
    if place is not None and action.kind == "action":
        lines = (
            f"game = pr.load({name!r}, players={book.game.players})",
            "state = game.start(seed=0)",
            f"for reason in state.why_not({place.move!r}): print(reason)",
        )
        text = transcript("\n".join(lines), Path())
        shown.append(nodes.literal_block(text, text, language="pycon"))
    command = f'pilgrim prove {name} --players {book.game.players} --only "*/{action.name}"'
    shown += [
        build.para("To check what is claimed of this rule:"),
        nodes.literal_block(command, command, language="sh"),
    ]
    return [details(["Try it"], *shown)]


def _footer(book: Book, action: ir.Action) -> nodes.Node:
    """Return what the page was made from, and where its words are explained."""
    facts: list[build.Inline] = [
        f"this rule {book.prints[f'action {action.name}'][:12]}",
        f"all rules {book.fingerprint[:12]}",
        *([book.evidence.tools] if book.evidence.tools else []),
    ]
    if book.words_label:
        facts.append(build.ref(book.words_label, "what the words mean"))
    return build.para(*build.spaced(facts, " · "), css="rules-footer")
