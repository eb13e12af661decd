"""In short: a rule as people tell it, what it costs, and for which reasons it is refused.

Reads:  a book, a rule, its English.   Writes: nodes.
After:  a player who reads no further knows the rule. What the author has summed up tells every clause that the rule
        cites, or the build warns: what is not in the summary is in the costs, the refusals or the rulings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docutils import nodes

from pilgrim_rules.core import ir, rule_walk
from pilgrim_rules.inputs.clauses.records import Clause
from pilgrim_rules.prose import EnglishRule, SaidCost, common_sentences, say_costs, sentence_text, sentences
from pilgrim_rules.prose.apply_rulings import assignments_left
from pilgrim_rules.sphinx_ext.blocks.clauses import cited_clauses
from pilgrim_rules.sphinx_ext.blocks.glossary_links import link_terms
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.model.samples import requirements
from pilgrim_rules.sphinx_ext.nodes import node_builders

__all__ = ["cost_block", "may_not_block", "summary_block", "untold_clauses"]


def summary_block(book: Book, action: ir.Action, english: EnglishRule) -> list[nodes.Node]:
    """Return the rule in the words of its author; in one sentence if there is no summary.

    What many rules say in the same words comes after what only this one says.
    """
    if not action.summary:
        return [node_builders.para(english.sentence, css="rules-sentence")]
    common = common_sentences(book.game)
    first, *others = sentences(action)
    own = [first, *(each for each in others if sentence_text(each) not in common)]
    shared = [each for each in others if sentence_text(each) in common]
    terms: set[str] = set()
    shown: list[nodes.Node] = [node_builders.para(*_told(book, own, terms), css="rules-sentence rules-summary")]
    if shared:
        lead = node_builders.inline("rules-lead", "As in other rules: ")
        shown.append(node_builders.para(lead, *_told(book, shared, terms), css="rules-remarks"))
    return shown


def _told(book: Book, told: Iterable[Sequence[ir.SummaryLine]], terms: set[str]) -> list[node_builders.Inline]:
    """Return sentences with their clauses; a word of the game is linked where it comes first."""
    parts: list[node_builders.Inline] = []
    for line in (line for sentence in told for line in sentence):
        parts += [" "] if parts else []
        for part in node_builders.prose(line.text):
            parts += link_terms(book, part, terms) if isinstance(part, str) else [part]
        parts += _cites(book, line.clauses)
    return parts


def untold_clauses(book: Book, action: ir.Action) -> list[str]:
    """Return the clauses that a rule cites and that nothing above the fold tells; none if the rule has no summary.

    Gaps and differences of editions are told by the rulings, and so is what a rule does under an answer that was not chosen.
    """
    if not action.summary:
        return []
    told = {clause for line in action.summary for clause in line.clauses}
    told |= {clause for cost in action.written.costs for clause in cost.clauses}
    told |= {clause for line in _refusing(book, action) for clause in line.clauses}
    untold = [
        clause
        for clause in cited_clauses(action)
        if clause not in told and isinstance(book.inventory.find(clause), Clause)
    ]
    if not untold:
        return []
    done = {clause for stmt in rule_walk.assignments(action.body) for clause in stmt.clauses}
    left = {clause for stmt in assignments_left(book.game, action) for clause in stmt.clauses}
    return [clause for clause in untold if clause not in done - left or clause in action.note.clauses]


def cost_block(book: Book, action: ir.Action) -> list[nodes.Node]:
    """Return what is to be paid as a small table; nothing if the rule is free."""
    costs = say_costs(book.game, action)
    if not costs:
        return []
    rows = [_cost_row(book, cost) for cost in costs]
    shown = node_builders.table(("What", "When", "Clause"), rows, (40, 42, 18), "rules-costs")
    return [node_builders.heading("You pay" if action.kind == "action" else "It costs"), shown]


def _cost_row(book: Book, cost: SaidCost) -> tuple[Sequence[node_builders.Inline], ...]:
    return ([cost.what], [cost.when or "always"], _links(book, cost.clauses) or ["—"])


def may_not_block(book: Book, action: ir.Action) -> list[nodes.Node]:
    """Return why the rule is refused, in the words that a player is told; those of one clause stand together."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for line in _refusing(book, action):
        known = tuple(clause for clause in line.clauses if book.inventory.find(clause) is not None)
        told = groups.setdefault(known, [])
        says = (line.says or "").replace("`", "").rstrip(".")
        told += [] if says in told else [says]
    items: list[list[node_builders.Inline]] = [
        ["; ".join(told), *_cites(book, clauses)] for clauses, told in groups.items()
    ]
    if not items:
        return []
    return [node_builders.heading("Why you may not"), node_builders.bullets(items, "rules-may-not")]


def _refusing(book: Book, action: ir.Action) -> list[ir.Require]:
    """Return the requirements of a rule as it is played that say why they refuse; those of costs are in the costs."""
    asked = requirements(book.game, action)
    return [
        line
        for line in action.guard
        if isinstance(line, ir.Require)
        and line.says
        and line.key in asked
        and not line.key.startswith(f"{action.name}.cost.")
    ]


def _links(book: Book, clauses: Sequence[str]) -> list[node_builders.Inline]:
    return node_builders.refs("clause", book.name, [each for each in clauses if book.inventory.find(each) is not None])


def _cites(book: Book, clauses: Sequence[str]) -> list[node_builders.Inline]:
    known = _links(book, clauses)
    return [" ", node_builders.inline("rules-cites", *known)] if known else []
