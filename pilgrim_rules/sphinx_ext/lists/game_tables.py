"""Tables about a whole game: its head, what it keeps track of, its definitions, score, coverage and hand-written English.

Reads:  a book.   Writes: nodes.
After:  what a table counts can be found in the lists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from docutils import nodes

from pilgrim_rules.core import derived, ir
from pilgrim_rules.evidence.files import SUFFIX
from pilgrim_rules.evidence.judged import PROVED
from pilgrim_rules.evidence.record import way
from pilgrim_rules.evidence.status import Status
from pilgrim_rules.inputs.clauses.clause_coverage import CoverageSection, coverage
from pilgrim_rules.prose import Voice, hints, say_def, say_expr, say_order, say_score_line, say_text, words
from pilgrim_rules.prose.given_away import given_away
from pilgrim_rules.sphinx_ext.blocks.history import what_changed
from pilgrim_rules.sphinx_ext.lists import edition_tables, player_pages
from pilgrim_rules.sphinx_ext.lists.lemma_graph import lemma_graph
from pilgrim_rules.sphinx_ext.lists.why_not import why_not_list
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.objects.domain import anchor, full_id

__all__ = ["TABLES", "game_head"]


def game_head(book: Book) -> list[nodes.Node]:
    """Return the facts about a game: what it is, for how many, how much of it is known."""
    game = book.game
    claims = [book.status(name) for name in book.declared["invariant"]]
    # The core is one instance, so a page can only speak of the number of players it was loaded for.
    counts = [(len(game.actions), "rule"), (len(claims), "guarantee"), (len(game.rulings), "ruling")]
    counts += [(len(game.options), "option")] if game.options else []
    facts = [f"shown for {game.players} {'player' if game.players == 1 else 'players'}"]
    facts += [f"{count} {noun if count == 1 else words.plural(noun)}" for count, noun in counts if count]
    head = node_builders.para(
        node_builders.inline("rules-id", game.name),
        " ",
        node_builders.inline("rules-facts", " · ".join(facts)),
        css="rules-header",
    )
    head["ids"] = [anchor("game", game.name)]
    shown: list[nodes.Node] = [head]
    if claims:
        badges: list[node_builders.Inline] = [
            node_builders.badge(status, str(count)) for status, count in sorted(Counter(claims).items(), reverse=True)
        ]
        shown.append(node_builders.para("Guarantees: ", *node_builders.spaced(badges, " "), css="rules-badges"))
    if evidence := book.path(f"evidence/{book.name}{SUFFIX}"):
        shown.append(
            node_builders.para("To be read by programs: ", node_builders.file(evidence, "what was found out"), ".")
        )
    if game.note.doc:
        shown.append(node_builders.para(game.note.doc, css="rules-sentence"))
    return shown


def state_table(book: Book) -> list[nodes.Node]:
    """Return what the game keeps track of."""
    rows: list[Sequence[Sequence[node_builders.Inline]]] = []
    for variable in book.game.variables:
        index = f"[{', '.join(type_.name for type_ in variable.index)}]" if variable.index else ""
        marks = [*(["ghost"] if variable.ghost else []), *([] if variable.seen is None else [variable.seen.word])]
        rows.append(
            (
                [node_builders.code(f"{variable.name}{index}")],
                [node_builders.code(variable.type.name)],
                [say_expr(variable.initial, Voice.from_game(book.game))],
                [variable.note.doc, f" ({', '.join(marks)})" if marks else ""],
            )
        )
    table = node_builders.table(
        ("Variable", "Values", "At the start", "What it is"), rows, (25, 15, 15, 45), "rules-state"
    )
    return [table, *_given_away(book)]


def _given_away(book: Book) -> list[nodes.Node]:
    """Return what the rules give away of what is hidden, if anything is."""
    found = given_away(book.game)
    if not found:
        return []
    items = [
        [
            *node_builders.prose(each.says),
            *([" ", *node_builders.refs("clause", book.name, each.clauses)] if each.clauses else []),
        ]
        for each in found
    ]
    return [node_builders.para("What the rules give away of what not everybody sees:"), node_builders.bullets(items)]


def stage_table(book: Book) -> list[nodes.Node]:
    """Return the stages, and who decides in each."""
    voice = Voice.from_game(book.game)
    deciders = {
        "auto": "nobody: it goes on by itself",
        "chance": "chance",
        "nobody": "nobody: the game is over",
        "player": "nobody",
    }
    rows = [
        (
            [words.label(stage.name)],
            [
                deciders[stage.kind] if stage.by is None else say_expr(stage.by, voice),
                *_always(book, stage, voice),
            ],
            node_builders.refs(
                "rule", book.name, [action.name for action in book.game.actions if stage.code in action.stages]
            )
            or ["—"],
        )
        for stage in book.game.stages
    ]
    return [node_builders.table(("Stage", "Who decides", "Rules"), rows, (25, 25, 50))]


def _always(book: Book, stage: ir.Stage, voice: Voice) -> list[node_builders.Inline]:
    """Return what of a stage is always possible: a rule that is named, or one of several; or what always holds."""
    asked = [test.definition if isinstance(test, ir.Call) else "" for test in stage.always]
    rules = [name.removeprefix(derived.POSSIBLE) for name in asked if name.startswith(derived.POSSIBLE)]
    if not asked:
        return []
    if len(rules) == len(asked):
        return [
            "; always possible: ",
            *node_builders.spaced([node_builders.xref("rule", book.name, each) for each in rules], " or "),
        ]
    return [f"; always {words.join([say_expr(test, voice) for test in stage.always], 'or')}"]


def definition_table(book: Book) -> list[nodes.Node]:
    """Return the definitions as sentences."""
    items = nodes.definition_list("", classes=["rules-list"])
    written = [definition for definition in book.game.defs if definition.name.isidentifier()]  # not `possible …`
    for definition in written:
        body = [node_builders.para(definition.note.doc)] if definition.note.doc else []
        body.append(node_builders.para(say_def(book.game, definition)))
        items += nodes.definition_list_item(
            "", nodes.term("", "", node_builders.code(definition.name)), nodes.definition("", *body)
        )
    return [items] if written else []


def text_table(book: Book) -> list[nodes.Node]:
    """Return the texts of rows, one paragraph a row."""
    shown: list[nodes.Node] = []
    for table in dict.fromkeys(text.of for text in book.game.texts):
        items = nodes.definition_list("", classes=["rules-list"])
        for text in (each for each in book.game.texts if each.of == table):
            said = " ".join(step.text for step in say_text(book.game, text))
            cited = _clauses(book, text.note.clauses) if text.note.clauses else []
            body = [node_builders.para(text.note.doc)] if text.note.doc else []
            body.append(node_builders.para(said, *([" (", *cited, ")"] if cited else [])))
            term = nodes.term("", words.label(text.row))
            items += nodes.definition_list_item("", term, nodes.definition("", *body))
        shown += [node_builders.para(f"Each {words.words(table).lower()} has a text:"), items]
    return shown


def score_table(book: Book) -> list[nodes.Node]:
    """Return how points are counted and how players are ranked."""
    score = book.game.score
    if score is None:
        return []
    rows: list[Sequence[Sequence[node_builders.Inline]]] = [
        ([line.label], [say_score_line(book.game, line)], _clauses(book, line.clauses)) for line in score.lines
    ]
    return [
        node_builders.table(("Part of the score", "How it is counted", "Clauses"), rows, (20, 52, 28)),
        node_builders.heading("Who wins, and ties", anchor("term", full_id(book.name, "tie"))),
        node_builders.para(say_order(book.game)),
        *player_pages.score_numbers(book),
        *player_pages.worked_score(book),
    ]


def _clauses(book: Book, clauses: tuple[str, ...]) -> list[node_builders.Inline]:
    return node_builders.refs("clause", book.name, [clause for clause in clauses if book.inventory.find(clause)]) or [
        "—"
    ]


def hint_table(book: Book) -> list[nodes.Node]:
    """Return every phrase of the English that is written by hand."""
    found = hints(book.game)
    if not found:
        return [node_builders.para("All English of this game is generated.")]
    rows = [([node_builders.code(hint.name)], [hint.text]) for hint in found]
    return [node_builders.table(("For", "Words"), rows, (30, 70))]


def standing_table(book: Book) -> list[nodes.Node]:
    """Return how much is known of the guarantees: how many have each word, and the names of those that are not proved."""
    found: dict[Status, list[str]] = {}
    for name in book.declared["invariant"]:
        found.setdefault(book.status(name), []).append(name)
    rows = [
        (
            [node_builders.badge(status)],
            [str(len(names))],
            ["—"] if status in PROVED else node_builders.refs("invariant", book.name, names),
        )
        for status, names in sorted(found.items())
    ]
    shown = [node_builders.table(("Word", "Guarantees", "Which"), rows, (20, 15, 65))] if rows else []
    ways = Counter(
        way(record.method)
        for part in book.evidence.parts
        for record in part.records
        if record.source != "fuzz" and record.status in PROVED
    )
    counted = [[f"{count:,} by {name}"] for name, count in ways.most_common()]
    return (
        [*shown, node_builders.para("Parts proved, over all numbers of players:"), node_builders.bullets(counted)]
        if counted
        else [*shown]
    )


def coverage_table(book: Book) -> list[nodes.Node]:
    """Return how much of the rulebook the rules cover, section by section."""
    found = coverage(book.game, book.inventory, *book.other_tables)
    if not book.inventory.ids():
        return [node_builders.para("This game has no inventory of clauses.")]
    claims = (claim for claim in book.game.claims if book.status(claim.name) in PROVED)
    proved = {clause for claim in claims for clause in claim.note.clauses}
    rows = [
        (
            [node_builders.xref("clause", book.name, _first(part), part.name)],
            [f"{len(part.traced)} of {part.total}", *_still_open(book, part)],
            [str(part.by_kind["example"])],
            [str(len(proved.intersection(part.traced)))],
        )
        for part in (*found.sections, *found.lists, found.whole)
    ]
    return [node_builders.table(("Section", "Cited", "In examples", "In proved guarantees"), rows, (40, 30, 15, 15))]


def _first(part: CoverageSection) -> str:
    """Return a clause of a section; every section has one."""
    return (*part.traced, *(id_ for id_, _ in part.waived), *part.open)[0]


def _still_open(book: Book, part: CoverageSection) -> list[node_builders.Inline]:
    return ["; open: ", *node_builders.refs("clause", book.name, part.open)] if part.open else []


def campaign_table(book: Book) -> list[nodes.Node]:
    """Return the campaigns: their games, what counts, and what a total is called."""
    shown: list[nodes.Node] = []
    voice = Voice.from_game(book.game)
    for campaign in book.game.campaigns:
        shown.append(node_builders.para(node_builders.strong(campaign.title), css="rules-sentence"))
        if campaign.note.doc:
            shown.append(node_builders.para(campaign.note.doc))
        played = [
            ", ".join(f"{words.words(name)}: {words.words(each)}" for name, each in game) for game in campaign.games
        ]
        told = {"sum": "the sum of", "max": "the greatest of", "min": "the least of"}[campaign.fold]
        shown.append(node_builders.bullets([[f"Game {at}: {each or 'as usual'}"] for at, each in enumerate(played, 1)]))
        shown.append(node_builders.para(f"What counts is {told} {say_expr(campaign.result, voice)} in each game."))
        shown.append(
            node_builders.bullets([[node_builders.strong(each.title), f": {_totals(each)}"] for each in campaign.ranks])
        )
    return shown


def _totals(rank: ir.CampaignRank) -> str:
    if rank.lo is None:
        return f"{rank.hi} or less"
    return (
        f"{rank.lo} or more" if rank.hi is None else f"{rank.lo}" if rank.lo == rank.hi else f"{rank.lo} to {rank.hi}"
    )


TABLES: dict[str, Callable[[Book], list[nodes.Node]]] = {
    "state": state_table,
    "stages": stage_table,
    "definitions": definition_table,
    "texts": text_table,
    "score": score_table,
    "campaigns": campaign_table,
    "hints": hint_table,
    "coverage": coverage_table,
    "waivers": edition_tables.waiver_table,
    "editions": edition_tables.difference_table,
    "assumed": edition_tables.assumed_table,
    "languages": edition_tables.language_table,
    "pages": edition_tables.page_table,
    "roundcard": player_pages.round_card,
    "firstturn": player_pages.first_turn,
    "lemmas": lemma_graph,
    "standing": standing_table,
    "whynot": why_not_list,
    "history": what_changed,
}
