"""Contents: what stands inside one node: labels, marks and pieces, arranged so that nothing covers anything else.

Reads:  the items of a node and the room it has.   Writes: SVG around the node's middle.
After:  everything lies inside the node, however much there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from pilgrim_rules.figures import shapes
from pilgrim_rules.figures.layer_items import PictureItem
from pilgrim_rules.figures.markup import group, text, width_of

_SMALLEST = 6.0  #: of letters
_WORDS = 10.0  #: and of words, where there is room
_SHORT = 3  #: this many characters are no word
_LINE = 1.08  #: height of a line, in sizes of its letters


def contents(items: Sequence[PictureItem], reach: float, room: tuple[float, float]) -> str:
    """Return the contents of a node; `room` is the upper and the lower bound, `reach` half its width."""
    lines = [line for item in items if item.kind == "label" for line in _wrapped(item.words)]
    tokens = [item for item in items if item.kind in ("mark", "pieces")]
    top, bottom = room
    height = bottom - top
    drawn = ""
    if lines:
        share = 0.42 if tokens else 0.96
        size = _size(lines, 1.7 * reach, share * height)
        block = size * _LINE * len(lines)
        start = top if tokens else top + (height - block) / 2
        drawn = "".join(
            text(line, 0, start + size * (0.86 + _LINE * at), size, "halo") for at, line in enumerate(lines)
        )
        top = start + block
    return drawn + _tokens(tokens, reach, top, bottom)


def _tokens(tokens: Sequence[PictureItem], reach: float, top: float, bottom: float) -> str:
    if not tokens:
        return ""
    columns = _columns(len(tokens), 2 * reach, bottom - top)
    rows = ceil(len(tokens) / columns)
    pitch = min(1.72 * reach / columns, (bottom - top) / rows)
    size = pitch * (0.42 if len(tokens) == 1 else 0.45)
    middle = (top + bottom) / 2
    drawn = []
    for at, item in enumerate(tokens):
        row, column = divmod(at, columns)
        wide = min(columns, len(tokens) - row * columns)
        place = ((column - (wide - 1) / 2) * pitch, middle + (row - (rows - 1) / 2) * pitch)
        drawn.append(group(_token(item, size), at=place))
    return "".join(drawn)


def _columns(count: int, width: float, height: float) -> int:
    """Return the number of columns in which this many tokens can be largest."""
    return max(range(1, count + 1), key=lambda columns: (min(width / columns, height / ceil(count / columns)), columns))


def _token(item: PictureItem, size: float) -> str:
    if item.kind == "pieces":
        if item.tint is None:
            return shapes.seeds(size, item.number, item.count)
        return shapes.piece(size, item.tint, item.count)
    if item.shape:
        return shapes.mark(item.shape, size, item.tint)
    colour = "" if item.tint is None else f" c-{item.tint.colour}"
    tall = min(1.6 * size, 2 * size * 1.6 * size / max(width_of(item.words, 1.6 * size), 1))
    return text(item.words, 0, 0.36 * tall, tall, f"strong halo{colour}")


def _wrapped(words: str) -> list[str]:
    """Return a label in lines: short words stay together."""
    lines: list[str] = []
    for word in words.split():
        if lines and len(lines[-1]) + len(word) < 9:  # noqa: PLR2004  (as long as the longest single words)
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _size(lines: Sequence[str], width: float, height: float) -> float:
    widest = max(width_of(line, 1) for line in lines)
    # A number may be large; words of one figure should look alike.
    most = height * 0.5 if max(map(len, lines)) <= _SHORT else _WORDS
    return max(min(width / widest, height / (_LINE * len(lines)), most), _SMALLEST)
