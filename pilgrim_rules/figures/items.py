"""Items: what a figure shows of a state, as data; the drawing and the text are made of the same items.

Reads:  the layers of a figure, and a state.   Writes: `Item`s, layer by layer.
After:  nothing is asked of the rules again. What depends on no variable is found once a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pilgrim_rules.core.ir import Apply, Binder, Expr, Figure, Layer, LayerKind, Variable
from pilgrim_rules.core.values import show
from pilgrim_rules.core.walk import free_names, layer_expressions, reads
from pilgrim_rules.engine.evaluate import evaluate, values_of
from pilgrim_rules.engine.game import Game
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


def figure_of(game: Game, name: str) -> Figure:
    """Return a figure by its name; KeyError if the game has none of that name."""
    for figure in game.core.figures:
        if figure.name == name:
            return figure
    known = ", ".join(f"`{figure.name}`" for figure in game.core.figures) or "no figure"
    raise KeyError(f"the game has no figure `{name}`; it has {known}")


@lru_cache(maxsize=16)
def palette(game: Game) -> Palette:
    """Return the colours of a game."""
    return Palette(game.core)


@lru_cache(maxsize=64)
def ground(game: Game, name: str) -> tuple[Item, ...]:
    """Return the items of a figure that are the same in every state."""
    figure = figure_of(game, name)
    scene = Scene(game.world, {}, {})
    return tuple(
        item for layer in figure.layers if not reads_state(game, layer) for item in _items(layer, figure, game, scene)
    )


@lru_cache(maxsize=32)  # the drawing and the text of a state ask for the same, and so does the state after it
def pieces(state: State, name: str, viewer: View | None = None) -> tuple[Item, ...]:
    """Return the items of a figure that belong to the state; layers that read what the viewer may not see are left out."""
    game = state.game
    hidden = unseen(game, viewer)
    figure = figure_of(game, name)
    scene = Scene(game.world, game.layout.decode(state.data), {})
    layers = [layer for layer in figure.layers if (read := reads_state(game, layer)) and not read & hidden]
    return tuple(item for layer in layers for item in _items(layer, figure, game, scene))


def unseen(game: Game, viewer: View | None) -> frozenset[str]:
    """Return the variables of which a viewer may not see every cell."""
    hidden = () if viewer is None else (each.name for each in game.core.variables if viewer.seen(each) is not None)
    return frozenset(hidden)


def reads_state(game: Game, layer: Layer) -> frozenset[str]:
    """Return the variables that a layer reads."""
    return reads(layer_expressions(layer), game.world.defs)


def undrawn(game: Game) -> list[Variable]:
    """Return the variables that no figure shows."""
    drawn = frozenset().union(*(reads_state(game, layer) for each in game.core.figures for layer in each.layers))
    return [each for each in game.core.variables if each.name not in drawn and not each.ghost]


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
        depth = max(depth, *(names.index(name) + 1 for name in free_names(part)), 0)
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
