"""Audits: claims that question the networks of a state, answered from graphs that are built once a state.

Reads:  a core game and states.   Writes: Booleans.
After:  the answer is the evaluator's; only the work is arranged otherwise. The conditions of a network's nodes and links
        are compiled as definitions, and a question is a place in a table that is filled when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from pilgrim_rules.core.ir import (
    AskNetwork,
    Binder,
    Constant,
    Def,
    Expr,
    Game,
    Lookup,
    Network,
    NetworkLink,
    NetworkNode,
    Parameter,
    Type,
)  # fmt: skip
from pilgrim_rules.core.walk import rebuild
from pilgrim_rules.engine.compile import Compiled, compiled
from pilgrim_rules.engine.evaluate import evaluate, values_of
from pilgrim_rules.engine.scene import Scene, World
from pilgrim_rules.graphs import network as networks
from pilgrim_rules.graphs.network import Graph, Node


class Audits:
    """The audits of a game."""

    def __init__(self, game: Game) -> None:
        self._networks = {network.name: network for network in game.networks}
        self._code = _conditions(game)
        self._questions: list[AskNetwork] = []
        asked = [claim for claim in game.claims if claim.kind == "audit"]
        self._formulas = {claim.name: self._as_lookups(claim.formula) for claim in asked}
        self._game = game

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the audits."""
        return tuple(self._formulas)

    def failing(self, state: bytes, *names: str) -> list[str]:
        """Return which of the audits named (of all, if none is) do not hold in a state of the game with its ghosts."""
        position = self._code.layout.decode(state)
        drawn = _Drawn(self._code, state, self._networks, {})
        tables = tuple(_table(at, asked, drawn) for at, asked in enumerate(self._questions))
        world = World(replace(self._game, constants=(*self._game.constants, *tables)))
        scene = Scene(world, position, {})
        return [name for name in names or self.names if not evaluate(self._formulas[name], scene)]

    def _as_lookups(self, expr: Expr) -> Expr:
        """Replace each question by a place in a table of its answers."""
        if not isinstance(expr, AskNetwork):
            return rebuild(expr, self._as_lookups)
        asked = replace(expr, index=tuple(map(self._as_lookups, expr.index)))
        self._questions.append(asked)
        return Lookup(_name(len(self._questions) - 1), _place(asked), asked.type)


def _name(number: int) -> str:
    return f"question {number}"  # not a name that rules can spell


def _place(asked: AskNetwork) -> tuple[Expr, ...]:
    return (*asked.index, *(part for node in asked.nodes for part in node))


def _table(number: int, asked: AskNetwork, drawn: _Drawn) -> Constant:
    index = tuple(expr.type for expr in _place(asked))
    # The entries are computed when they are read, which a tuple could not do.
    values: Sequence[int] = _Answers(asked, index, drawn)
    return Constant(_name(number), index, asked.type, values, "graph")  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class _Answers(Sequence[int]):
    """The answers to a question for all values of its parts, row by row."""

    asked: AskNetwork
    types: tuple[Type, ...]
    drawn: _Drawn

    def __len__(self) -> int:
        return prod(type_.size for type_ in self.types)

    def __getitem__(self, at: int) -> int:  # type: ignore[override]  # nobody asks for a slice
        codes: list[int] = []
        for type_ in reversed(self.types):
            at, code = divmod(at, type_.size)
            codes.append(code + type_.lo)
        codes.reverse()
        family = len(self.asked.index)
        graph = self.drawn.graph(self.asked.network, tuple(codes[:family]))
        nodes: list[Node] = []
        for node in self.asked.nodes:
            nodes.append(tuple(codes[family : family + len(node)]))
            family += len(node)
        answer = networks.answer(self.asked.question, graph, nodes)
        return self.asked.type.hi if answer is None else answer


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The graphs of one state, each drawn when it is first asked for."""

    code: Compiled
    state: bytes
    networks: dict[str, Network]
    graphs: dict[tuple[str, tuple[int, ...]], Graph]

    def graph(self, name: str, index: tuple[int, ...]) -> Graph:
        key = (name, index)
        if key not in self.graphs:
            self.graphs[key] = self._draw(self.networks[name], index)
        return self.graphs[key]

    def _draw(self, network: Network, index: tuple[int, ...]) -> Graph:
        names = [binder.name for binder in network.binders]
        scene = Scene(
            self.code.reference.world, self.code.layout.decode(self.state), dict(zip(names, index, strict=True))
        )
        nodes: list[Node] = []
        links: list[tuple[Node, Node, bool]] = []
        for at, part in enumerate(_parts(network)):
            label = f"{network.name} {at}"
            for values in _values(part.binders, scene):
                if self.code.value(label, self.state, *index, *values):
                    ends = [self._node(label, end, tuples, (*index, *values)) for end, tuples in _ends(part)]
                    if isinstance(part, NetworkNode):
                        nodes.append(ends[0])
                    else:
                        links.append((ends[0], ends[1], part.nodes_only))
        return networks.build(nodes, links)

    def _node(self, label: str, end: str, parts: tuple[Expr, ...], values: tuple[int, ...]) -> Node:
        return tuple(self.code.value(f"{label} {end} {at}", self.state, *values) for at in range(len(parts)))


def _parts(network: Network) -> list[NetworkNode | NetworkLink]:
    return [*network.nodes, *network.links]


def _ends(part: NetworkNode | NetworkLink) -> list[tuple[str, tuple[Expr, ...]]]:
    return [("node", part.node)] if isinstance(part, NetworkNode) else [("left", part.left), ("right", part.right)]


def _values(binders: tuple[Binder, ...], scene: Scene) -> Iterator[tuple[int, ...]]:
    """Yield the values of binders, later ones depending on earlier ones where they do."""
    if all(binder.start is None and binder.among is None for binder in binders):
        yield from product(*(range(binder.type.lo, binder.type.hi + 1) for binder in binders))
        return
    first, rest = binders[0], binders[1:]
    for value in values_of(first, scene):
        for others in _values(rest, scene.bind(first.name, value)):
            yield (value, *others)


def _conditions(game: Game) -> Compiled:
    """Compile the conditions and ends of all networks as definitions, and nothing else of the game."""
    defs: list[Def] = []
    for network in game.networks:
        for at, part in enumerate(_parts(network)):
            params = tuple(Parameter(each.name, each.type) for each in (*network.binders, *part.binders))
            label = f"{network.name} {at}"
            defs.append(Def(label, params, part.when))
            for end, parts in _ends(part):
                defs += [Def(f"{label} {end} {place}", params, expr) for place, expr in enumerate(parts)]
    bare = replace(
        game,
        defs=(*game.defs, *defs),
        actions=(),
        claims=(),
        rankings=(),
        networks=(),
        examples=(),
        effects=(),
        score=None,
    )
    return compiled(bare, ghosts=True)
