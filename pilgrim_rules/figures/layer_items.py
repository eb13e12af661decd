"""Items: what a figure shows of a state, as data; the drawing and the text are made of the same items.

Reads:  the layers of a figure, and a state.   Writes: `Item`s, layer by layer.
After:  nothing is asked of the rules again. What a layer shows is found once for the variables it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pilgrim_rules.core.footprint import reads
from pilgrim_rules.core.ir import Binder, Expr, Figure, Layer, LayerKind, Variable
from pilgrim_rules.core.rule_walk import layer_expressions
from pilgrim_rules.core.values import show
from pilgrim_rules.core.walk import conjuncts, free_names
from pilgrim_rules.engine.rules import Rules, StateLike
from pilgrim_rules.figures.palette import Palette, Tint
from pilgrim_rules.semantics.cells import HIDDEN
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.evaluate import evaluate, values_of
from pilgrim_rules.semantics.state_layout import Field, decode_field
from pilgrim_rules.semantics.visibility import HiddenCell, MaskedCells, Observer


@dataclass(frozen=True, slots=True)
class PictureItem:
    """One thing in a picture.

    node, sides  where it is, as numbers from 0
    number       how many pieces; None if that may not be seen
    words        of a label, or of a mark without a shape
    """

    kind: LayerKind
    node: int
    sides: tuple[int, ...] = ()
    shape: str = ""
    number: int | None = 0
    words: str = ""
    tint: Tint | None = None
    says: str = ""

    @property
    def count(self) -> str:
        """How many pieces, as it is written."""
        return HIDDEN if self.number is None else str(self.number)


class _Core:
    """A game as a key: games that play alike are equal, but their figures may differ."""

    __slots__ = ("game",)

    def __init__(self, game: Rules) -> None:
        self.game = game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Core) and self.game.core is other.game.core

    def __hash__(self) -> int:
        return id(self.game.core)


def figure_of(game: Rules, name: str) -> Figure:
    """Return a figure by its name; KeyError if the game has none of that name."""
    for figure in game.core.figures:
        if figure.name == name:
            return figure
    known = ", ".join(f"`{figure.name}`" for figure in game.core.figures) or "no figure"
    raise KeyError(f"the game has no figure `{name}`; it has {known}")


def palette(game: Rules) -> Palette:
    """Return the colours of a game."""
    return _palette(_Core(game))


def fixed_items(game: Rules, name: str) -> tuple[PictureItem, ...]:
    """Return the items of a figure that are the same in every state."""
    key = _Core(game)
    layers = range(len(figure_of(game, name).layers))
    return tuple(item for at in layers if not _fields(key, name, at) for item in _layer(key, name, at, b"", ()))


def changing_items(state: StateLike, name: str, observer: Observer | None = None) -> tuple[PictureItem, ...]:
    """Return the items of a figure that belong to the state.

    What an observer may not see is a question mark; where even its place would tell something, it is left out.
    """
    game, key = state.game, _Core(state.game)
    made: list[PictureItem] = []
    for at in range(len(figure_of(game, name).layers)):
        if fields := _fields(key, name, at):
            read = b"".join(state.data[each.offset : each.end] for each in fields)
            made += _layer(key, name, at, read, _masks(state, fields, observer))
    return tuple(made)


def layer_items(state: StateLike, name: str, at: int) -> tuple[PictureItem, ...]:
    """Return the items of one layer of a figure."""
    key = _Core(state.game)
    fields = _fields(key, name, at)
    read = b"".join(state.data[each.offset : each.end] for each in fields)
    return _layer(key, name, at, read, _masks(state, fields, None))


def _masks(state: StateLike, fields: tuple[Field, ...], observer: Observer | None) -> tuple[bytes | None, ...]:
    game = state.game
    if observer is None:
        return (None,) * len(fields)
    return tuple(observer.mask(game.declared, game.layout, state.data, each) for each in fields)


def undrawn_variables(game: Rules) -> list[Variable]:
    """Return the variables of the author that no figure shows; a name with a dot is one that a construct keeps for itself."""
    key = _Core(game)
    layers = [(figure.name, at) for figure in game.core.figures for at in range(len(figure.layers))]
    drawn = {each.variable.name for name, at in layers for each in _fields(key, name, at)}
    return [each for each in game.core.variables if each.name not in drawn and not each.ghost and "." not in each.name]


@lru_cache(maxsize=16)
def _palette(key: _Core) -> Palette:
    return Palette(key.game.core)


@lru_cache(maxsize=1024)
def _fields(key: _Core, name: str, at: int) -> tuple[Field, ...]:
    """Return the variables that a layer reads, with their places in a state."""
    game = key.game
    read = reads(layer_expressions(figure_of(game, name).layers[at]), game.declared.defs)
    return tuple(each for each in game.layout.fields if each.variable.name in read)


@lru_cache(maxsize=4096)  # a step changes little: most layers of a picture are those of the picture before
def _layer(key: _Core, name: str, at: int, read: bytes, masks: tuple[bytes | None, ...]) -> tuple[PictureItem, ...]:
    """Return the items of a layer, given the bytes of the variables it reads, and which of their cells may be seen."""
    figure = figure_of(key.game, name)
    position: dict[str, Sequence[int]] = {}
    start = 0
    for each, mask in zip(_fields(key, name, at), masks, strict=True):
        codes = decode_field(replace(each, offset=start), read)
        position[each.variable.name] = codes if mask is None else MaskedCells(codes, mask)
        start += each.end - each.offset
    return tuple(_items(figure.layers[at], figure, key.game, Environment(key.game.declared, position, {})))


def _items(layer: Layer, figure: Figure, game: Rules, env: Environment) -> Iterator[PictureItem]:
    colours = palette(game)
    for here in _environments(layer, env):
        place = [_visible(each, here) for each in layer.at]
        whose = None if layer.by is None else _visible(layer.by, here)
        if None in place or (layer.by is not None and whose is None and layer.kind in ("area", "edge", "path")):
            continue
        node, *sides = (code - each.type.lo for code, each in zip(place, layer.at, strict=True) if code is not None)
        tint = None if layer.by is None or whose is None else colours.tint(figure, layer.by.type, whose)
        number, words = _value(layer, here)
        if number != 0 or words or layer.kind not in ("pieces", "label"):
            yield PictureItem(layer.kind, node, tuple(sides), layer.shape, number, words, tint, layer.says)


def _value(layer: Layer, env: Environment) -> tuple[int | None, str]:
    """Return the number of pieces and the words of an item."""
    if layer.value is None:
        return 0, layer.text
    code, type_ = _visible(layer.value, env), layer.value.type
    if layer.kind == "pieces":
        return code, layer.text
    if code is None:
        return 0, HIDDEN
    return 0, layer.text if type_.kind == "optional" and code == type_.hi else show(type_, code).replace("_", " ")


def _visible(expr: Expr, env: Environment) -> int | None:
    """Return a value; None if it needs a cell that may not be seen."""
    try:
        return evaluate(expr, env)
    except HiddenCell:
        return None


def _environments(layer: Layer, env: Environment) -> Iterator[Environment]:
    """Yield the environment of each combination of values that satisfies `where`, as far as that may be seen.

    Each part of `where` is asked as early as it can be. Parts keep their order, since a later one may make sense only
    if an earlier one holds.
    """
    names = [binder.name for binder in layer.binders]
    tests: list[list[Expr]] = [[] for _ in range(len(names) + 1)]
    depth = 0
    for part in () if layer.where is None else conjuncts(layer.where):
        depth = max([depth, *(names.index(name) + 1 for name in free_names(part))])
        tests[depth].append(part)
    yield from _within(layer.binders, tests, env)


def _within(binders: tuple[Binder, ...], tests: list[list[Expr]], env: Environment) -> Iterator[Environment]:
    if not all(_visible(test, env) for test in tests[0]):
        return
    if not binders:
        yield env
        return
    try:
        values = values_of(binders[0], env)
    except HiddenCell:
        return
    for value in values:
        yield from _within(binders[1:], tests[1:], env.bind(binders[0].name, value))
