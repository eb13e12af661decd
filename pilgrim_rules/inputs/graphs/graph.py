"""A graph as data, and the constant tables that are made of it.

Reads:  nodes and arcs, from the rules or from a map.   Writes: `GraphData`; flat tables in row-major order.
After:  nobody else needs networkx to know where a node leads, how far it is, or what lies beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pilgrim_rules.inputs.data.toml_file import Raw

Outline: TypeAlias = Literal["point", "flat", "pointy"]


@dataclass(frozen=True, slots=True)
class GraphData:
    """A finite directed graph; an undirected one has both arcs of each edge.

    arcs     pairs of node numbers, sorted, each once.
    sides    names of the sides of a node, in clockwise order; empty if the graph has none. Their number is even, and
             the opposite of a side is half a turn away.
    beside   for each node and side the neighbour there; whatever lies beside `n` at side `s` has `n`, or nothing if
             the arc is one-way, at the opposite side.
    columns  further values of the nodes as the map spells them, None where the map is silent.
    places   where a node is drawn, x to the right and y downwards, in units of one cell's radius.
    outline  how a node is drawn: as a point, or as a hexagon with a flat or a pointed top.
    """

    nodes: tuple[str, ...]
    arcs: tuple[tuple[int, int], ...]
    sides: tuple[str, ...] = ()
    beside: tuple[tuple[int | None, ...], ...] = ()
    columns: dict[str, tuple[Raw | None, ...]] = field(default_factory=dict, hash=False)
    places: tuple[tuple[float, float], ...] | None = None
    outline: Outline = "point"


def written(nodes: Sequence[str], arcs: Iterable[tuple[int, int]], *, directed: bool) -> GraphData:
    """Return the graph that the rules write out; without direction each arc counts both ways."""
    found = set(arcs)
    if not directed:
        found |= {(to, start) for start, to in found}
    return GraphData(tuple(nodes), tuple(sorted(found)))


def edges(graph: GraphData) -> tuple[tuple[int, int], ...]:
    """Return the edges: each arc, but one that leads both ways only once, from the earlier node to the later."""
    found = set(graph.arcs)
    return tuple(arc for arc in graph.arcs if arc[0] <= arc[1] or (arc[1], arc[0]) not in found)


def arc_table(graph: GraphData) -> tuple[bool, ...]:
    """Return for each pair of nodes whether an arc leads from the first to the second."""
    size = len(graph.nodes)
    table = [False] * (size * size)
    for start, to in graph.arcs:
        table[start * size + to] = True
    return tuple(table)


def distances(graph: GraphData) -> tuple[int | None, ...]:
    """Return for each pair of nodes the arcs of a shortest way from the first to the second, None without a way."""
    after = _after(graph.arcs, len(graph.nodes))
    return tuple(length for start in range(len(after)) for length in _lengths(after, start))


def components(graph: GraphData) -> tuple[int, ...]:
    """Return for each node the number of its component, direction left aside; numbers follow the order of nodes."""
    around = _after([*graph.arcs, *((to, start) for start, to in graph.arcs)], len(graph.nodes))
    numbers: list[int | None] = [None] * len(around)
    count = 0
    for first, known in enumerate(numbers):
        if known is None:
            for node, length in enumerate(_lengths(around, first)):
                if length is not None:
                    numbers[node] = count
            count += 1
    return tuple(number for number in numbers if number is not None)


def _after(arcs: Iterable[tuple[int, int]], size: int) -> list[list[int]]:
    """Return for each node the nodes to which an arc leads."""
    after: list[list[int]] = [[] for _ in range(size)]
    for start, to in arcs:
        after[start].append(to)
    return after


def _lengths(after: list[list[int]], start: int) -> list[int | None]:
    """Return for each node the arcs of a shortest way from the start, found level by level; importing networkx takes longer."""
    found: list[int | None] = [None] * len(after)
    found[start] = 0
    level, length = [start], 0
    while level:
        length += 1
        reached = []
        for node in level:
            for to in after[node]:
                if found[to] is None:
                    found[to] = length
                    reached.append(to)
        level = reached
    return found


def opposite(sides: int) -> tuple[int, ...]:
    """Return for each of an even number of sides the one half a turn away."""
    if sides % 2:
        raise ValueError(f"{sides} sides have no opposites")
    return tuple((side + sides // 2) % sides for side in range(sides))
