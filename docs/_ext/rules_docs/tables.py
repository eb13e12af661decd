"""Tables about a whole game: its head, what it keeps track of, its definitions, score, coverage and hand-written English.

Reads:  a book.   Writes: nodes.
After:  what a table counts can be found in the lists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from docutils import nodes

from pilgrim_rules.clauses.coverage import Section, coverage
from pilgrim_rules.prose import Voice, hints, say_def, say_expr, say_order, say_score_line, words
from rules_docs import build, editions
from rules_docs.evidence import PROVED
from rules_docs.lemmas import lemma_graph
from rules_docs.objects import anchor
from rules_docs.shelf import Book
from rules_docs.status import Status

__all__ = ["TABLES", "game_head"]


def game_head(book: Book) -> list[nodes.Node]:
    """Return the facts about a game: what it is, for how many, how much of it is known."""
    game = book.game
    claims = [book.status(name) for name in book.declared["invariant"]]
    # The core is one instance, so a page can only speak of the number of players it was loaded for.
    counts = [(len(game.actions), "rule"), (len(claims), "guarantee"), (len(game.rulings), "ruling")]
    facts = [f"shown for {game.players} {'player' if game.players == 1 else 'players'}"]
    facts += [f"{count} {noun if count == 1 else words.plural(noun)}" for count, noun in counts if count]
    head = build.para(
        build.inline("rules-id", game.name), " ", build.inline("rules-facts", " · ".join(facts)), css="rules-header"
    )
    head["ids"] = [anchor("game", game.name)]
    shown: list[nodes.Node] = [head]
    if claims:
        badges: list[build.Inline] = [
            build.badge(status, str(count)) for status, count in sorted(Counter(claims).items(), reverse=True)
        ]
        shown.append(build.para("Guarantees: ", *build.spaced(badges, " "), css="rules-badges"))
    if evidence := book.path(f"evidence/{book.name}.json"):
        shown.append(build.para("To be read by programs: ", build.file(evidence, "what was found out"), "."))
    if game.note.doc:
        shown.append(build.para(game.note.doc, css="rules-sentence"))
    return shown


def state_table(book: Book) -> list[nodes.Node]:
    """Return what the game keeps track of."""
    rows: list[Sequence[Sequence[build.Inline]]] = []
    for variable in book.game.variables:
        index = f"[{', '.join(type_.name for type_ in variable.index)}]" if variable.index else ""
        marks = [*(["ghost"] if variable.ghost else []), *([variable.sight] if variable.sight != "open" else [])]
        rows.append(
            (
                [build.code(f"{variable.name}{index}")],
                [build.code(variable.type.name)],
                [say_expr(variable.initial, Voice.of(book.game))],
                [variable.note.doc, f" ({', '.join(marks)})" if marks else ""],
            )
        )
    return [build.table(("Variable", "Values", "At the start", "What it is"), rows, (25, 15, 15, 45))]


def stage_table(book: Book) -> list[nodes.Node]:
    """Return the stages, and who decides in each."""
    voice = Voice.of(book.game)
    deciders = {
        "auto": "nobody: it goes on by itself",
        "chance": "chance",
        "nobody": "nobody: the game is over",
        "player": "nobody",
    }
    rows = [
        (
            [words.label(stage.name)],
            [deciders[stage.kind] if stage.by is None else say_expr(stage.by, voice)],
            build.refs("rule", book.name, [action.name for action in book.game.actions if stage.code in action.stages])
            or ["—"],
        )
        for stage in book.game.stages
    ]
    return [build.table(("Stage", "Who decides", "Rules"), rows, (25, 25, 50))]


def definition_table(book: Book) -> list[nodes.Node]:
    """Return the definitions as sentences."""
    items = nodes.definition_list("", classes=["rules-list"])
    written = [definition for definition in book.game.defs if definition.name.isidentifier()]  # not `possible …`
    for definition in written:
        body = [build.para(definition.note.doc)] if definition.note.doc else []
        body.append(build.para(say_def(book.game, definition)))
        items += nodes.definition_list_item(
            "", nodes.term("", "", build.code(definition.name)), nodes.definition("", *body)
        )
    return [items] if written else []


def score_table(book: Book) -> list[nodes.Node]:
    """Return how points are counted and how players are ranked."""
    score = book.game.score
    if score is None:
        return []
    unit = "" if score.per == 1 else f", in units of 1/{score.per}"
    rows: list[Sequence[Sequence[build.Inline]]] = [
        ([line.label], [say_score_line(book.game, line)], _clauses(book, line.clauses)) for line in score.lines
    ]
    return [
        build.table((f"Part of the score{unit}", "How it is counted", "Clauses"), rows, (25, 60, 15)),
        build.para(say_order(book.game)),
    ]


def _clauses(book: Book, clauses: tuple[str, ...]) -> list[build.Inline]:
    return build.refs("clause", book.name, [clause for clause in clauses if book.inventory.find(clause)]) or ["—"]


def hint_table(book: Book) -> list[nodes.Node]:
    """Return every phrase of the English that is written by hand."""
    found = hints(book.game)
    if not found:
        return [build.para("All English of this game is generated.")]
    rows = [([hint.kind], [build.code(hint.name)], [hint.text]) for hint in found]
    return [build.table(("Kind", "For", "Words"), rows, (15, 25, 60))]


def standing_table(book: Book) -> list[nodes.Node]:
    """Return how much is known of the guarantees: how many have each word, and the names of those that are not proved."""
    found: dict[Status, list[str]] = {}
    for name in book.declared["invariant"]:
        found.setdefault(book.status(name), []).append(name)
    rows = [
        (
            [build.badge(status)],
            [str(len(names))],
            ["—"] if status in PROVED else build.refs("invariant", book.name, names),
        )
        for status, names in sorted(found.items())
    ]
    return [build.table(("Word", "Guarantees", "Which"), rows, (20, 15, 65))] if rows else []


def coverage_table(book: Book) -> list[nodes.Node]:
    """Return how much of the rulebook the rules cover, section by section."""
    found = coverage(book.game, book.inventory)
    if not book.inventory.ids():
        return [build.para("This game has no inventory of clauses.")]
    claims = (claim for claim in book.game.claims if book.status(claim.name) in PROVED)
    proved = {clause for claim in claims for clause in claim.note.clauses}
    rows = [
        (
            [build.xref("clause", book.name, _first(part), part.name)],
            [f"{len(part.traced)} of {part.total}", *_still_open(book, part)],
            [str(part.by_kind["example"])],
            [str(len(proved.intersection(part.traced)))],
        )
        for part in (*found.sections, *found.lists, found.whole)
    ]
    return [build.table(("Section", "Cited", "In examples", "In proved guarantees"), rows, (40, 30, 15, 15))]


def _first(part: Section) -> str:
    """Return a clause of a section; every section has one."""
    return (*part.traced, *(id_ for id_, _ in part.waived), *part.open)[0]


def _still_open(book: Book, part: Section) -> list[build.Inline]:
    return ["; open: ", *build.refs("clause", book.name, part.open)] if part.open else []


TABLES: dict[str, Callable[[Book], list[nodes.Node]]] = {
    "state": state_table,
    "stages": stage_table,
    "definitions": definition_table,
    "score": score_table,
    "hints": hint_table,
    "coverage": coverage_table,
    "waivers": editions.waiver_table,
    "editions": editions.difference_table,
    "assumed": editions.assumed_table,
    "languages": editions.language_table,
    "pages": editions.page_table,
    "lemmas": lemma_graph,
    "standing": standing_table,
}
