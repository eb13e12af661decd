"""Playable: a game as one page that plays it: no server, no network; the rules run in the page as WebAssembly.

Reads:  a game.   Writes: HTML, or the files of which several pages make the same.
After:  the page plays by the same module as the library: legal moves, refusals with their clauses, undo, players that look ahead. It shows what
        the person who looks may see, and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from importlib import resources

from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.figures.markup import element
from pilgrim_rules.figures.palette import style
from pilgrim_rules.play_pages.describe import description
from pilgrim_rules.play_pages.drawn_figures import figure_colours
from pilgrim_rules.play_pages.positions import Position, example_positions

#: Nothing is fetched from anywhere, and a browser holds the page to it.
_ALONE = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:"
_IN_WORKER = ("rules.js", "worlds.js", "worker.js")
_IN_PAGE = ("rules.js", "worlds.js", "board.js", "tables.js", "playable.js")


def page(rules: Rules) -> str:
    """Return the game as a page; `Unprintable` if it cannot be written as WebAssembly."""
    head = "".join((
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_ALONE}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        element("title", f"{escape(rules.title)}: play"),
        element("style", "body{margin:0 auto;padding:.5rem 1rem;max-width:90rem;color-scheme:light dark;"
                         "font:15px/1.45 system-ui,sans-serif}h1{font-size:1.3rem;margin:.2rem 0}"),
    ))  # fmt: skip
    body = "".join((
        element("h1", escape(rules.title)),
        place(rules.name, rules.title),
        element("script", code()),
        element("script", data(rules, example_positions(rules))),
    ))  # fmt: skip
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def place(name: str, title: str, *, at: str = "", called: str = "", lazy: bool = False) -> str:
    """Return the place in a page where the board is to be; `lazy`: it is made when the reader asks for it.

    at      a position to open, as `positions` writes them
    called  what the board says of it
    """
    return element(
        "section",
        element("noscript", element("p", "The board needs JavaScript. Everything else on this page does not.")),
        class_="pr-play",
        data_game=name,
        data_at=at or None,
        data_called=called or None,
        data_lazy="lazy" if lazy else None,
        aria_label=f"{title}, to play",
    )


def code() -> str:
    """Return the script of the board, with its style sheet: the same for all games."""
    worker = json.dumps("".join(map(_resource, _IN_WORKER)))
    sheet = json.dumps(_resource("playable.css"))
    return _in_script(
        f"(() => {{\nconst WORKER = {worker};\nconst SHEET = {sheet};\n{''.join(map(_resource, _IN_PAGE))}}})();\n"
    )


def data(rules: Rules, positions: Iterable[Position] = ()) -> str:
    """Return the script that brings a game to the board; `Unprintable` if it cannot be written as WebAssembly."""
    about = description(rules, positions) | {"style": style(figure_colours(rules))}
    return _in_script(f"PilgrimPlay.add({json.dumps(about, ensure_ascii=False, separators=(',', ':'))});\n")


def _in_script(text: str) -> str:
    """Return a script that cannot end the element it stands in."""
    return text.replace("</", "<\\/").replace("<!--", "<\\!--")


def _resource(name: str) -> str:
    return resources.files("pilgrim_rules.play_pages").joinpath(name).read_text("utf-8")
