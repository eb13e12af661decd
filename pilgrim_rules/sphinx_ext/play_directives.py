"""Directives that show games being played: recorded games, boards, pictures of positions.

Reads:  the page, the books.   Writes: nodes.
After:  what cannot be shown is a warning at its line.
"""

from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives as options

from pilgrim_rules.sphinx_ext.nodes import node_builders
from pilgrim_rules.sphinx_ext.objects.directive_base import RulesDirective
from pilgrim_rules.sphinx_ext.pictures import picture_nodes as pictures
from pilgrim_rules.sphinx_ext.pictures import play_boards, recorded_play

__all__ = ["FigureDirective", "PlayDirective", "PlayableDirective", "PlayableIfPossible"]


class PlayDirective(RulesDirective):
    """`.. rules:play::`: a recorded game to step through."""

    def run(self) -> list[nodes.Node]:
        """Show the game, if one was recorded."""
        book = self.current()
        return [] if book is None else recorded_play.play_block(book)


class PlayableDirective(RulesDirective):
    """`.. rules:playable::`: a board on which the game is played in the page; it is loaded when the reader opens it."""

    def run(self) -> list[nodes.Node]:
        """Show the place of the board."""
        book = self.current()
        if book is None:
            return []
        place = play_boards.board(self.env, book)
        return self.warn(f"{book.name} cannot be played in a page") if place is None else [place]


class PlayableIfPossible(RulesDirective):
    """The same for a whole game: nothing if it cannot be played in a page."""

    def run(self) -> list[nodes.Node]:
        """Show the place of the board, if the game can have one."""
        book = self.current()
        place = None if book is None else play_boards.board(self.env, book)
        return [] if place is None else [place]


class FigureDirective(RulesDirective):
    """`.. rules:figure:: map` with a move a line: the position after them, drawn; `:caption:` says what to look at."""

    optional_arguments = 1
    has_content = True
    option_spec: ClassVar = {
        "caption": options.unchanged_required,
        "seed": options.nonnegative_int,
        "rulings": options.unchanged,
        "options": options.unchanged,
        "outline": options.flag,
    }

    def run(self) -> list[nodes.Node]:
        """Show the picture."""
        book = self.current()
        if book is None:
            return []
        moves = [line.strip() for line in self.content if line.strip()]
        drawn = self.arguments[0] if self.arguments else None
        seed, outline = self.options.get("seed", 0), "outline" in self.options
        rulings, chosen = self.options.get("rulings", ""), self.options.get("options", "")
        try:
            state = pictures.position_after(book.found_at, book.game.players, rulings, seed, moves, chosen)
            shown = pictures.position_node(book.picture_folder, state, drawn, outline=outline)
        except pictures.FigureError as problem:
            return self.warn(f"the picture cannot be drawn: {problem}")
        said = self.options.get("caption", "")
        caption = node_builders.para(f"{said} {pictures.ASSUMED}".strip(), css="rules-caption")
        return [node_builders.box("rules-figure", shown, caption)]
