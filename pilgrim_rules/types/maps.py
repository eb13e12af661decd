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
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.graphs import graph as graphs
from pilgrim_rules.graphs.graph import GraphData
from pilgrim_rules.syntax import ast
from pilgrim_rules.types.folds import Folds
from pilgrim_rules.types.program import MAX_CELLS, POISONED, number, optional
from pilgrim_rules.types.scope import Scope

QUESTIONS: dict[str, tuple[int, str]] = {
    "nodes": (0, "int"), "links": (0, "int"), "components": (0, "int"), "is_forest": (0, "bool"), "has": (1, "bool"),
    "degree": (1, "int"), "reach": (1, "int"), "is_path": (1, "bool"), "linked": (2, "bool"), "connected": (2, "bool"),
    "distance": (2, "optional"),
}  # fmt: skip
MOST_NODES = 1 << 20  #: a bound for what a network can count


@dataclass(slots=True)
class Maps(Folds):
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
        name = self._table(graph, "leads", (nodes, nodes), ir.BOOL, lambda _: tuple(map(int, graphs.leads(data))))
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
        _, nodes, _ = self.program.graphs[found[0]]
        type_ = optional(number(0, nodes.hi))

        def values(data: GraphData) -> tuple[int, ...]:
            return tuple(type_.hi if far is None else far for far in graphs.distances(data))

        table = self._table(found[0], "distance", (nodes, nodes), type_, values)
        index = self.indices(found[1], (nodes, nodes), node.name.text, node.span, scope)
        return POISONED if index is None or table is None else ir.Lookup(table, index, type_)

    # networks ------------------------------------------------------------------------------------------------------

    def network(self, node: ast.Call) -> ast.Network | None:
        """Return the network that a call asks, if it asks one."""
        first = node.args[0] if node.args else None
        base = first.base if isinstance(first, ast.Index) else first
        return self.program.symbols.networks.get(base.text) if isinstance(base, ast.Name) else None

    def ask(self, node: ast.Call, network: ast.Network, scope: Scope) -> ir.Expr:
        """Return a question to a network, which only audits may ask."""
        if not scope.may.network:
            self.program.bag.add(
                codes.PR502,
                f"only an audit may ask a network, not {scope.may.place}",
                node.span,
                help="make it an `audit`",
            )
            return POISONED
        first = node.args[0]
        index_nodes = first.args if isinstance(first, ast.Index) else ()
        types = tuple(self.binder(each, Scope(scope.may))[0].type for each in network.binders)
        index = self.indices(index_nodes, types, network.name.text, node.span, scope)
        count, kind = QUESTIONS[node.name.text]
        if index is None or len(node.args) != count + 1:
            if index is not None:
                self.program.bag.add(
                    codes.PR304, f"`{node.name.text}` asks about {count} nodes, not {len(node.args) - 1}", node.span
                )
            return POISONED
        places = tuple(self._place(arg, scope) for arg in node.args[1:])
        type_ = ir.BOOL if kind == "bool" else number(0, MOST_NODES)
        question: ir.GraphQuestion = node.name.text  # type: ignore[assignment]  # a key of QUESTIONS
        return ir.AskNetwork(
            question, network.name.text, index, places, optional(type_) if kind == "optional" else type_
        )

    def _place(self, node: ast.Arg, scope: Scope) -> tuple[ir.Expr, ...]:
        if isinstance(node, ast.NamedArg):
            self.program.bag.add(codes.PR304, "a node has no name", node.span)
            return (POISONED,)
        items = node.items if isinstance(node, ast.Tuple) else (node,)
        return tuple(self.expr(item, scope) for item in items)
