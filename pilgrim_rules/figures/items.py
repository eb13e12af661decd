"""Items: what a figure shows of a state, as data; the drawing and the text are made of the same items.

Reads:  the layers of a figure, and a state.   Writes: `Item`s, layer by layer.
After:  nothing is asked of the rules again. What a layer shows is found once for the variables it reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from pilgrim_rules.core.ir import Apply, Binder, Expr, Figure, Layer, LayerKind, Variable
from pilgrim_rules.core.values import show
from pilgrim_rules.core.walk import free_names, layer_expressions, reads
from pilgrim_rules.engine.evaluate import evaluate, values_of
from pilgrim_rules.engine.game import Game
from pilgrim_rules.engine.layout import Field, decode_field
from pilgrim_rules.engine.scene import Scene
from pilgrim_rules.engine.state import State
from pilgrim_rules.engine.view import View
from pilgrim_rules.figures.palette import Palette, Tint


@dataclass(frozen=True, slots=True)
class Item:
    """One thing in a picture.

    node, sides  where it is, as numbers from 0
    number       how many pieces
    words        of a label, or of a mark without a shape
    """

    kind: LayerKind
    node: int
    sides: tuple[int, ...] = ()
    shape: str = ""
    number: int = 0
    words: str = ""
    tint: Tint | None = None
    says: str = ""


class _Core:
    """A game as a key: games that play alike are equal, but their figures may differ."""

    __slots__ = ("game",)

    def __init__(self, game: Game) -> None:
        self.game = game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Core) and self.game.core is other.game.core

    def __hash__(self) -> int:
        return id(self.game.core)


def figure_of(game: Game, name: str) -> Figure:
    """Return a figure by its name; KeyError if the game has none of that name."""
    for figure in game.core.figures:
        if figure.name == name:
            return figure
    known = ", ".join(f"`{figure.name}`" for figure in game.core.figures) or "no figure"
    raise KeyError(f"the game has no figure `{name}`; it has {known}")


def palette(game: Game) -> Palette:
    """Return the colours of a game."""
    return _palette(_Core(game))


def ground(game: Game, name: str) -> tuple[Item, ...]:
    """Return the items of a figure that are the same in every state."""
    key = _Core(game)
    layers = range(len(figure_of(game, name).layers))
    return tuple(item for at in layers if not _fields(key, name, at) for item in _layer(key, name, at, b""))


def pieces(state: State, name: str, viewer: View | None = None) -> tuple[Item, ...]:
    """Return the items of a figure that belong to the state; layers that read what a viewer may not see are left out."""
    game, key = state.game, _Core(state.game)
    hidden = unseen(game, viewer)
    made: list[Item] = []
    for at in range(len(figure_of(game, name).layers)):
        fields = _fields(key, name, at)
        if fields and hidden.isdisjoint(each.variable.name for each in fields):
            made += _layer(key, name, at, b"".join(state.data[each.offset : each.end] for each in fields))
    return tuple(made)


def unseen(game: Game, viewer: View | None) -> frozenset[str]:
    """Return the variables of which a viewer may not see every cell."""
    hidden = () if viewer is None else (each.name for each in game.core.variables if viewer.seen(each) is not None)
    return frozenset(hidden)


def undrawn(game: Game) -> list[Variable]:
    """Return the variables that no figure shows."""
    key = _Core(game)
    layers = [(figure.name, at) for figure in game.core.figures for at in range(len(figure.layers))]
    drawn = {each.variable.name for name, at in layers for each in _fields(key, name, at)}
    return [each for each in game.core.variables if each.name not in drawn and not each.ghost]


@lru_cache(maxsize=16)
def _palette(key: _Core) -> Palette:
    return Palette(key.game.core)


@lru_cache(maxsize=1024)
def _fields(key: _Core, name: str, at: int) -> tuple[Field, ...]:
    """Return the variables that a layer reads, with their places in a state."""
    game = key.game
    read = reads(layer_expressions(figure_of(game, name).layers[at]), game.world.defs)
    return tuple(each for each in game.layout.fields if each.variable.name in read)


@lru_cache(maxsize=4096)  # a step changes little: most layers of a picture are those of the picture before
def _layer(key: _Core, name: str, at: int, read: bytes) -> tuple[Item, ...]:
    """Return the items of a layer, given the bytes of the variables it reads."""
    figure = figure_of(key.game, name)
    position: dict[str, list[int]] = {}
    start = 0
    for each in _fields(key, name, at):
        position[each.variable.name] = decode_field(replace(each, offset=start), read)
        start += each.end - each.offset
    return tuple(_items(figure.layers[at], figure, key.game, Scene(key.game.world, position, {})))


def _items(layer: Layer, figure: Figure, game: Game, scene: Scene) -> Iterator[Item]:
    colours = palette(game)
    for here in _scenes(layer, scene):
        node = evaluate(layer.at[0], here) - figure.canvas.type.lo
        sides = tuple(evaluate(side, here) - side.type.lo for side in layer.at[1:])
        tint = None if layer.by is None else colours.tint(figure, layer.by.type, evaluate(layer.by, here))
        number, words = 0, layer.text
        if layer.value is not None:
            code = evaluate(layer.value, here)
            if layer.kind == "pieces":
                number = code
            elif layer.value.type.kind != "optional" or code != layer.value.type.hi:
                words = show(layer.value.type, code).replace("_", " ")
        if number or words or layer.kind not in ("pieces", "label"):
            yield Item(layer.kind, node, sides, layer.shape, number, words, tint, layer.says)


def _scenes(layer: Layer, scene: Scene) -> Iterator[Scene]:
    """Yield the scene of each combination of values that satisfies `where`; each part of it is asked as early as it can be.

    Parts keep their order, since a later one may make sense only if an earlier one holds.
    """
    names = [binder.name for binder in layer.binders]
    tests: list[list[Expr]] = [[] for _ in range(len(names) + 1)]
    depth = 0
    for part in _conjuncts(layer.where):
        depth = max([depth, *(names.index(name) + 1 for name in free_names(part))])
        tests[depth].append(part)
    yield from _within(layer.binders, tests, scene)


def _within(binders: tuple[Binder, ...], tests: list[list[Expr]], scene: Scene) -> Iterator[Scene]:
    if not all(evaluate(test, scene) for test in tests[0]):
        return
    if not binders:
        yield scene
        return
    for value in values_of(binders[0], scene):
        yield from _within(binders[1:], tests[1:], scene.bind(binders[0].name, value))


def _conjuncts(expr: Expr | None) -> Iterator[Expr]:
    if isinstance(expr, Apply) and expr.op == "and":
        for part in expr.args:
            yield from _conjuncts(part)
    elif expr is not None:
        yield expr
