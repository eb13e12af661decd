"""Viewer: a play as one page that needs nothing else: no server, no network, and to be read no script either.

Reads:  a trace, and the claim it is about.   Writes: HTML.
After:  every step is on the page with its pictures, what it changed, and whether the claim holds after it; the same trace
        gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from importlib import resources
from typing import assert_never

from pilgrim_rules.core.ir import Claim, Figure
from pilgrim_rules.core.show_expr import show
from pilgrim_rules.engine import plain
from pilgrim_rules.engine.state import State
from pilgrim_rules.engine.step import Step
from pilgrim_rules.engine.trace import Trace
from pilgrim_rules.figures.board import floor, shape_of, upon
from pilgrim_rules.figures.draw import changed_nodes
from pilgrim_rules.figures.items import Item, ground, palette, pieces, undrawn
from pilgrim_rules.figures.legend import entries, legend
from pilgrim_rules.figures.markup import element, group
from pilgrim_rules.figures.palette import style
from pilgrim_rules.figures.places import Places
from pilgrim_rules.figures.tables import Cell, Table, tables

#: Nothing is fetched from anywhere, and a browser holds the page to it.
_ALONE = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def page(trace: Trace, *, claim: str | None = None, says: str = "") -> str:
    """Return the play as a page.

    claim  the name of a claim that the play is about; the page says after which steps it is false
    says   what there is to say about the play, in a sentence

    KeyError if the game has no such claim.
    """
    game = trace.game
    about = None if claim is None else game.world.claims[claim]
    pictures = _Pictures({tint.colour for tint in palette(game).seats})
    broken = [] if about is None else _broken(about, trace)
    steps = "".join(_steps(trace, broken, pictures))
    many = f"{len(game.players)} player{'s' if len(game.players) != 1 else ''}"
    seed = "" if trace.seed is None else f" · seed {trace.seed}"
    body = "".join((
        element("h1", escape(game.title)),
        element("p", f"{many} · {len(trace)} steps{seed} · rules {game.fingerprint[:12]}", class_="meta"),
        _claim(about, says, broken),
        pictures.store(),
        element("div", element("ol", " ", class_="moves"), element("div", _BAR, steps), class_="play"),
        element("script", _resource("viewer.js")),
    ))  # fmt: skip
    head = "".join((
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_ALONE}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        element("title", f"{escape(game.title)}: a play of {len(trace)} steps"),
        element("style", style(pictures.colours), _resource("viewer.css")),
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
    return resources.files("pilgrim_rules.figures").joinpath(name).read_text("utf-8")


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


def _steps(trace: Trace, broken: list[int], pictures: _Pictures) -> Iterator[str]:
    before: State | None = None
    happened: list[Step | None] = [None, *trace.steps]
    for number, (step, state) in enumerate(zip(happened, trace.states, strict=True)):
        said = (
            "Start"
            if step is None
            else f"{element('span', escape(step.by), class_='who')} {element('code', escape(str(step.move)))}"
        )
        summary = element("summary", element("span", str(number), class_="n"), " ", said)
        boards = element("div", *pictures.of(state, before, number), class_="boards")
        facts = element("div", _changes(before, state), *_tables(before, state), class_="said")
        yield element(
            "details",
            summary,
            element("div", boards, facts, class_="body"),
            id=f"step-{number}",
            class_="step broken" if number in broken else "step",
        )
        before = state


def _broken(claim: Claim, trace: Trace) -> list[int]:
    """Return the steps after which a claim is false; of a step claim, those that break it."""
    holds = trace.game.code.holds
    match claim.kind:
        case "reachable":
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
            "li", element("code", escape(cell)), f" {escape(plain.text(old))} → ", element("b", escape(plain.text(new)))
        )
        for cell, (old, new) in before.diff(state).items()
    ]
    return element("h3", "Changed") + (element("ul", *items, class_="changes") if items else element("p", "nothing"))


def _tables(before: State | None, state: State) -> Iterator[str]:
    game = state.game
    for table in tables(state, before, undrawn(game), game.core.player):
        if table.rows:
            heads = ("", *game.players) if table.players else None
            yield element("h3", table.title) + element("div", _table(table, heads), class_="scroll")


def _table(table: Table, heads: tuple[str, ...] | None) -> str:
    head = ""
    if heads is not None:
        head = element("thead", element("tr", *(element("th", escape(each) or " ", scope="col") for each in heads)))
    rows = (element("tr", element("th", escape(label), scope="row"), *map(_cell, cells)) for label, cells in table.rows)
    return element("table", head, element("tbody", *rows))


def _cell(cell: Cell) -> str:
    return element("td", escape(cell.words), class_="changed" if cell.changed else None)


# ------------------------------------------------------------------------------------------------------------- pictures


@dataclass(slots=True)
class _Pictures:
    """The pictures of a play. What two of them share is on the page once, and each refers to it."""

    colours: set[str]
    kept: dict[str, str] = field(default_factory=dict)  #: the id of each part, by its markup
    grounds: dict[str, tuple[str, str, float, float]] = field(
        default_factory=dict
    )  #: by figure: two parts and their room
    drawn: dict[tuple[str, tuple[Item, ...], frozenset[int]], str] = field(default_factory=dict)

    def of(self, state: State, before: State | None, number: int) -> Iterator[str]:
        """Yield the figures of a state; what has changed since the state before is marked."""
        for figure in state.game.core.figures:
            below, lying = ground(state.game, figure.name), pieces(state, figure.name)
            self.colours |= {item.tint.colour for item in (*below, *lying) if item.tint is not None}
            changed = frozenset() if before is None else changed_nodes(lying, pieces(before, figure.name))
            key = (figure.name, lying, changed)
            if key not in self.drawn:
                self.drawn[key] = self._keep(upon(figure, below, lying, Places(), changed, labels=True))
            floor_, legend_, width, height = self._ground(state, figure, below)
            used = [element("use", href=f"#{name}") for name in (floor_, self.drawn[key], legend_) if name]
            label = f"{figure.title}, step {number}"
            size = {"viewBox": f"0 0 {width:.0f} {height:.0f}", "width": f"{width:.0f}", "height": f"{height:.0f}"}
            svg = element("svg", *used, class_="pr-figure", role="img", aria_label=label, **size)
            yield element("figure", element("figcaption", escape(figure.title)), svg)

    def _ground(self, state: State, figure: Figure, below: tuple[Item, ...]) -> tuple[str, str, float, float]:
        """Return the parts of a figure that are in each of its pictures, and the room of the whole."""
        if figure.name not in self.grounds:
            shape = shape_of(figure, labels=True)
            explained = legend(entries(figure, below, Places(), palette(state.game).seats, changed=True), shape.width)
            self.grounds[figure.name] = (
                self._keep(floor(figure, below, labels=True)),
                self._keep(group(explained.markup, at=(6, shape.height))),
                max(shape.width, explained.width),
                shape.height + explained.height,
            )
        return self.grounds[figure.name]

    def _keep(self, part: str) -> str:
        return self.kept.setdefault(part, f"part-{len(self.kept)}") if part else ""

    def store(self) -> str:
        """Return all parts, to stand on the page once."""
        # A part that is referred to is styled by what stands inside it, not by what stands around the reference.
        parts = [element("g", part, id=name, class_="pr-figure") for part, name in self.kept.items()]
        inside = element("svg", element("defs", *parts)) if parts else ""
        return element("div", inside, class_="store", aria_hidden="true") if parts else ""
