"""Legend: what the signs of a figure mean.

Reads:  the layers of a figure and what is in it.   Writes: entries, and a `Block` with all of them.
After:  every layer that has words in the rules is explained once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pilgrim_rules.core.ir import Figure
from pilgrim_rules.figures import shapes
from pilgrim_rules.figures.layer_items import PictureItem
from pilgrim_rules.figures.markup import Block, element, group, shortened, text, width_of
from pilgrim_rules.figures.move_places import MovePlaces
from pilgrim_rules.figures.palette import Tint

_MOST_REASONS = 6  #: why places are refused; of more, only the picture itself tells


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One line of a legend: a small drawing around its origin, and what it means."""

    drawn: str
    says: str


def legend_entries(
    figure: Figure, items: Iterable[PictureItem], found: MovePlaces, seats: Iterable[Tint], *, changed: bool
) -> list[LegendEntry]:
    """Return what a figure has to explain: players, areas, the layers with words, outlines."""
    made = [LegendEntry(shapes.mark("disc", 7, tint), tint.label) for tint in seats]
    known: set[str] = set()
    for item in items:
        tint = item.tint
        if item.kind == "area" and tint is not None and tint.seat is None and tint.label not in known:
            known.add(tint.label)
            swatch = element("rect", class_=f"area c-{tint.colour}", x=-9.0, y=-6.0, width=18.0, height=12.0, rx=2.0)
            made.append(LegendEntry(swatch, tint.label.replace("_", " ")))
    for layer in figure.layers:
        if layer.says and layer.says not in known:
            known.add(layer.says)
            made.append(LegendEntry(_sample(layer.kind, layer.shape, layer.text), layer.says))
    if found.legal:
        made.append(LegendEntry(element("rect", class_="legal", x=-8.0, y=-6.0, width=16.0, height=12.0), "legal"))
    reasons = dict.fromkeys(map(str, found.refused.values()))
    for why in reasons if len(reasons) <= _MOST_REASONS else [""] if reasons else []:
        cross = element("path", class_="refused", d="M-5-5L5 5M5-5L-5 5")
        made.append(LegendEntry(cross, ", ".join(filter(None, ("refused", why)))))
    if changed:
        made.append(LegendEntry(element("rect", class_="changed", x=-8.0, y=-6.0, width=16.0, height=12.0), "changed"))
    return made


def _sample(kind: str, shape: str, words: str) -> str:
    if kind == "edge":
        return element("path", class_="side", d="M-8 0H8")
    if kind == "path":
        return element("path", class_="band", d="M-7 0H7")
    if kind == "pieces":
        return element("circle", class_="seed", r=4.0)
    if kind == "mark" and shape:
        return shapes.mark(shape, 7, None)
    return text(words or "3", 0, 4, 12, "strong")


def legend(entries: Iterable[LegendEntry], width: float) -> Block:
    """Return the entries in lines."""
    made = []
    x, y, used = 0.0, 14.0, 0.0
    for entry in entries:
        says = shortened(entry.says, 11.0, width - 32)
        wide = 26 + width_of(says, 11.0)
        if x > 0 and x + wide > width:
            x, y = 0.0, y + 18
        made += [group(entry.drawn, at=(x + 10, y - 4)), text(says, x + 23, y, 11, "muted", None)]
        used = max(used, x + wide + 6)
        x += wide + 8
    return Block(group(*made, class_="legend"), used, y + 6 if made else 0)
