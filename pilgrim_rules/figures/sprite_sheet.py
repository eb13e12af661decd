"""SpriteSheet: many pictures on one page. What two of them share is on the page once, and each refers to it.

Reads:  states and the figures to draw of them.   Writes: small SVG elements, and one store of all their parts.
After:  every part that a picture refers to is in the store; the same pictures in the same order give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from pilgrim_rules.core.ir import Figure
from pilgrim_rules.engine.rules import Rules, StateLike
from pilgrim_rules.figures.board import changing_layers, fixed_svg, shape_of
from pilgrim_rules.figures.draw import changed_nodes
from pilgrim_rules.figures.layer_items import PictureItem, changing_items, fixed_items, palette
from pilgrim_rules.figures.legend import legend, legend_entries
from pilgrim_rules.figures.markup import Block, element, group
from pilgrim_rules.figures.move_places import MovePlaces
from pilgrim_rules.figures.palette import style


class SpriteSheet:
    """The pictures of one page; `prefix` begins the ids of their parts."""

    def __init__(self, prefix: str = "part") -> None:
        self._prefix = prefix
        self._colours: set[str] = set()
        self._kept: dict[str, str] = {}  #: the id of each part, by its markup
        self._floors: dict[tuple[Rules, str], str] = {}

    def picture(
        self,
        state: StateLike,
        figure: Figure,
        label: str,
        *,
        since: StateLike | None = None,
        found: MovePlaces | None = None,
        described: str = "",
    ) -> str:
        """Return one figure of a state.

        label      what the picture shows, for those who do not see it; `described` tells it at length
        since      an earlier state: what has changed since is marked
        found      places to outline and to cross out
        """
        places = found or MovePlaces()
        below, lying = fixed_items(state.game, figure.name), changing_items(state, figure.name)
        changed = frozenset() if since is None else changed_nodes(lying, changing_items(since, figure.name))
        self.uses(state.game, (*below, *lying))
        parts = [
            self.floor(state.game, figure, below),
            *(
                self.keep(group(layer, class_="pieces"))
                for layer in changing_layers(figure, below, lying, places, changed, labels=True)
                if layer
            ),
        ]
        shape = shape_of(figure, labels=True)
        explained = self._legend(state.game, figure, below, places, shape.width, changed=since is not None)
        parts.append(self.keep(group(explained.markup, at=(6, shape.height))))
        width, height = max(shape.width, explained.width), shape.height + explained.height
        told = (element("title", escape(label)), element("desc", escape(described))) if described else ()
        return element(
            "svg",
            *told,
            *(element("use", href=f"#{name}") for name in parts if name),
            class_="pr-figure",
            role="img",
            aria_label=None if described else label,
            viewBox=f"0 0 {width:.0f} {height:.0f}",
            width=f"{width:.0f}",
            height=f"{height:.0f}",
        )

    def uses(self, game: Rules, items: Iterable[PictureItem]) -> None:
        """Note the colours of items and of the players."""
        self._colours |= {item.tint.colour for item in items if item.tint is not None}
        self._colours |= {tint.colour for tint in palette(game).seats}

    def store(self) -> str:
        """Return all parts, to stand on the page once; empty if there is no picture."""
        parts = self.parts()
        return (
            element("div", element("svg", element("defs", *parts.values())), class_="store", aria_hidden="true")
            if parts
            else ""
        )

    def parts(self) -> dict[str, str]:
        """Return the parts by their ids."""
        # A part that is referred to is styled by what stands inside it, not by what stands around the reference.
        return {name: element("g", part, id=name, class_="pr-figure") for part, name in self._kept.items()}

    def style(self) -> str:
        """Return the style sheet of all pictures."""
        return style(self._colours)

    def floor(self, game: Rules, figure: Figure, below: Iterable[PictureItem]) -> str:
        """Return the id of what is in each picture of a figure."""
        if (game, figure.name) not in self._floors:
            self._floors[game, figure.name] = self.keep(fixed_svg(figure, tuple(below), labels=True))
        return self._floors[game, figure.name]

    @staticmethod
    def _legend(
        game: Rules, figure: Figure, below: Iterable[PictureItem], places: MovePlaces, width: float, *, changed: bool
    ) -> Block:
        return legend(legend_entries(figure, below, places, palette(game).seats, changed=changed), max(width, 240))

    def keep(self, part: str) -> str:
        """Put a part into the store and return its id; empty for a part with nothing in it."""
        return self._kept.setdefault(part, f"{self._prefix}-{len(self._kept)}") if part else ""
