"""A recorded game on a page: to be stepped through where scripts run, to be read where they do not.

Reads:  a book with samples.   Writes: nodes, and a script with everything that only stepping through it needs.
After:  the position at the beginning and every move are on the page without a script; `player.js` loads the rest when
        the reader comes to see it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape

from docutils import nodes

from pilgrim_rules.api.trace import Trace
from pilgrim_rules.figures.markup import element
from pilgrim_rules.figures.sprite_sheet import SpriteSheet
from pilgrim_rules.play_pages.animation import Animation, animate, headlines
from pilgrim_rules.prose import words
from pilgrim_rules.semantics.errors import RulesGameError
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.nodes.picture_files import text_file
from pilgrim_rules.sphinx_ext.pictures.picture_nodes import ASSUMED

__all__ = ["play_block", "recorded_trace"]

_BUTTONS = (
    ("first", "⇤", "first (Home)"),
    ("back", "←", "back (←)"),
    ("next", "→", "next (→)"),
    ("event", "»", "to the next event: a round, a season, or points for somebody (E)"),
    ("last", "⇥", "last (End)"),
    ("run", "▶", "play by itself (space)"),
)
_PAUSE = 700  #: milliseconds that a step is shown while the game plays by itself
_MOST_LINES = 6  #: changes that are listed for a step; the pictures show them all


def recorded_trace(book: Book) -> Trace | None:
    """Return the recorded game, as far as the current rules allow it; None if there is none."""
    if not book.samples.plays:
        return None
    play = book.samples.plays[0]
    trace = Trace(book.playable.start(play.seed), seed=play.seed)
    for move in play.moves:
        try:
            trace.play(move)
        except RulesGameError:
            break
    return trace if trace.steps else None


def play_block(book: Book) -> list[nodes.Node]:
    """Return the recorded game; nothing if there is none."""
    trace = recorded_trace(book)
    if trace is None:
        return []
    ended = "to its end" if trace.states[-1].over else "as far as it was recorded"
    winners = trace.states[-1].winners()
    won = f" {words.sentence(words.join(winners) + ' won')}" if winners else ""
    many = f"{len(book.playable.players)} player{'s' if len(book.playable.players) > 1 else ''}"
    said = node_builders.para(
        f"A game of {many}, {ended}, in {len(trace)} steps. A program chose the moves: of some at random, those that "
        f"added most to the table and to the score.{won} The arrow keys step through it after a click on a picture."
    )
    sprites = SpriteSheet(f"{nodes.make_id(book.name)}-part")
    return [said, *_player(book, animate(trace, sprites), trace, sprites)]


def _player(book: Book, found: Animation, trace: Trace, sprites: SpriteSheet) -> list[nodes.Node]:
    buttons = "".join(
        element("button", sign, type="button", title=says, aria_label=says, data_go=name)
        for name, sign, says in _BUTTONS
    )
    slider = element("input", type="range", min=0, max=len(trace), value=0, aria_label="step")
    bar = element("div", buttons, slider, element("output", "0"), class_="rules-play-bar", hidden="hidden")
    used = _rules_used(found)
    lines = {line: at for at, line in enumerate(_all_lines(found))}
    parts = sprites.parts()
    first = {name: part for name, part in parts.items() if f'href="#{name}"' in found.first}
    data = {
        "parts": "".join(part for name, part in parts.items() if name not in first),
        "lines": list(lines),
        "marks": found.marks,
        "beginning": headlines(trace.states[0]),
        "pause": _PAUSE,
        "steps": [
            [
                frame["draw"],
                [lines[line] for line in frame["said"][:_MOST_LINES]],
                [lines[line] for line in frame["heads"]],
                int(event),
                used.index(frame["action"]),
            ]
            for frame, event in zip(found.frames, _events(found, trace), strict=True)
        ],
    }
    script = f"PilgrimRecorded({_json_for_script(data)});\n"
    file = text_file(book.picture_folder, script, "js")
    begin = (
        f"<style>{sprites.style()}</style>",
        element("div", element("svg", element("defs", *first.values()), aria_hidden="true"), class_="store"),
        f'<div class="rules-play" tabindex="0" role="region" aria-label="A recorded game" data-recorded="{file}">',
        bar,
        element("p", "The beginning.", class_="rules-play-now", aria_live="polite"),
        element("p", " ", class_="rules-play-heads"),
        # On a phone it scrolls, by keys too.
        element("div", found.first, class_="rules-play-boards", role="group", aria_label="Pictures", tabindex="0"),
        element("p", ASSUMED, class_="rules-caption") if book.game.figures else "",
        element("ul", " ", class_="rules-play-said"),
        f'<details class="rules-details"><summary>All {len(trace)} steps</summary>',
        _steps(found),
        "</details>",
    )
    return [_raw(*begin), _rule_links(book, found), _raw("</div>")]


def _raw(*markup: str) -> nodes.Node:
    return nodes.raw("", "".join(markup), format="html")


def _steps(found: Animation) -> str:
    """Return all moves in words."""
    items = (
        element("li", element("b", escape(frame["by"])), " ", element("span", escape(frame["words"])))
        for frame in found.frames
    )
    return element(
        "ol", *items, class_="rules-play-steps", tabindex="0", aria_label="All moves"
    )  # it scrolls, by keys too


def _all_lines(found: Animation) -> dict[str, None]:
    """Return what is said of any step, each line once: most are said again and again."""
    return dict.fromkeys(line for frame in found.frames for line in (*frame["said"][:_MOST_LINES], *frame["heads"]))


def _rules_used(found: Animation) -> list[str]:
    return list(dict.fromkeys(frame["action"] for frame in found.frames))


def _rule_links(book: Book, found: Animation) -> nodes.Node:
    """Return a link to each rule that is used, once; the script links the moves to them."""
    shown: list[node_builders.Inline] = ["Rules that it uses: "]
    for at, name in enumerate(_rules_used(found)):
        shown += [", " if at else "", node_builders.xref("rule", book.name, name)]
    return node_builders.para(*shown, ".", css="rules-play-rules")


def _events(found: Animation, trace: Trace) -> Iterator[bool]:
    """Yield of each step whether something has happened that one would look for: the game went on, or somebody has other points."""
    counted = trace.game.core.score is not None
    points = [[each.total for each in state.scores().values()] if counted else [] for state in trace.states]
    for at, frame in enumerate(found.frames):
        yield frame["event"] or points[at] != points[at + 1]


def _json_for_script(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
