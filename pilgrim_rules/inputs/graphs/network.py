"""The graph of a present state, as a networkx graph, and the questions that may be asked of it.

Reads:  nodes and links as tuples of codes.   Writes: answers as numbers; None where a distance does not exist.
After:  links have no direction; a link from a node to itself counts twice in its degree and is a cycle.

The algorithms are networkx's, so that an account of roads and trails made here shares nothing with the counters that
the rules keep. The longest way that uses no link twice has no algorithm that is quick on every graph: it is searched for, and
a graph on which the search would take too long is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias, assert_never

import networkx as nx

from pilgrim_rules.core.ir import GraphQuestion

Node: TypeAlias = tuple[int, ...]
MOST_STEPS = 2_000_000  #: of the search for a longest way


class TooManyWays(Exception):
    """A longest way cannot be found in a reasonable time."""


@dataclass(frozen=True)
class Graph:
    """A graph that stays as it is, so that what is asked often is worked out once."""

    graph: nx.Graph[Node]
    _lengths: dict[Node, dict[Node, int]] = field(default_factory=dict)
    _paths: dict[int, bool] = field(default_factory=dict)

    @cached_property
    def components(self) -> list[set[Node]]:
        """The sets of nodes that hang together."""
        return list(nx.connected_components(self.graph))

    @cached_property
    def component_of(self) -> dict[Node, int]:
        """The number of the component of each node."""
        return {node: at for at, nodes in enumerate(self.components) for node in nodes}

    def connected(self, one: Node, other: Node) -> bool:
        """Return whether both are nodes with a way from one to the other."""
        return one in self.component_of and self.component_of[one] == self.component_of.get(other)

    def distance(self, start: Node, end: Node) -> int | None:
        """Return the length of a shortest way, if there is one."""
        if start not in self.graph:
            return None
        if start not in self._lengths:
            self._lengths[start] = dict(nx.single_source_shortest_path_length(self.graph, start))
        return self._lengths[start].get(end)

    @cached_property
    def longest(self) -> int:
        """The links of a longest way that uses no link twice."""
        return max((self._longest(nodes) for nodes in self.components), default=0)

    def _longest(self, nodes: set[Node]) -> int:
        part = self.graph.subgraph(nodes)
        links = int(part.number_of_edges())
        odd = sum(degree % 2 for _, degree in part.degree())
        if odd <= 2:  # noqa: PLR2004  (a way through all links begins and ends at the odd nodes)
            return links
        if links == len(nodes) - 1:
            return int(nx.diameter(part))
        return _search({node: tuple(part.adj[node]) for node in sorted(nodes)}, links)

    def is_path(self, start: Node) -> bool:
        """Return whether this is a node whose component is a simple path: a tree without forks."""
        at = self.component_of.get(start)
        if at is None:
            return False
        if at not in self._paths:
            part = self.graph.subgraph(self.components[at])
            self._paths[at] = bool(nx.is_tree(part)) and all(degree <= 2 for _, degree in part.degree())  # noqa: PLR2004
        return self._paths[at]


def _search(around: dict[Node, tuple[Node, ...]], links: int) -> int:
    """Return the length of a longest way, by trying them all; a way that has used every link is not made longer."""
    best = steps = 0
    for start in around:
        stack: list[tuple[Node, frozenset[frozenset[Node]]]] = [(start, frozenset())]
        while stack and best < links:
            here, used = stack.pop()
            steps += 1
            if steps > MOST_STEPS:
                raise TooManyWays(f"the longest way through {links} links takes too long to find")
            best = max(best, len(used))
            stack += [(to, used | {link}) for to in around[here] if (link := frozenset((here, to))) not in used]
    return best


def build(nodes: Iterable[Node], links: Iterable[tuple[Node, Node, bool]]) -> Graph:
    """Return the graph. The flag of a link says that it exists only if both ends are declared nodes."""
    graph: nx.Graph[Node] = nx.Graph()
    graph.add_nodes_from(nodes)
    declared = frozenset(graph)
    graph.add_edges_from(
        (left, right) for left, right, nodes_only in links if not nodes_only or (left in declared and right in declared)
    )
    return Graph(graph)


def answer(question: GraphQuestion, drawn: Graph, nodes: Sequence[Node]) -> int | None:
    """Return the answer to a question about these nodes; the questions are explained at `AskNetwork`."""
    graph = drawn.graph
    match question:
        case "nodes":
            return len(graph)
        case "links":
            return int(graph.number_of_edges())
        case "components":
            return len(drawn.components)
        case "is_forest":
            return int(len(graph) == 0 or nx.is_forest(graph))
        case "longest":
            return drawn.longest
        case "has":
            return int(nodes[0] in graph)
        case "degree":
            return int(graph.degree(nodes[0])) if nodes[0] in graph else 0
        case "reach":
            return len(drawn.components[drawn.component_of[nodes[0]]]) if nodes[0] in graph else 0
        case "is_path":
            return int(drawn.is_path(nodes[0]))
        case "linked":
            return int(graph.has_edge(nodes[0], nodes[1]))
        case "connected":
            return int(drawn.connected(nodes[0], nodes[1]))
        case "distance":
            return drawn.distance(nodes[0], nodes[1])
        case _:
            assert_never(question)
