"""Order: definitions, types and actions in an order in which each uses only earlier ones.

Reads:  the symbol table.   Writes: lists of names.
After:  whatever goes round in a circle is in the bag and left out of the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import networkx as nx

from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.bag import Bag
from pilgrim_rules.names.symbols import Symbols
from pilgrim_rules.source import Span
from pilgrim_rules.syntax import ast


def value_order(symbols: Symbols, bag: Bag) -> list[str]:
    """Return the names of parameters and definitions, used ones first."""
    values = {name: node for name, node in symbols.values.items() if isinstance(node, ast.Param | ast.Def)}
    uses = {name: _used_in(node) & values.keys() for name, node in values.items()}
    return _sorted(uses, {name: node.name.span for name, node in values.items()}, "definition", codes.PR205, bag)


def rule_order(symbols: Symbols, bag: Bag) -> list[str]:
    """Return the names of actions, guards and effects, used ones first (`check`, named effects, `possible`)."""
    uses = {name: _rule_uses(node) & symbols.rules.keys() for name, node in symbols.rules.items()}
    spans = {name: node.name.span for name, node in symbols.rules.items()}
    return _sorted(uses, spans, "rule", codes.PR412, bag)


def _used_in(item: object) -> set[str]:
    """Return the names that stand for values somewhere inside, not those of columns or parameters."""
    found: set[str] = set()
    for node in _nodes(item):
        match node:
            case ast.Name(text=text):
                found.add(text)
            case ast.Call(name=name) | ast.CallDomain(name=name):
                found.add(name.text)
            case _:
                pass
    return found


def _rule_uses(node: object) -> set[str]:
    called = {line.name.text for line in getattr(node, "lines", ()) if isinstance(line, ast.CheckLine)}
    return called | _run(node) | _possible(node)


def _nodes(item: object) -> Iterable[object]:
    stack = [item]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Node):
            yield node
            stack.extend(getattr(node, each) for each in node.__dataclass_fields__ if each != "span")
        elif isinstance(node, tuple):
            stack.extend(node)


def _run(node: object) -> set[str]:
    return {item.name.text for item in _nodes(node) if isinstance(item, ast.Run)}


def _possible(node: object) -> set[str]:
    calls = [item for item in _nodes(node) if isinstance(item, ast.Call) and item.name.text == "possible"]
    return set().union(*(_used_in(call.args) for call in calls))


def _sorted(
    uses: Mapping[str, set[str]], spans: Mapping[str, Span], what: str, code: codes.Code, bag: Bag
) -> list[str]:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(uses)
    graph.add_edges_from((used, user) for user, all_used in uses.items() for used in all_used)
    broken: set[str] = set()
    for component in nx.strongly_connected_components(graph):
        first = min(component, key=list(uses).index)
        if len(component) > 1 or graph.has_edge(first, first):
            ring = [edge[1] for edge in reversed(nx.find_cycle(graph.subgraph(component), first))]
            at = ring.index(first) if first in ring else 0
            said = " uses ".join(f"`{name}`" for name in [*ring[at:], *ring[:at], ring[at]])
            bag.add(
                code,
                f"this {what} uses itself: {said}",
                spans[first],
                help="break the circle with a state variable or a parameter",
            )
            broken |= component
    graph.remove_nodes_from(broken)
    position = {name: at for at, name in enumerate(uses)}
    return list(nx.lexicographical_topological_sort(graph, key=position.__getitem__))
