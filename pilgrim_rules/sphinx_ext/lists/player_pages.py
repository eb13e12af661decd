"""Pages that players look for: a final score worked through, the round on a card, a first turn.

Reads:  a book; for the score and the turn its recorded plays.   Writes: nodes.
After:  every number is the edition's or was counted by the engine while the page was built. A game without a
        score or without a recorded play has nothing to show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from docutils import nodes

from pilgrim_rules.api.game import State
from pilgrim_rules.core import ir, walk
from pilgrim_rules.core.move_text import action_name
from pilgrim_rules.core.values import show as show_value
from pilgrim_rules.play_pages.changes import changes_in_words
from pilgrim_rules.prose import Voice, say_expr, sentence_text, sentences, words
from pilgrim_rules.prose.moves import action_title
from pilgrim_rules.prose.voice import noun, templates_of
from pilgrim_rules.semantics.errors import RulesGameError
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.model.wording import say_move
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.pictures.recorded_play import recorded_trace

__all__ = ["first_turn", "round_card", "score_numbers", "worked_score"]

MOST_WORDS = 8  #: about who decides
MOST_STEPS = 60  #: of a first turn


# -------------------------------------------------------------------------------------------------------------- score


def score_numbers(book: Book) -> list[nodes.Node]:
    """Return every table of numbers that the score looks up, row by row."""
    score = book.game.score
    if score is None:
        return []
    used: dict[str, ir.Lookup] = {}
    for lookup in (each for line in score.lines for each in _looked_up(book.game, line.value)):
        used.setdefault(lookup.table, lookup)
    shown: list[nodes.Node] = []
    for name, lookup in used.items():
        constant = next((each for each in book.game.constants if each.name == name), None)
        if constant is None or constant.source in ("ruling", "option", "graph") or len(constant.index) > 1:
            continue
        if not constant.index:
            shown.append(
                node_builders.para(f"{words.sentence(words.words(name)).rstrip('.')}: {_number(constant, 0)}.")
            )
            continue
        index = constant.index[0]
        rows = [
            ([words.label(show_value(index, index.lo + at))], [_number(constant, at)])
            for at in range(len(constant.values))
        ]
        head = (_row_title(book.game, score, lookup), words.sentence(words.words(name)).rstrip("."))
        shown.append(node_builders.table(head, rows, (50, 50), "rules-numbers"))
    return [node_builders.heading("The numbers"), *shown] if shown else []


def _row_title(game: ir.Game, score: ir.ScoreSheet, lookup: ir.Lookup) -> str:
    """Return what the rows of a table are: "Site"; of numbers, what is counted: "Your piety"."""
    (row,) = lookup.index
    kind = noun(row.type)
    if kind == "number" and not isinstance(row, ir.Bound):
        kind = say_expr(row, Voice.from_game(game).to(ir.Bound(score.player, game.player), frozenset()))
    return words.sentence(kind).rstrip(".")


def _number(constant: ir.Constant, at: int) -> str:
    return words.label(show_value(constant.type, constant.values[at]))


def _looked_up(game: ir.Game, expr: ir.Expr) -> Iterator[ir.Lookup]:
    """Yield the tables that an expression looks at, through definitions too."""
    defs = {definition.name: definition for definition in game.defs}
    seen: set[str] = set()
    stack = [expr]
    while stack:
        for part in walk.subexpressions(stack.pop()):
            if isinstance(part, ir.Lookup):
                yield part
            elif isinstance(part, ir.Call) and part.definition not in seen:
                seen.add(part.definition)
                stack.append(defs[part.definition].body)


def worked_score(book: Book) -> list[nodes.Node]:
    """Return the score of a recorded game that was played to its end, line by line and player by player."""
    final = _final_state(book)
    if final is None or book.game.score is None:
        return []
    scores = final.scores()
    players = list(scores)
    rows: list[Sequence[Sequence[node_builders.Inline]]] = [
        ([line.label], *([str(scores[player].parts[line.label])] for player in players))
        for line in book.game.score.lines
    ]
    rows.append((["Together"], *([node_builders.strong(str(scores[player].total))] for player in players)))
    winners = final.winners()
    won = words.sentence(f"{words.join(winners)} {'win' if len(winners) > 1 else 'wins'}") if winners else ""
    widths = (40, *(60 // len(players) for _ in players))
    return [
        node_builders.heading("A final score, worked through"),
        node_builders.para("The end of a recorded game, as the engine counted it. ", won),
        node_builders.table(("Points for", *players), rows, widths, "rules-final"),
    ]


def _final_state(book: Book) -> State | None:
    for play in book.samples.plays:
        try:
            state = book.playable.start(play.seed).play(*play.moves)
        except RulesGameError:
            continue
        if state.over:
            return state
    return None


# --------------------------------------------------------------------------------------------------- the course of it


def round_card(book: Book) -> list[nodes.Node]:
    """Return the course of the game on one sheet: in each stage who decides and what may be done, each in a sentence."""
    told: set[str] = set()
    shown: list[nodes.Node] = []
    for base, stages in _stages_by_name(book.game).items():
        codes = {stage.code for stage in stages}
        rules = [
            action
            for action in book.game.actions
            if action.kind == "action" and codes & set(action.stages) and action.name not in told
        ]
        told |= {action.name for action in rules}
        if rules:
            title = words.sentence(f"{_stage_words(book.game, base)}{_decider(book, stages[0])}").rstrip(".")
            shown.append(node_builders.para(node_builders.strong(title), css="rules-part"))
            shown.append(node_builders.bullets((_on_card(book, action) for action in rules), "rules-card-lines"))
    others = [action.name for action in book.game.actions if action.kind != "action"]
    if others and shown:
        lead = node_builders.strong("By itself or by chance: ")
        shown.append(node_builders.para(lead, *node_builders.refs("rule", book.name, others), css="rules-part"))
    return [node_builders.box("rules-card", *shown)] if shown else []


def _stage_words(game: ir.Game, name: str) -> str:
    """Return what a stage is called: as a term says that stands in braces, or by its name."""
    said = templates_of(game).get(name, "")
    return said[1:-1] if said.startswith("{") and said.endswith("}") else words.label(name)


def _decider(book: Book, stage: ir.Stage) -> str:
    """Return who decides in a stage, as far as it can be said in a few words."""
    if stage.by is None:
        return ""
    if isinstance(stage.by, ir.Pick):
        return ": one player after the other"
    said = say_expr(stage.by, Voice.from_game(book.game))
    return f": {said}" if len(said.split()) <= MOST_WORDS else ""


def _stages_by_name(game: ir.Game) -> dict[str, list[ir.Stage]]:
    found: dict[str, list[ir.Stage]] = {}
    for stage in game.stages:
        found.setdefault(stage.name.partition("(")[0], []).append(stage)
    return found


def _on_card(book: Book, action: ir.Action) -> list[node_builders.Inline]:
    told = sentences(action)
    said = sentence_text(told[0]) if told else " ".join(action.note.doc.split())
    link = node_builders.xref("rule", book.name, action.name, action_title(action))
    return [link, f": {words.sentence(said)}" if said else ""]


def first_turn(book: Book) -> list[nodes.Node]:
    """Return the beginning of a recorded game, step by step, until each player has moved and it is the first one's turn again."""
    trace = recorded_trace(book)
    if trace is None:
        return []
    items: list[list[node_builders.Inline]] = []
    deciding: list[str] = []
    for before, step, after in trace:
        name = action_name(str(step.move))
        action = book.action(name)
        who = before.to_move if before.to_move in book.playable.players else ""
        if who and (not deciding or deciding[-1] != who):
            if len(items) >= MOST_STEPS or (len(set(deciding)) > 1 and who == deciding[0]):
                break
            deciding.append(who)
        if action is None or len(items) >= MOST_STEPS:
            break
        items.append(_told(book, action, who, before, str(step.move), after))
    return [nodes.enumerated_list("", *_items(items), classes=["rules-first-turn"])] if items else []


def _told(
    book: Book, action: ir.Action, who: str, before: State, move: str, after: State
) -> list[node_builders.Inline]:
    codes = book.playable.runner.book.codes(move)
    said = say_move(action, codes[1])
    lead = f"{words.sentence(who).rstrip('.')}: " if who else ""
    told = " ".join(changes_in_words(book.game, before, after))
    link = node_builders.xref("rule", book.name, action.name, said)
    return [lead, link, ". ", node_builders.inline("rules-facts", told)]


def _items(items: Iterable[Sequence[node_builders.Inline]]) -> Iterator[nodes.Node]:
    return (nodes.list_item("", node_builders.para(*item)) for item in items)
