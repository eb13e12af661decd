"""Drawing: the networks of a game as Python functions that list their nodes and links.

Reads:  the networks of a core game.   Writes: for each part a search for the values of its binders, its condition, and
        its ends.
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
from pilgrim_rules.engine.codegen.expressions import Coder
from pilgrim_rules.engine.codegen.ranges import range_of
from pilgrim_rules.engine.codegen.search import write_search
from pilgrim_rules.engine.codegen.snippets import Scope, tuple_of
from pilgrim_rules.engine.codegen.writer import plain
from pilgrim_rules.source import Span


def write_network(coder: Coder, network: Network, number: int) -> str:
    """Write the functions of a network; return its entry in the table of networks."""
    entries = []
    parts: tuple[NetworkNode | NetworkLink, ...] = (*network.nodes, *network.links)
    for at, part in enumerate(parts):
        own = f"{number}_{plain(network.name)}_{at}"
        binders = (*network.binders, *part.binders)
        params = tuple(Parameter(each.name, each.type) for each in binders)
        test = _condition(part, binders)
        _gap(coder)
        line = Require(test, network.name, span=Span("", 0, 0))
        write_search(coder, Action(network.name, "action", params, (), (line,), ()), f"def drawn{own}(s):")
        _function(coder, f"when{own}", params, (test,))
        ends = (part.node,) if isinstance(part, NetworkNode) else (part.left, part.right)
        names = [f"end{own}_{place}" for place in range(len(ends))]
        for name, end in zip(names, ends, strict=True):
            _function(coder, name, params, end)
        domains = tuple_of([f"range({each.type.lo}, {each.type.hi + 1})" for each in params])
        nodes_only = isinstance(part, NetworkLink) and part.nodes_only
        entries.append(f"(drawn{own}, when{own}, {domains}, {tuple_of(names)}, {nodes_only})")
    return f"({len(network.binders)}, {tuple_of(entries)})"


def _condition(part: NetworkNode | NetworkLink, binders: tuple[Binder, ...]) -> Expr:
    """Return when a part is there; a binder over a relation is one over its type for which the relation holds."""
    related: list[Expr] = []
    for each in binders:
        if each.among is not None:
            table, index = each.among
            related.append(Lookup(table, (*index, Bound(each.name, each.type)), BOOL))
    return reduce(lambda left, right: Apply("and", (left, right), BOOL), [*related, part.when])


def _function(coder: Coder, name: str, params: tuple[Parameter, ...], parts: tuple[Expr, ...]) -> None:
    """Write a function from a state and values of the binders to the values of some expressions."""
    _gap(coder)
    scope, locals_ = Scope({}, {}), []
    for param in params:
        locals_.append(coder.writer.name(param.name))
        scope = scope.bind(param.name, locals_[-1], range_of(param.type))
    with coder.writer.block(f"def {name}({', '.join(['s', *locals_])}):"):
        texts = [coder.expr(part, scope).text for part in parts]
        coder.writer.line(f"return {tuple_of(texts)}")


def _gap(coder: Coder) -> None:
    coder.writer.line("")
    coder.writer.line("")
