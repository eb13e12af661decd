"""Networks: the graph of the present state, and the questions an audit may ask it.

Reads:  nodes and links as tuples of codes.   Writes: answers as numbers; None where a distance does not exist.
After:  links have no direction; a link from a node to itself counts twice in its degree and is a cycle.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TypeAlias, assert_never

from pilgrim_rules.core.ir import GraphQuestion

Node: TypeAlias = tuple[int, ...]
Graph: TypeAlias = dict[Node, set[Node]]  #: the neighbours of each node


def build(nodes: Iterable[Node], links: Iterable[tuple[Node, Node, bool]]) -> Graph:
    """Return the graph. The flag of a link says that it exists only if both ends are declared nodes."""
    graph: Graph = {node: set() for node in nodes}
    declared = frozenset(graph)
    for left, right, nodes_only in links:
        if nodes_only and not (left in declared and right in declared):
            continue
        graph.setdefault(left, set()).add(right)
        graph.setdefault(right, set()).add(left)
    return graph


def answer(question: GraphQuestion, graph: Graph, nodes: list[Node]) -> int | None:
    """Return the answer to a question about these nodes; the questions are explained at `AskNetwork`."""
    match question:
        case "nodes":
            return len(graph)
        case "links":
            return _links(graph)
        case "components":
            return _components(graph)
        case "is_forest":
            return int(_links(graph) == len(graph) - _components(graph))
        case "has":
            return int(nodes[0] in graph)
        case "degree":
            return _degree(graph, nodes[0])
        case "reach":
            return len(distances(graph, nodes[0]))
        case "is_path":
            return int(_is_path(graph, nodes[0]))
        case "linked":
            return int(nodes[1] in graph.get(nodes[0], ()))
        case "connected":
            return int(nodes[1] in distances(graph, nodes[0]))
        case "distance":
            return distances(graph, nodes[0]).get(nodes[1])
        case _:
            assert_never(question)


def distances(graph: Graph, start: Node) -> dict[Node, int]:
    """Return how many links away each node of the start's component is; nothing if the start is no node."""
    found = {start: 0} if start in graph else {}
    queue = deque(found)
    while queue:
        node = queue.popleft()
        for neighbour in graph[node]:
            if neighbour not in found:
                found[neighbour] = found[node] + 1
                queue.append(neighbour)
    return found


def _degree(graph: Graph, node: Node) -> int:
    neighbours = graph.get(node, set())
    return len(neighbours) + (node in neighbours)


def _links(graph: Graph) -> int:
    return sum(_degree(graph, node) for node in graph) // 2


def _components(graph: Graph) -> int:
    seen: set[Node] = set()
    count = 0
    for node in graph:
        if node not in seen:
            seen.update(distances(graph, node))
            count += 1
    return count


def _is_path(graph: Graph, start: Node) -> bool:
    component = distances(graph, start)
    ends = sum(_degree(graph, node) for node in component)
    # A connected graph with one link fewer than nodes is a tree; a tree without forks is a simple path.
    return bool(component) and ends == 2 * (len(component) - 1) and all(_degree(graph, n) <= 2 for n in component)  # noqa: PLR2004
