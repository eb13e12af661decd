"""The graph of a present state, as a networkx graph, and the questions an audit may ask it.

Reads:  nodes and links as tuples of codes.   Writes: answers as numbers; None where a distance does not exist.
After:  links have no direction; a link from a node to itself counts twice in its degree and is a cycle.

The algorithms are networkx's, so that an account of roads and trails made here shares nothing with the counters that
the rules keep.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, assert_never

import networkx as nx

from pilgrim_rules.core.ir import GraphQuestion

Node: TypeAlias = tuple[int, ...]
Graph: TypeAlias = "nx.Graph[Node]"


def build(nodes: Iterable[Node], links: Iterable[tuple[Node, Node, bool]]) -> Graph:
    """Return the graph. The flag of a link says that it exists only if both ends are declared nodes."""
    graph: Graph = nx.Graph()
    graph.add_nodes_from(nodes)
    declared = frozenset(graph)
    graph.add_edges_from(
        (left, right) for left, right, nodes_only in links if not nodes_only or (left in declared and right in declared)
    )
    return graph


def answer(question: GraphQuestion, graph: Graph, nodes: list[Node]) -> int | None:
    """Return the answer to a question about these nodes; the questions are explained at `AskNetwork`."""
    match question:
        case "nodes":
            return len(graph)
        case "links":
            return int(graph.number_of_edges())
        case "components":
            return int(nx.number_connected_components(graph))
        case "is_forest":
            return int(len(graph) == 0 or nx.is_forest(graph))
        case "has":
            return int(nodes[0] in graph)
        case "degree":
            return int(graph.degree(nodes[0])) if nodes[0] in graph else 0
        case "reach":
            return len(nx.node_connected_component(graph, nodes[0])) if nodes[0] in graph else 0
        case "is_path":
            return int(_is_path(graph, nodes[0]))
        case "linked":
            return int(graph.has_edge(nodes[0], nodes[1]))
        case "connected":
            return int(nodes[0] in graph and nodes[1] in graph and nx.has_path(graph, nodes[0], nodes[1]))
        case "distance":
            return _distance(graph, nodes[0], nodes[1])
        case _:
            assert_never(question)


def _distance(graph: Graph, start: Node, end: Node) -> int | None:
    if start not in graph or end not in graph or not nx.has_path(graph, start, end):
        return None
    return int(nx.shortest_path_length(graph, start, end))


def _is_path(graph: Graph, start: Node) -> bool:
    if start not in graph:
        return False
    component = graph.subgraph(nx.node_connected_component(graph, start))
    # A tree without forks is a simple path.
    return bool(nx.is_tree(component)) and all(degree <= 2 for _, degree in component.degree())  # noqa: PLR2004
