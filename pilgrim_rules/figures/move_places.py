"""Places: which node of a figure a move concerns, and why it is refused there.

Reads:  a state, moves, the `at` lines of actions.   Writes: nodes, with the moves that are legal there or the reason against.
After:  a legal place has a legal move; a refused place has none, and says what refuses it.

An action without an `at` line concerns the first of its arguments that is a node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from math import prod
from typing import NamedTuple

from pilgrim_rules.core.ir import Action, Bound, Canvas, Expr, Given, Type
from pilgrim_rules.core.type_order import fits
from pilgrim_rules.core.values import parse
from pilgrim_rules.core.walk import free_names
from pilgrim_rules.engine.rules import StateLike
from pilgrim_rules.semantics.environment import Environment
from pilgrim_rules.semantics.errors import Contradiction, Refusal
from pilgrim_rules.semantics.evaluate import evaluate
from pilgrim_rules.semantics.moves import Coded
from pilgrim_rules.semantics.refusal import refusals

MOST_TRIED = 10_000  #: combinations of the arguments that say where, when every refused place of an action is asked for
MOST_ASKED = 32  #: moves in one place, of which the one that comes nearest to being allowed says why not


class PlaceRefusal(NamedTuple):
    """What refuses a place: a clause, or nothing if none is cited, and words."""

    clause: str
    says: str

    def __str__(self) -> str:
        return ": ".join(filter(None, self))


@dataclass(slots=True)
class MovePlaces:
    """The nodes of one canvas that moves concern."""

    legal: dict[int, list[str]] = field(default_factory=dict)
    chosen: list[int] = field(default_factory=list)
    refused: dict[int, PlaceRefusal] = field(default_factory=dict)


def places(
    state: StateLike, canvas: Canvas, *, moves: bool, highlight: Iterable[str], cross_out: Iterable[str]
) -> MovePlaces:
    """Return the places to outline and to cross out.

    Each of `highlight` and `cross_out` is a node, a move, or (to cross out) an action: then all its refused places.
    """
    found = MovePlaces()
    asked = _Asked(state, canvas)
    # Without anything to say about a refusal, legal moves are not needed.
    wanted = list(cross_out)
    runner = state.game.runner
    if (moves or any(name in state.game.actions for name in wanted)) and runner.row(state.data).kind == "player":
        for move in runner.moves(state.data):
            node = asked.node(runner.book.codes(move))
            if node is not None:
                found.legal.setdefault(node, []).append(str(move))
    for name in highlight:
        node = _named(canvas.type, name)
        if node is None and not _is_node_name(state, name):
            node = asked.node(runner.book.codes(name))
        found.chosen += [] if node is None else [node]
    for name in wanted:
        node = _named(canvas.type, name)
        if node is not None:
            found.refused[node] = PlaceRefusal("", "")
        elif not _is_node_name(state, name):
            for at, why in _refused(asked, name, found.legal):
                found.refused.setdefault(at, why)
    if not moves:
        found.legal.clear()
    return found


def _refused(asked: _Asked, name: str, legal: Iterable[int]) -> Iterator[tuple[int, PlaceRefusal]]:
    """Yield the nodes in which a move, or every move of an action, is refused, with the reason."""
    game = asked.state.game
    if name not in game.actions:
        coded = game.runner.book.codes(name)
        node = asked.node(coded)
        tried = {} if node is None else {node: [coded]}
    else:
        tried = asked.moves_by_node(game.actions.index(name))
    for node in sorted(tried.keys() - legal):
        reasons = min(map(asked.refusals, tried[node]), key=len)
        if reasons and reasons[0].kind != "stage":
            yield node, _because(reasons)


def _because(reasons: Sequence[Refusal]) -> PlaceRefusal:
    """Return the first reason that cites a clause, with the shortest of its clauses, which fits a small node best."""
    cited = next((reason for reason in reasons if reason.clauses), reasons[0])
    return PlaceRefusal(min(cited.clauses, key=len, default=""), cited.says)


def _is_node_name(state: StateLike, name: str) -> bool:
    """Tell whether the name is a node of some figure, so that it spells no move."""
    return any(_named(figure.canvas.type, name) is not None for figure in state.game.core.figures)


def _named(type_: Type, name: str) -> int | None:
    try:
        return parse(type_, name) - type_.lo
    except ValueError:
        return None


class _Asked:
    """Questions about one canvas in one state."""

    def __init__(self, state: StateLike, canvas: Canvas) -> None:
        self.state = state
        self._canvas = canvas
        self._position = state.game.layout.decode(state.data)

    def refusals(self, coded: Coded) -> list[Refusal]:
        """Return every reason against a move."""
        game = self.state.game
        return refusals(game.declared, self._position, game.core.actions[coded[0]], coded[1], game.pages)

    def moves_by_node(self, number: int) -> dict[int, list[Coded]]:
        """Return some moves of an action for each node it can concern; none if there are too many to try."""
        action = self.state.game.core.actions[number]
        place = self._place(action)
        if place is None:
            return {}
        telling = _needed(action, place)
        every = [range(param.type.lo, param.type.hi + 1) for param in action.params]
        if (
            prod(len(codes) for param, codes in zip(action.params, every, strict=True) if param.name in telling)
            > MOST_TRIED
        ):
            return {}
        first = [
            codes if param.name in telling else codes[:1] for param, codes in zip(action.params, every, strict=True)
        ]
        made: dict[int, list[Coded]] = {}
        for where in product(*first):
            node = self.node((number, where))
            if node is not None:
                moves = made.setdefault(node, [])
                rest = [
                    (code,) if param.name in telling else codes
                    for param, code, codes in zip(action.params, where, every, strict=True)
                ]
                moves += [(number, args) for args in islice(product(*rest), MOST_ASKED - len(moves))]
        return made

    def node(self, coded: Coded) -> int | None:
        """Return the node of the canvas that a move concerns, as far as its arguments tell."""
        action = self.state.game.core.actions[coded[0]]
        place = self._place(action)
        if place is None:
            return None
        code = self._value(action, place, coded[1])
        lo, hi = self._canvas.type.lo, self._canvas.type.hi
        return None if code is None or not lo <= code <= hi else code - lo

    def _place(self, action: Action) -> Expr | None:
        """Return where an action happens, if that is on this canvas. A number alone is no place."""
        if action.place is not None:
            return action.place if self._is_node(action.place.type) else None
        nodes = [param for param in action.params if param.type.kind != "int" and self._is_node(param.type)]
        return Bound(nodes[0].name, nodes[0].type) if nodes else None

    def _is_node(self, type_: Type) -> bool:
        return fits(type_.parts[0] if type_.kind == "optional" else type_, self._canvas.type)

    def _value(self, action: Action, place: Expr, args: tuple[int, ...]) -> int | None:
        names = {param.name: arg for param, arg in zip(action.params, args, strict=True)}
        env = Environment(self.state.game.declared, self._position, names)
        needed = _needed(action, place)
        for line in action.guard:
            if isinstance(line, Given) and line.name in needed and free_names(line.value) <= env.names.keys():
                try:
                    env = env.bind(line.name, evaluate(line.value, env))
                except Contradiction:
                    continue  # a requirement before it fails, so the name has no value here
        if not free_names(place) <= env.names.keys():
            return None
        try:
            return evaluate(place, env)
        except Contradiction:
            return None


def _needed(action: Action, place: Expr) -> set[str]:
    """Return the names on which the place depends, those that the guard gives included."""
    needed = set(free_names(place))
    for line in reversed(action.guard):
        if isinstance(line, Given) and line.name in needed:
            needed |= free_names(line.value)
    return needed
