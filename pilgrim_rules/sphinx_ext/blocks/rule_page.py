"""A rule page: one rule as a player, a rules editor and a verification engineer want to read it.

Reads:  a book and one of its rules.   Writes: a section of nodes, block by block in the order of the page.
After:  the page has two layers. Above stands what a player needs, below, to be opened, what the rule is made of and
        rests on. Whoever stops early has read what matters to them; every sentence names its clause.
"""

from __future__ import annotations

from collections.abc import Sequence

from docutils import nodes

from pilgrim_rules.core import ir
from pilgrim_rules.core.rulings import choices_of
from pilgrim_rules.prose import say_action, say_deciders, say_stages
from pilgrim_rules.sphinx_ext.blocks.clauses import clauses_block
from pilgrim_rules.sphinx_ext.blocks.contracts import contracts_block
from pilgrim_rules.sphinx_ext.blocks.english_and_source import english_and_source
from pilgrim_rules.sphinx_ext.blocks.examples import examples_block, picture_block
from pilgrim_rules.sphinx_ext.blocks.guarantees import guarantee_table, status_line, trust_block
from pilgrim_rules.sphinx_ext.blocks.history import former_ids, history_block
from pilgrim_rules.sphinx_ext.blocks.in_short import cost_block, may_not_block, summary_block
from pilgrim_rules.sphinx_ext.blocks.refusals import refusal_block
from pilgrim_rules.sphinx_ext.blocks.rulings_block import ruling_block
from pilgrim_rules.sphinx_ext.blocks.why_required import why_block
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.model.connections import Connections, concerned, connect
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.nodes.node_builders import details
from pilgrim_rules.sphinx_ext.nodes.python_session import transcript
from pilgrim_rules.sphinx_ext.objects.domain import anchor, full_id

__all__ = ["rule_section"]

MANY_RULES = 8  #: that a question concerns before it is told with the first of them only
KINDS = {"action": "player action", "auto": "happens by itself", "chance": "decided by chance"}


def rule_section(book: Book, action: ir.Action) -> nodes.section:
    """Return the whole page of a rule: above what a player needs, below, to be opened, what it is made of and rests on."""
    id_ = full_id(book.name, action.name)
    here = anchor("rule", id_)
    # Told as we play it; what other rulings would change stands below.
    english = say_action(book.game, action, choices_of(book.game))
    links = connect(book.game, action)
    section = nodes.section("", ids=[here, *former_ids(book, action)], classes=["rules-page"])
    section += nodes.title("", english.title)
    section += _header(book, action, here)
    section += summary_block(book, action, english)
    section += trust_block(book, action, links, here)
    asked = [*cost_block(book, action), *may_not_block(book, action)]
    section += [node_builders.box("rules-asked", *asked)] if asked else []
    section += picture_block(book, action)
    section += examples_block(book, action)
    section += _rulings(book, action, links, here)
    below = [
        _identity(book, action, id_),
        status_line(book, links, action.name, here),
        *clauses_block(book, action),
        *english_and_source(book, action, english, here),
        *refusal_block(book, action, english),
        *why_block(book, action, english),
        *contracts_block(book, action),
        *_guaranteed(book, action, links, here),
        *_connections(book, links),
        *_try_it(book, action),
        *history_block(book, action),
        _footer(book, action),
    ]
    section += node_builders.part(
        "Step by step: the clauses, the text of the rules, every refusal, the evidence",
        f"{english.title}, step by step",
        action.name.replace("_", "-"),
        *below,
        css="rules-below no-search",
        anchor=f"{here}-below",
    )
    return section


def _header(book: Book, action: ir.Action, here: str) -> nodes.Node:
    facts = [KINDS[action.kind]]
    if action.kind == "action":
        who = say_deciders(book.game, action)
        facts += [who] if who else []
    return node_builders.para(
        node_builders.inline("rules-facts", node_builders.xref("game", book.name, book.name, book.game.title), " ›"),
        " ",
        node_builders.inline("rules-facts", " · ".join(facts)),
        " ",
        node_builders.jump(here, "¶ link to this rule"),
        css="rules-header",
    )


def _identity(book: Book, action: ir.Action, id_: str) -> nodes.Node:
    """Return what the rule is called in the rules, and when it may happen."""
    stages = f"stage {say_stages(book.game, action)}"
    return node_builders.para(
        node_builders.inline("rules-id", id_), " ", node_builders.inline("rules-facts", stages), css="rules-header"
    )


def _guaranteed(book: Book, action: ir.Action, links: Connections, here: str) -> list[nodes.Node]:
    found = guarantee_table(book, action.name, links)
    return [node_builders.heading("What is guaranteed", f"{here}-guaranteed"), *found] if found else []


def _rulings(book: Book, action: ir.Action, links: Connections, here: str) -> list[nodes.Node]:
    shown: list[nodes.Node] = []
    for title, decisions in (
        ("Questions the book leaves open", book.game.rulings),
        ("Options of the set-up it looks at", book.game.options),
    ):
        found = [ruling for ruling in decisions if ruling.name in (*links.rulings, *links.options)]
        if found:
            shown.append(node_builders.heading(title, f"{here}-{found[0].kind}s"))
            rules = concerned(book.game)
            told = [each for each in found if _is_told_by(action, rules[each.name])]
            shown += [ruling_block(book, action, ruling) for ruling in told]
            named = [ruling.name for ruling in found if ruling not in told]
            if named:
                others = node_builders.refs(found[0].kind, book.name, named)
                lead = "Questions of many rules, told with the first of them: "
                shown.append(node_builders.para(lead, *others, ".", css="rules-says"))
    return shown


def _is_told_by(action: ir.Action, rules: Sequence[str]) -> bool:
    """Tell whether a question is told in full with a rule: one that concerns many is told with the first of them."""
    return len(rules) <= MANY_RULES or rules[0] == action.name


def _connections(book: Book, links: Connections) -> list[nodes.Node]:
    """Return what the rule touches, and what touches it."""
    rows: list[tuple[str, list[node_builders.Inline]]] = [
        ("Reads", node_builders.spaced([node_builders.code(name) for name in links.reads], ", ")),
        ("Writes", node_builders.spaced([node_builders.code(name) for name in links.writes], ", ")),
        ("May be followed by", node_builders.refs("rule", book.name, links.followers)),
    ]
    fields = nodes.field_list("", classes=["rules-connections"])
    for name, parts in rows:
        if parts:
            fields += nodes.field("", nodes.field_name("", name), nodes.field_body("", node_builders.para(*parts)))
    return [details(["What it reads, writes and leads to"], fields)] if len(fields) else []


def _try_it(book: Book, action: ir.Action) -> list[nodes.Node]:
    """Return a session that asks the library about the rule, and the command that checks it again."""
    place = book.samples.uses.get(action.name)
    shown: list[nodes.Node] = []
    if place is not None and action.kind == "action":
        lines = (
            f"game = pr.load({book.given!r}, players={book.game.players})",
            "state = game.start(seed=0)",
            f"for reason in state.why_not({place.move!r}): print(reason)",
        )
        text = transcript("\n".join(lines), book.folder)
        shown.append(nodes.literal_block(text, text, language="pycon"))
    command = f'pilgrim prove {book.given} --players {book.game.players} --only "*/{action.name}"'
    shown += [
        node_builders.para("To check what is claimed of this rule:"),
        nodes.literal_block(command, command, language="sh"),
    ]
    return [details(["Try it"], *shown)]


def _footer(book: Book, action: ir.Action) -> nodes.Node:
    """Return what the page was made from, and where its words are explained."""
    facts: list[node_builders.Inline] = [
        f"this rule {book.prints[f'action {action.name}'][:12]}",
        f"all rules {book.fingerprint[:12]}",
        *([book.evidence.tools] if book.evidence.tools else []),
        *(["⟲ by an earlier version of the prover"] if book.evidence.of_other_code else []),
    ]
    if book.words_label:
        facts.append(node_builders.ref(book.words_label, "what the words mean"))
    return node_builders.para(*node_builders.spaced(facts, " · "), css="rules-footer")
