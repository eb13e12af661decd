"""Viewer: a play as one page that needs nothing else: no server, no network, and to be read no script either.

Reads:  a trace, and the claim it is about.   Writes: HTML.
After:  every step is on the page with its pictures, what it changed, and whether the claim holds after it; the same trace
        gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib import resources
from typing import assert_never

from pilgrim_rules.api.game import State
from pilgrim_rules.api.trace import Trace
from pilgrim_rules.core.ir import Claim
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.figures.layer_items import undrawn_variables
from pilgrim_rules.figures.markup import element
from pilgrim_rules.figures.sprite_sheet import SpriteSheet
from pilgrim_rules.figures.variable_tables import ValueCell, VariableTable, variable_tables
from pilgrim_rules.semantics import python_values
from pilgrim_rules.semantics.step import Step

#: Nothing is fetched from anywhere, and a browser holds the page to it.
_ALONE = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def page(trace: Trace, *, claim: str | None = None, says: str = "") -> str:
    """Return the play as a page.

    claim  the name of a claim that the play is about; the page says after which steps it is false
    says   what there is to say about the play, in a sentence

    KeyError if the game has no such claim.
    """
    game = trace.game
    about = None if claim is None else game.declared.claims[claim]
    sprites = SpriteSheet()
    broken = [] if about is None else _broken(about, trace)
    steps = "".join(_steps(trace, broken, sprites))
    many = f"{len(game.players)} player{'s' if len(game.players) != 1 else ''}"
    seed = "" if trace.seed is None else f" · seed {trace.seed}"
    body = "".join((
        element("h1", escape(game.title)),
        element("p", f"{many} · {len(trace)} steps{seed} · rules {game.fingerprint[:12]}", class_="meta"),
        _claim(about, says, broken),
        sprites.store(),
        element("div", element("ol", " ", class_="moves"), element("div", _BAR, steps), class_="play"),
        element("script", _resource("viewer.js")),
    ))  # fmt: skip
    head = "".join((
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_ALONE}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        element("title", f"{escape(game.title)}: a play of {len(trace)} steps"),
        element("style", sprites.style(), _resource("viewer.css")),
    ))  # fmt: skip
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


_BAR = element(
    "div",
    *(element("button", sign, type="button", title=says) for sign, says in (("⇤", "first (Home)"), ("←", "back (←)"), ("→", "next (→)"), ("⇥", "last (End)"))),
    element("input", type="range", min="0", value="0", aria_label="step"),
    element("output", "0", aria_live="polite"),
    class_="bar",
)  # fmt: skip


def _resource(name: str) -> str:
    return resources.files("pilgrim_rules.play_pages").joinpath(name).read_text("utf-8")


def _claim(claim: Claim | None, says: str, broken: list[int]) -> str:
    said = element("p", escape(says)) if says else ""
    if claim is None:
        return said
    cites = f" ({', '.join(claim.note.clauses)})" if claim.note.clauses else ""
    where = "it holds after every step" if claim.kind != "reachable" else ""
    if broken:
        where = f"it is false after step{'s' if len(broken) > 1 else ''} {', '.join(map(str, broken))}"
    lines = [
        element(
            "p", f"{claim.kind} ", element("code", escape(claim.name)), escape(cites), f": {where}" if where else ""
        ),
        said,
        element("p", escape(claim.note.doc)) if claim.note.doc else "",
        element("p", element("code", escape(show(claim.formula)))),
    ]
    return element("section", *lines, class_="claim fails" if broken else "claim", aria_label="the claim")


# ---------------------------------------------------------------------------------------------------------------- steps


def _steps(trace: Trace, broken: list[int], sprites: SpriteSheet) -> Iterator[str]:
    before: State | None = None
    happened: list[Step | None] = [None, *trace.steps]
    for number, (step, state) in enumerate(zip(happened, trace.states, strict=True)):
        said = (
            "Start"
            if step is None
            else f"{element('span', escape(step.by), class_='who')} {element('code', escape(str(step.move)))}"
        )
        summary = element("summary", element("span", str(number), class_="n"), " ", said)
        boards = element("div", *_boards(sprites, state, before, number), class_="boards")
        facts = element("div", _changes(before, state), *_tables(before, state), class_="said")
        yield element(
            "details",
            summary,
            element("div", boards, facts, class_="body"),
            id=f"step-{number}",
            class_="step broken" if number in broken else "step",
        )
        before = state


def _boards(sprites: SpriteSheet, state: State, before: State | None, number: int) -> Iterator[str]:
    """Yield the figures of a state; what has changed since the state before is marked."""
    for figure in state.game.core.figures:
        svg = sprites.picture(state, figure, f"{figure.title}, step {number}", since=before or state)
        yield element("figure", element("figcaption", escape(figure.title)), svg)


def _broken(claim: Claim, trace: Trace) -> list[int]:
    """Return the steps after which a claim is false; of a step claim, those that break it."""
    holds = trace.game.code.holds
    match claim.kind:
        case "reachable" | "contract":  # a step that breaks a contract cannot be made, and the play ends with it
            return []
        case "step":
            return [
                at for at, (before, _, after) in enumerate(trace, 1) if not holds(claim.name, before.data, after.data)
            ]
        case "law" | "invariant" | "conserved" | "audit":
            return [at for at, state in enumerate(trace.states) if not holds(claim.name, state.data)]
        case _:
            assert_never(claim.kind)


def _changes(before: State | None, state: State) -> str:
    if before is None:
        return ""
    items = [
        element(
            "li",
            element("code", escape(cell)),
            f" {escape(python_values.text(old))} → ",
            element("b", escape(python_values.text(new))),
        )
        for cell, (old, new) in before.diff(state).items()
    ]
    return element("h3", "Changed") + (element("ul", *items, class_="changes") if items else element("p", "nothing"))


def _tables(before: State | None, state: State) -> Iterator[str]:
    game = state.game
    for table in variable_tables(state, before, undrawn_variables(game)):
        if table.rows:
            heads = ("", *game.players) if table.players else None
            yield element("h3", table.title) + element("div", _table(table, heads), class_="scroll")


def _table(table: VariableTable, heads: tuple[str, ...] | None) -> str:
    head = ""
    if heads is not None:
        head = element("thead", element("tr", *(element("th", escape(each) or " ", scope="col") for each in heads)))
    rows = (element("tr", element("th", escape(label), scope="row"), *map(_cell, cells)) for label, cells in table.rows)
    return element("table", head, element("tbody", *rows))


def _cell(cell: ValueCell) -> str:
    return element("td", escape(cell.words), class_="changed" if cell.changed else None)
