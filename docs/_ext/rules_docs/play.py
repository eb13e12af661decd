"""A recorded game on a page: to be stepped through where scripts run, to be read where they do not.

Reads:  a book with samples.   Writes: nodes.
After:  the position at the beginning and every move are on the page without a script; `player.js` shows the rest.
"""

from __future__ import annotations

import json
from html import escape

from docutils import nodes

from pilgrim_rules.engine.errors import RulesGameError
from pilgrim_rules.engine.trace import Trace
from pilgrim_rules.figures.album import Album
from pilgrim_rules.figures.markup import element
from pilgrim_rules.figures.reel import Reel, reel
from pilgrim_rules.prose import words
from rules_docs import build
from rules_docs.shelf import Book

__all__ = ["recorded", "shown"]

_BUTTONS = (
    ("first", "⇤", "first (Home)"),
    ("back", "←", "back (←)"),
    ("next", "→", "next (→)"),
    ("last", "⇥", "last (End)"),
)


def recorded(book: Book) -> Trace | None:
    """Return the recorded game, as far as the rules of today allow it; None if there is none."""
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


def shown(book: Book, album: Album) -> list[nodes.Node]:
    """Return the recorded game; nothing if there is none."""
    trace = recorded(book)
    if trace is None:
        return []
    ended = "to its end" if trace.states[-1].over else "as far as it was recorded"
    winners = trace.states[-1].winners()
    won = f" {words.sentence(words.join(winners) + ' won')}" if winners else ""
    many = f"{len(book.playable.players)} player{'s' if len(book.playable.players) > 1 else ''}"
    said = build.para(
        f"A game of {many}, {ended}, in {len(trace)} steps. A program chose the moves: of some at random, those that "
        f"added most to the table and to the score.{won} The arrow keys step through it after a click on a picture."
    )
    return [said, nodes.raw("", _player(reel(trace, album), trace), format="html")]


def _player(found: Reel, trace: Trace) -> str:
    buttons = "".join(
        element("button", sign, type="button", title=says, aria_label=says, data_go=name)
        for name, sign, says in _BUTTONS
    )
    slider = element("input", type="range", min=0, max=len(trace), value=0, aria_label="step")
    bar = element("div", buttons, slider, element("output", "0"), class_="rules-play-bar", hidden="hidden")
    moves = "".join(
        element("li", element("b", escape(step.by)), " ", element("code", escape(str(step.move))))
        for step in trace.steps
    )
    data = {"marks": found.marks, "steps": [[frame["draw"], frame["said"]] for frame in found.frames]}
    return element(
        "div",
        bar,
        element("p", "The beginning.", class_="rules-play-now", aria_live="polite"),
        element("div", found.first, class_="rules-play-boards"),
        element("ul", " ", class_="rules-play-said"),
        element("details", element("summary", f"All {len(trace)} steps"), element("ol", moves), class_="rules-details"),
        element("script", _inert(data), type="application/json"),
        class_="rules-play",
        tabindex=0,
        role="region",
        aria_label="A recorded game",
    )


def _inert(data: object) -> str:
    """Return data as JSON that cannot end the element it stands in."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
