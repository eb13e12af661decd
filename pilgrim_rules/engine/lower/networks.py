"""Networks: the graphs of a state as functions that list their nodes and links.

Reads:  the networks of a core game.   Writes: for each part a search for the values of its binders, and its ends.
After:  the lists are what the evaluator draws, in some order; a graph has none.
"""

from __future__ import annotations

from functools import reduce

from pilgrim_rules.core.ir import (
    BOOL,
    Action,
    Apply,
    Binder,
    Bound,
    Expr,
    Lookup,
    Network,
    NetworkLink,
    NetworkNode,
    Parameter,
    Require,
)
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.engine.cells.cell_code import Function, NetworkCode, NetworkPart
from pilgrim_rules.engine.lower.builder import plain
from pilgrim_rules.engine.lower.functions import numbers
from pilgrim_rules.engine.lower.lowering import Lowering
from pilgrim_rules.engine.lower.search import search


def network_code(lower: Lowering, network: Network, number: int) -> tuple[NetworkCode, list[Function]]:
    """Return the functions of a network, and what each is for."""
    functions: list[Function] = []
    parts: list[NetworkPart] = []
    every: tuple[NetworkNode | NetworkLink, ...] = (*network.nodes, *network.links)
    for at, part in enumerate(every):
        own = f"{number}_{plain(network.name)}_{at}"
        binders = (*network.binders, *part.binders)
        params = tuple(Parameter(each.name, each.type) for each in binders)
        line = Require(_condition(part, binders), network.name, span=Span("", 0, 0))
        found = search(lower, Action(network.name, "action", params, (), (line,), ()), f"drawn{own}")
        ends = (part.node,) if isinstance(part, NetworkNode) else (part.left, part.right)
        made = [numbers(lower, f"end{own}_{place}", params, end) for place, end in enumerate(ends)]
        functions += [found, *made]
        nodes_only = isinstance(part, NetworkLink) and part.nodes_only
        parts.append(NetworkPart(found.name, tuple(each.name for each in made), nodes_only))
    return NetworkCode(len(network.binders), tuple(parts)), functions


def _condition(part: NetworkNode | NetworkLink, binders: tuple[Binder, ...]) -> Expr:
    """Return when a part is there; a binder over a relation is one over its type for which the relation holds."""
    related: list[Expr] = []
    for each in binders:
        if each.among is not None:
            table, index = each.among
            related.append(Lookup(table, (*index, Bound(each.name, each.type)), BOOL))
    return reduce(lambda left, right: Apply("and", (left, right), BOOL), [*related, part.when])
