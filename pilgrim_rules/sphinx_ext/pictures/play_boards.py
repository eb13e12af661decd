"""Boards: games that are played in their pages, each brought by a file that is loaded when the reader opens a board.

Reads:  books.   Writes: a place in the page; data of the game beside the doctrees; scripts beside the pages, once all links are known.
After:  a page grows by a few hundred bytes for a board. What a board says of rules and clauses links to where the pages show them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from pilgrim_rules.api.game import State
from pilgrim_rules.core import ir
from pilgrim_rules.engine.rules import Rules
from pilgrim_rules.engine.wasm.types import Unprintable
from pilgrim_rules.play_pages import playable
from pilgrim_rules.play_pages.positions import Position, cells_text
from pilgrim_rules.prose import words
from pilgrim_rules.prose.moves import action_title
from pilgrim_rules.semantics.errors import RulesGameError
from pilgrim_rules.sphinx_ext.model.books import Book
from pilgrim_rules.sphinx_ext.model.run_examples import reading, replayed
from pilgrim_rules.sphinx_ext.model.samples import position
from pilgrim_rules.sphinx_ext.objects.domain import RulesDomain
from pilgrim_rules.util import atomic_write
from pilgrim_rules.util.code_hash import code_hash
from pilgrim_rules.util.identity_cache import cache_by_identity

__all__ = ["BoardPlace", "board", "board_in", "place_boards", "write_boards"]

_KEPT = "boards"  #: folder beside the doctrees
_SHIPPED = "play"  #: folder among the static files
_LINKED = ("rule", "clause")


class BoardPlace(nodes.Element):
    """A place for a board of a game, open at the start or in a position; it vanishes if the game has no board in these pages."""


def board_in(state: State, title: str) -> nodes.Node:
    """Return a place for a board that opens in a state."""
    rules = _without_ghosts(state.game.core)
    return BoardPlace(
        game=rules.name, title=rules.title, at=cells_text(rules, state.game.layout.decode(state.data)), called=title
    )


def board(env: BuildEnvironment, book: Book) -> nodes.Node | None:
    """Return a place for the board of a game, which from then on has one; None if it cannot be played in a page."""
    kept = Path(env.doctreedir, _KEPT, f"{book.name}.json")
    key = _key(book)
    known = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    if known.get("key") != key:
        try:
            known = {"key": key, "data": playable.data(book.without_ghosts, _positions(book))}
        except (ModuleNotFoundError, Unprintable) as problem:
            known = {"key": key, "data": "", "problem": str(problem)}
        kept.parent.mkdir(parents=True, exist_ok=True)
        atomic_write.write(kept, json.dumps(known))
    return BoardPlace(game=book.name, title=book.game.title, at="", called="") if known["data"] else None


def place_boards(app: Sphinx, doctree: nodes.document, _docname: str) -> None:
    """Put the markup of boards where their places are."""
    for place in list(doctree.findall(BoardPlace)):
        if app.builder.format == "html" and _has_board(app, place["game"]):
            markup = playable.place(place["game"], place["title"], at=place["at"], called=place["called"], lazy=True)
            place.replace_self(nodes.raw("", markup, format="html"))
        else:
            place.parent.remove(place)


def _has_board(app: Sphinx, game: str) -> bool:
    kept = Path(app.doctreedir, _KEPT, f"{game}.json")
    return kept.exists() and _brings_data(str(kept), kept.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _brings_data(path: str, _changed: int) -> bool:
    return bool(json.loads(Path(path).read_text("utf-8"))["data"])


def _key(book: Book) -> str:
    digest = sha256(code_hash("pilgrim_rules").encode())
    for path in book.files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest() + str(book.game.players)


def write_boards(app: Sphinx, problem: Exception | None) -> None:
    """Write the scripts of all games that have a board, with the addresses of what they speak of."""
    if problem is not None or app.builder.format != "html":
        return
    domain = cast("RulesDomain", app.env.get_domain("rules"))
    folder = Path(app.outdir, "_static", _SHIPPED)
    for kept in sorted(Path(app.env.doctreedir, _KEPT).glob("*.json")):
        data = json.loads(kept.read_text("utf-8"))["data"]
        if data:
            links = json.dumps(_links(app, domain, kept.stem), separators=(",", ":"))
            folder.mkdir(parents=True, exist_ok=True)
            name = json.dumps(kept.stem)
            atomic_write.write(folder / f"{kept.stem}.js", f"PilgrimPlay.link({name}, {links});\n{data}")
    if folder.exists():
        atomic_write.write(folder / "board.js", playable.code())


def _links(app: Sphinx, domain: RulesDomain, game: str) -> dict[str, dict[str, str]]:
    """Return where the rules and clauses of a game are shown, as seen from the root of the pages."""
    found: dict[str, dict[str, str]] = {kind: {} for kind in _LINKED}
    for (kind, id_), shown in sorted(domain.objects.items()):
        name, _, own = id_.partition(".")
        if kind in _LINKED and name == game:
            found[kind][own] = f"{app.builder.get_target_uri(shown.docname)}#{shown.anchor}"
    return found


# ------------------------------------------------------------------------------------------------------------ positions


@cache_by_identity(8)
def _without_ghosts(game: ir.Game) -> Rules:
    return Rules(game)


def _text(book: Book, state: State) -> str:
    return cells_text(book.without_ghosts, state.game.layout.decode(state.data))


def _positions(book: Book) -> Iterator[Position]:
    """Yield what readers may open: examples, each rule just before it is used, and plays that show what a mistake in the rules would allow."""
    for example in book.game.examples:
        steps = [step for step in book.example_steps[example.name] if not isinstance(step.step, ir.Arrange)]
        first = steps[0].before if steps else None
        if first is not None and not reading(book.game, example):
            yield Position("examples", words.words(example.name), _text(book, first))
    for action in book.game.actions:
        place = book.samples.uses.get(action.name)
        state = None if place is None else position(book.playable, book.example_steps, book.samples, place)
        if state is not None and action.kind == "action":
            yield Position("a rule, before it is used", action_title(action), _text(book, state))
    for lesson in book.lessons:
        if lesson.play and lesson.players == book.game.players:
            with suppress(RulesGameError, ValueError):
                state = replayed(book.playable, lesson.example, lesson.play[:-1])
                yield Position("where a mistake in the rules would show", lesson.words, _text(book, state))
