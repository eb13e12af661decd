"""Maps: questions to graphs, which are constant, and to networks, which are graphs of the present state.

Reads:  surface calls, the program, the scope.   Writes: core lookups and questions; graph tables on first use.
After:  every node that is asked about is a node of the graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import prod

from pilgrim_rules.core import ir
from pilgrim_rules.core.operators import QUESTIONS
from pilgrim_rules.core.smart_constructors import number, optional
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.inputs.graphs import graph as graphs
from pilgrim_rules.inputs.graphs.graph import GraphData
from pilgrim_rules.language.check.folds import Folds
from pilgrim_rules.language.check.program_info import MAX_CELLS, POISON, POISONED
from pilgrim_rules.language.check.scope import Scope
from pilgrim_rules.language.syntax import ast

MOST_NODES = 1 << 20  #: a bound for what a network can count


@dataclass(slots=True)
class GraphQuestions(Folds):
    """The checker of questions to graphs and networks."""

    # graphs --------------------------------------------------------------------------------------------------------

    def _graph_of(
        self, node: ast.Call | ast.CallDomain, args: int, scope: Scope, *, sides: bool
    ) -> tuple[str, tuple[ast.Expr, ...]] | None:
        """Return the graph a call speaks of, and its other arguments: the first names it, or there is only one."""
        given = tuple(arg for arg in node.args if not isinstance(arg, ast.NamedArg))
        first = given[0] if given else None
        if isinstance(first, ast.Name) and first.text in self.program.symbols.graphs and first.text not in scope.names:
            name, given = first.text, given[1:]
            if name not in self.program.graphs:
                return None  # it could not be read, which has been said
        else:
            fitting = [name for name, (_, _, side) in self.program.graphs.items() if side is not None or not sides]
            if len(fitting) != 1:
                help_ = (
                    f"name it: `{node.name.text}(Map, …)`"
                    if fitting
                    else "declare a `graph`" + (" with sides" if sides else "")
                )
                self.program.bag.add(codes.PR208, f"`{node.name.text}` must know of which graph", node.span, help=help_)
                return None
            name = fitting[0]
        if len(given) != args:
            self.program.bag.add(
                codes.PR304, f"`{node.name.text}` takes {args} arguments besides the graph, not {len(given)}", node.span
            )
            return None
        if sides and self.program.graphs[name][2] is None:
            self.program.bag.add(codes.PR208, f"the graph `{name}` has no sides", node.span)
            return None
        return name, given

    def _table(
        self,
        graph: str,
        what: str,
        index: tuple[ir.Type, ...],
        type_: ir.Type,
        values: Callable[[GraphData], tuple[int, ...]],
    ) -> str | None:
        """Return the name of a constant table of a graph, made on first use; None if it is too large."""
        name = f"{graph}.{what}"
        if name in self.program.broken:
            return None
        if name not in self.program.constants:
            data = self.program.graphs[graph][0]
            source = self.program.symbols.graphs[graph]
            cells = prod(each.size for each in index)
            if cells > MAX_CELLS:
                said = f"`{what}` of `{graph}` would be a table of {cells:,} cells; {MAX_CELLS:,} is the limit"
                self.program.bag.add(codes.PR303, said, source.name.span)
                self.program.broken.add(name)
                return None
            self.program.constants[name] = ir.Constant(
                name, index, type_, values(data), "graph", note=self.program.note(source)
            )
        return name

    def _leads_table(self, graph: str) -> tuple[str | None, ir.Type]:
        data, nodes, _ = self.program.graphs[graph]
        name = self._table(graph, "leads", (nodes, nodes), ir.BOOL, lambda _: tuple(map(int, graphs.arc_table(data))))
        if name is not None and name not in self.program.degrees:
            self.program.degrees[name] = max(Counter(start for start, _ in data.arcs).values(), default=0)
        return name, nodes

    def leads(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """Return whether an arc leads from one node to another: `leads(Map, a, b)`."""
        found = self._graph_of(node, 2, scope, sides=False)
        if found is None:
            return POISONED
        table, nodes = self._leads_table(found[0])
        index = self.indices(found[1], (nodes, nodes), node.name.text, node.span, scope)
        return POISONED if index is None or table is None else ir.Lookup(table, index, ir.BOOL)

    def around(self, node: ast.CallDomain, scope: Scope) -> tuple[ir.Type, tuple[str, tuple[ir.Expr, ...]]] | None:
        """Return the neighbours of a node: their type, and the relation that holds of them."""
        found = self._graph_of(node, 1, scope, sides=False)
        if found is None:
            return None
        table, nodes = self._leads_table(found[0])
        index = self.indices(found[1], (nodes,), "around", node.span, scope)
        return None if index is None or table is None else (nodes, (table, index))

    def beside(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """Return the neighbour at a side, if there is one: `beside(h, s)`."""
        found = self._graph_of(node, 2, scope, sides=True)
        if found is None:
            return POISONED
        _, nodes, sides = self.program.graphs[found[0]]
        assert sides is not None, "asked for a graph with sides"
        type_ = optional(nodes)

        def values(data: GraphData) -> tuple[int, ...]:
            return tuple(type_.hi if there is None else there for row in data.beside for there in row)

        table = self._table(found[0], "beside", (nodes, sides), type_, values)
        index = self.indices(found[1], (nodes, sides), node.name.text, node.span, scope)
        return POISONED if index is None or table is None else ir.Lookup(table, index, type_)

    def opposite(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """Return the side across: `opposite(s)`."""
        found = self._graph_of(node, 1, scope, sides=True)
        if found is None:
            return POISONED
        sides = self.program.graphs[found[0]][2]
        assert sides is not None, "asked for a graph with sides"
        table = self._table(found[0], "opposite", (sides,), sides, lambda data: graphs.opposite(len(data.sides)))
        index = self.indices(found[1], (sides,), node.name.text, node.span, scope)
        return POISONED if index is None or table is None else ir.Lookup(table, index, sides)

    def distance(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """Return the length of a shortest way, if there is one: `distance(Map, a, b)`."""
        found = self._graph_of(node, 2, scope, sides=False)
        if found is None:
            return POISONED
        type_ = optional(number(0, self.program.graphs[found[0]][1].hi))

        def values(data: GraphData) -> tuple[int, ...]:
            return tuple(type_.hi if far is None else far for far in graphs.distances(data))

        return self._node_table(node, 2, type_, values, scope)

    def connected(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """Return whether there is a way: `connected(Map, a, b)`."""

        def values(data: GraphData) -> tuple[int, ...]:
            return tuple(int(far is not None) for far in graphs.distances(data))

        return self._node_table(node, 2, ir.BOOL, values, scope)

    def reach(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """Return how many nodes can be reached, this one included: `reach(Map, a)`."""

        def values(data: GraphData) -> tuple[int, ...]:
            size, far = len(data.nodes), graphs.distances(data)
            return tuple(sum(far[start * size + end] is not None for end in range(size)) for start in range(size))

        return self._node_table(node, 1, None, values, scope)

    def degree(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """Return how many arcs lead from a node: `degree(Map, a)`."""

        def values(data: GraphData) -> tuple[int, ...]:
            return tuple(sum(start == at for start, _ in data.arcs) for at in range(len(data.nodes)))

        return self._node_table(node, 1, None, values, scope)

    def between(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """Return the edge from one node to another, if there is one: `between(Map, a, b)`."""
        found = self._graph_of(node, 2, scope, sides=False)
        if found is None:
            return POISONED
        named = self.program.symbols.graphs[found[0]].edges
        type_ = None if named is None else self.program.types.get(named.text)
        if named is None or type_ is None or type_ == POISON:
            if named is None:
                help_ = f"give them a type: `graph {found[0]} edges Edge`"
                self.program.bag.add(codes.PR208, f"the edges of `{found[0]}` have no name", node.span, help=help_)
            return POISONED
        edge = optional(type_)

        def values(data: GraphData) -> tuple[int, ...]:
            number_of = {ends: at for at, ends in enumerate(graphs.edges(data))}
            arcs, nodes = set(data.arcs), range(len(data.nodes))
            return tuple(
                number_of.get((start, end), number_of.get((end, start), edge.hi)) if (start, end) in arcs else edge.hi
                for start in nodes
                for end in nodes
            )

        return self._node_table(node, 2, edge, values, scope)

    def _node_table(
        self,
        node: ast.Call,
        count: int,
        type_: ir.Type | None,
        values: Callable[[GraphData], tuple[int, ...]],
        scope: Scope,
    ) -> ir.Expr:
        """Return a cell of a constant table over nodes; without a type it counts nodes."""
        found = self._graph_of(node, count, scope, sides=False)
        if found is None:
            return POISONED
        nodes = self.program.graphs[found[0]][1]
        type_ = type_ or number(0, nodes.size)
        table = self._table(found[0], node.name.text, (nodes,) * count, type_, values)
        index = self.indices(found[1], (nodes,) * count, node.name.text, node.span, scope)
        return POISONED if index is None or table is None else ir.Lookup(table, index, type_)

    # networks ------------------------------------------------------------------------------------------------------

    def network(self, node: ast.Call) -> ast.Network | None:
        """Return the network that a call asks, if it asks one."""
        first = node.args[0] if node.args else None
        base = first.base if isinstance(first, ast.Index) else first
        return self.program.symbols.networks.get(base.text) if isinstance(base, ast.Name) else None

    def ask(self, node: ast.Call, network: ast.Network, scope: Scope) -> ir.Expr:
        """Return a question to a network, which only what looks on from outside may ask: audits, scores, examples."""
        if not scope.may.network:
            self.only_looked_at(f"{scope.may.place} cannot ask a network", node.span)
            return POISONED
        first = node.args[0]
        index_nodes = first.args if isinstance(first, ast.Index) else ()
        types = tuple(self.binder(each, Scope(scope.may))[0].type for each in network.binders)
        index = self.indices(index_nodes, types, network.name.text, node.span, scope)
        question: ir.GraphQuestion = node.name.text  # type: ignore[assignment]  # the caller has looked it up
        count, kind = QUESTIONS[question]
        if index is None or len(node.args) != count + 1:
            if index is not None:
                self.program.bag.add(
                    codes.PR304, f"`{node.name.text}` asks about {count} nodes, not {len(node.args) - 1}", node.span
                )
            return POISONED
        places = tuple(self._place(arg, scope) for arg in node.args[1:])
        type_ = ir.BOOL if kind == "bool" else number(0, MOST_NODES)
        return ir.AskNetwork(
            question, network.name.text, index, places, optional(type_) if kind == "optional" else type_
        )

    def _place(self, node: ast.Arg, scope: Scope) -> tuple[ir.Expr, ...]:
        if isinstance(node, ast.NamedArg):
            self.program.bag.add(codes.PR304, "a node has no name", node.span)
            return (POISONED,)
        items = node.items if isinstance(node, ast.Tuple) else (node,)
        return tuple(self.expr(item, scope) for item in items)
