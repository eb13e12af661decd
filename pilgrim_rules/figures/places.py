"""Places: which node of a figure a move concerns, and why it is refused there.

Reads:  a state, moves, the `at` lines of actions.   Writes: nodes, with the moves that are legal there or the reason against.
After:  a legal place has a legal move; a refused place has none, and says what refuses it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

from pilgrim_rules.core.fits import fits
from pilgrim_rules.core.ir import Action, Canvas, Given, Type
from pilgrim_rules.core.values import parse
from pilgrim_rules.core.walk import free_names
from pilgrim_rules.engine.evaluate import evaluate
from pilgrim_rules.engine.moves import Coded
from pilgrim_rules.engine.refusal import Refusal
from pilgrim_rules.engine.scene import NotPositive, OutsideTable, Scene
from pilgrim_rules.engine.state import State

MOST_TRIED = 4096  #: combinations of arguments, when every refused place of an action is asked for


@dataclass(slots=True)
class Places:
    """The nodes of one canvas that moves concern."""

    legal: dict[int, list[str]] = field(default_factory=dict)
    chosen: list[int] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)  #: with the clause, or the words, that refuse it


def places(state: State, canvas: Canvas, *, moves: bool, highlight: Iterable[str], cross_out: Iterable[str]) -> Places:
    """Return the places to outline and to cross out.

    Each of `highlight` and `cross_out` is a node, a move, or (to cross out) an action: then all its refused places.
    """
    found = Places()
    # Without anything to say about a refusal, legal moves are not needed.
    wanted = list(cross_out)
    if (moves or any(name in state.game.actions for name in wanted)) and state.to_move in state.game.players:
        for move in state.moves():
            node = _node(state, canvas, state.game.runner.book.codes(move))
            if node is not None:
                found.legal.setdefault(node, []).append(str(move))
    for name in highlight:
        node = _named(canvas.type, name)
        if node is None and not _elsewhere(state, name):
            node = _node(state, canvas, state.game.runner.book.codes(name))
        found.chosen += [] if node is None else [node]
    for name in wanted:
        _cross_out(state, canvas, name, found)
    if not moves:
        found.legal.clear()
    return found


def _cross_out(state: State, canvas: Canvas, name: str, found: Places) -> None:
    node = _named(canvas.type, name)
    if node is not None:
        found.refused[node] = ""
    elif name in state.game.actions:
        number = state.game.actions.index(name)
        action = state.game.core.actions[number]
        domains = [range(param.type.lo, param.type.hi + 1) for param in action.params]
        if prod(map(len, domains)) > MOST_TRIED:
            return
        for args in product(*domains):
            _refuse(state, canvas, (number, args), found)
    elif not _elsewhere(state, name):
        _refuse(state, canvas, state.game.runner.book.codes(name), found)


def _refuse(state: State, canvas: Canvas, coded: Coded, found: Places) -> None:
    node = _node(state, canvas, coded)
    if node is None or node in found.legal or node in found.refused:
        return
    reasons = state.why_not(state.game.runner.book.move(coded))
    if reasons and reasons[0].kind != "stage":
        found.refused[node] = _because(reasons)


def _because(reasons: Sequence[Refusal]) -> str:
    """Return the shortest clause of the first reason that cites one, which fits a small node best; or its words."""
    cited = next((reason for reason in reasons if reason.clauses), reasons[0])
    return min(cited.clauses, key=len, default=cited.says)


def _elsewhere(state: State, name: str) -> bool:
    """Tell whether the name is a node of some figure, so that it spells no move."""
    return any(_named(figure.canvas.type, name) is not None for figure in state.game.core.figures)


def _named(type_: Type, name: str) -> int | None:
    try:
        return parse(type_, name) - type_.lo
    except ValueError:
        return None


def _node(state: State, canvas: Canvas, coded: Coded) -> int | None:
    """Return the node of the canvas that a move concerns, as far as its arguments tell."""
    action = state.game.core.actions[coded[0]]
    if action.place is None:
        return None
    type_ = action.place.type
    if not fits(type_.parts[0] if type_.kind == "optional" else type_, canvas.type):
        return None
    code = _place(state, action, coded[1])
    return None if code is None or not canvas.type.lo <= code <= canvas.type.hi else code - canvas.type.lo


def _place(state: State, action: Action, args: tuple[int, ...]) -> int | None:
    assert action.place is not None, "asked of actions that have a place"
    names = {param.name: arg for param, arg in zip(action.params, args, strict=True)}
    scene = Scene(state.game.world, state.game.layout.decode(state.data), names)
    for line in action.guard:
        if isinstance(line, Given) and free_names(line.value) <= scene.names.keys():
            try:
                scene = scene.bind(line.name, evaluate(line.value, scene))
            except (OutsideTable, NotPositive):
                continue  # a requirement before it fails, so the name has no value here
    if not free_names(action.place) <= scene.names.keys():
        return None
    try:
        return evaluate(action.place, scene)
    except (OutsideTable, NotPositive):
        return None
