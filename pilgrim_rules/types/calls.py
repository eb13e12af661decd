"""Calls: definitions and the functions of the language.

Reads:  surface calls, the program, the scope.   Writes: core calls and lookups; graph tables on first use.
After:  every argument lies in the type of its parameter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pilgrim_rules.core import ir
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.graphs import graph as graphs
from pilgrim_rules.graphs.graph import GraphData
from pilgrim_rules.source import Span
from pilgrim_rules.syntax import ast
from pilgrim_rules.types.folds import Folds
from pilgrim_rules.types.program import POISON, POISONED, lit, number, optional
from pilgrim_rules.types.scope import Scope

QUESTIONS: dict[str, tuple[int, str]] = {
    "nodes": (0, "int"), "links": (0, "int"), "components": (0, "int"), "is_forest": (0, "bool"), "has": (1, "bool"),
    "degree": (1, "int"), "reach": (1, "int"), "is_path": (1, "bool"), "linked": (2, "bool"), "connected": (2, "bool"),
    "distance": (2, "optional"),
}  # fmt: skip
MOST_NODES = 1 << 20  #: a bound for what a network can count


@dataclass(slots=True)
class Calls(Folds):
    """The checker of calls: the whole checker of expressions."""

    def call(self, node: ast.Call, scope: Scope, want: ir.Type | None) -> ir.Expr:
        """Return an applied definition, stage or function."""
        name = node.name.text
        definition = self.program.defs.get(name)
        if definition is not None:
            args = self.arguments(name, definition.params, node.args, node.span, scope)
            return POISONED if args is None else ir.Call(name, args, self.program.results[name])
        if name in self.program.stages:
            return self._stage(node, scope)
        network = self._network(node)
        if network is not None and name in QUESTIONS:
            return self._ask(node, network, scope)
        special = self._functions().get(name)
        if special is not None:
            return special(node, scope, want)
        if name not in self.program.broken:
            if name in self.program.symbols.rules:
                self.program.bag.add(codes.PR208, f"`{name}` is a rule, not a definition", node.name.span)
            else:
                self.program.unknown(node.name, (*self.program.defs, *self._functions()), "definition")
        return POISONED

    def _functions(self) -> dict[str, Callable[[ast.Call, Scope, ir.Type | None], ir.Expr]]:
        return {
            "min": self._extreme, "max": self._extreme, "next": self._neighbour, "previous": self._neighbour,
            "seats_after": self._seats, "seats_after_or_at": self._seats, "ord": self._ord, "leads": self._leads,
            "beside": self._beside, "opposite": self._opposite, "distance": self._distance, "possible": self._possible,
        }  # fmt: skip

    def arguments(
        self, name: str, params: tuple[ir.Parameter, ...], args: tuple[ast.Arg, ...], span: Span, scope: Scope
    ) -> tuple[ir.Expr, ...] | None:
        """Return the arguments in the order of the parameters, by place or by name; None after an error."""
        given: dict[str, ast.Expr] = {}
        for at, arg in enumerate(args):
            word = arg.name.text if isinstance(arg, ast.NamedArg) else params[at].name if at < len(params) else ""
            if word not in {param.name for param in params}:
                if isinstance(arg, ast.NamedArg):
                    self.program.unknown(arg.name, [param.name for param in params], f"parameter of `{name}`")
                    return None
                break
            if word in given:
                self.program.bag.add(codes.PR304, f"`{word}` is given twice", arg.span)
                return None
            given[word] = arg.value if isinstance(arg, ast.NamedArg) else arg
        needed = sum(param.default is None for param in params)
        if len(args) > len(params) or any(param.name not in given and param.default is None for param in params):
            counted = f"{needed}" if needed == len(params) else f"{needed} to {len(params)}"
            plural = "argument" if counted == "1" else "arguments"
            self.program.bag.add(codes.PR304, f"`{name}` takes {counted} {plural}, not {len(args)}", span)
            return None
        found: list[ir.Expr] = []
        for param in params:
            node = given.get(param.name)
            if node is None:
                assert param.default is not None, "parameters without default have been found"
                found.append(ir.Lit(param.default, param.type))
            else:
                found.append(self.fitted(node, scope, param.type))
        return None if any(each.type == POISON for each in found) else tuple(found)

    # functions of numbers, enums and players -----------------------------------------------------------------------

    def _plain(self, node: ast.Call, count: int) -> tuple[ast.Expr, ...] | None:
        args = tuple(arg for arg in node.args if not isinstance(arg, ast.NamedArg))
        if len(args) != len(node.args) or len(args) != count:
            plural = "argument" if count == 1 else "arguments"
            self.program.bag.add(codes.PR304, f"`{node.name.text}` takes {count} {plural}, not {len(node.args)}", node.span)
            return None
        return args

    def _extreme(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        args = tuple(self.integer(arg, scope) for arg in node.args if not isinstance(arg, ast.NamedArg))
        if len(args) < 2:  # noqa: PLR2004
            self.program.bag.add(codes.PR304, f"`{node.name.text}` takes two or more arguments", node.span)
            return POISONED
        if any(arg.type == POISON for arg in args):
            return POISONED
        op = max if node.name.text == "max" else min
        type_ = number(op(arg.type.lo for arg in args), op(arg.type.hi for arg in args))
        return ir.Apply("max" if op is max else "min", args, type_)

    def _enum_value(self, node: ast.Expr, scope: Scope, want: ir.Type | None) -> ir.Expr:
        value = self.expr(node, scope, want)
        if value.type.kind != "enum" and value.type != POISON:
            self.fit(value, value.type.parts[0], node.span) if value.type.kind == "optional" else self._wrong(value, "an enum", node.span)
            return POISONED
        return value

    def _neighbour(self, node: ast.Call, scope: Scope, want: ir.Type | None) -> ir.Expr:
        """`next(x)` and `previous(x)`: the label after and before, going round."""
        args = self._plain(node, 1)
        value = POISONED if args is None else self._enum_value(args[0], scope, want)
        if value.type == POISON:
            return POISONED
        size = value.type.size
        step = 1 if node.name.text == "next" else size - 1
        return ir.Apply("mod", (ir.Apply("+", (value, lit(step)), number(step, size - 1 + step)), lit(size)), value.type)

    def _seats(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`seats_after(a, b)`: 1 to n, b == a counts n; `seats_after_or_at(a, b)`: 0 to n - 1."""
        args = self._plain(node, 2)
        if args is None:
            return POISONED
        start, end = (self.fitted(arg, scope, self.program.player) for arg in args)
        size = self.program.player.size
        first = int(node.name.text == "seats_after")
        distance = ir.Apply("-", (ir.Apply("+", (end, lit(size - first)), number(0, 2 * size)), start), number(-size, 2 * size))
        gone = ir.Apply("mod", (distance, lit(size)), number(0, size - 1))
        return ir.Apply("+", (gone, lit(1)), number(1, size)) if first else gone

    def _ord(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`ord(x)`: the place of a label in its enum, from 0."""
        args = self._plain(node, 1)
        value = POISONED if args is None else self._enum_value(args[0], scope, None)
        return POISONED if value.type == POISON else ir.Apply("+", (value, lit(0)), number(0, value.type.hi))

    def _stage(self, node: ast.Call, scope: Scope) -> ir.Expr:
        info = self.program.stages[node.name.text]
        if info.carries is None:
            self.program.bag.add(codes.PR304, f"the stage `{info.name}` carries no value", node.span)
            return POISONED
        args = self._plain(node, 1)
        value = POISONED if args is None else self.fitted(args[0], scope, info.carries)
        if value.type == POISON:
            return POISONED
        shift = info.first - info.carries.lo
        if isinstance(value, ir.Lit):
            return ir.Lit(value.value + shift, self.program.stage)
        return ir.Apply("+", (value, lit(shift)), self.program.stage)

    def _possible(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`possible(action)`: some arguments satisfy all its requirements and costs, its stage left aside."""
        if not scope.may.possible:
            self.program.bag.add(codes.PR409, f"`possible` has no meaning in {scope.may.place}", node.span, help="ask it in a requirement")
            return POISONED
        args = self._plain(node, 1)
        if args is None:
            return POISONED
        if not isinstance(args[0], ast.Name) or args[0].text not in self.program.symbols.rules:
            word = ast.Word(getattr(args[0], "text", "…"), span=args[0].span)
            self.program.unknown(word, self.program.symbols.rules, "action", codes.PR207)
            return POISONED
        name = f"possible {args[0].text}"
        return ir.Call(name, (), ir.BOOL) if name in self.program.defs else POISONED

    # graphs --------------------------------------------------------------------------------------------------------

    def _graph_of(self, node: ast.Call | ast.CallDomain, args: int, scope: Scope, *, sides: bool) -> tuple[str, tuple[ast.Expr, ...]] | None:
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
                help_ = f"name it: `{node.name.text}(Map, …)`" if fitting else "declare a `graph`" + (" with sides" if sides else "")
                self.program.bag.add(codes.PR208, f"`{node.name.text}` must know of which graph", node.span, help=help_)
                return None
            name = fitting[0]
        if len(given) != args:
            self.program.bag.add(codes.PR304, f"`{node.name.text}` takes {args} arguments besides the graph, not {len(given)}", node.span)
            return None
        if sides and self.program.graphs[name][2] is None:
            self.program.bag.add(codes.PR208, f"the graph `{name}` has no sides", node.span)
            return None
        return name, given

    def _table(self, graph: str, what: str, index: tuple[ir.Type, ...], type_: ir.Type, values: Callable[[GraphData], tuple[int, ...]]) -> str:
        """Return the name of a constant table of a graph, made on first use."""
        name = f"{graph}.{what}"
        if name not in self.program.constants:
            data = self.program.graphs[graph][0]
            source = self.program.symbols.graphs[graph]
            self.program.constants[name] = ir.Constant(name, index, type_, values(data), "graph", note=self.program.note(source))
        return name

    def _leads_table(self, graph: str) -> tuple[str, ir.Type]:
        nodes = self.program.graphs[graph][1]
        return self._table(graph, "leads", (nodes, nodes), ir.BOOL, lambda data: tuple(map(int, graphs.leads(data)))), nodes

    def _leads(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        found = self._graph_of(node, 2, scope, sides=False)
        if found is None:
            return POISONED
        table, nodes = self._leads_table(found[0])
        index = self.indices(found[1], (nodes, nodes), node.name.text, node.span, scope)
        return POISONED if index is None else ir.Lookup(table, index, ir.BOOL)

    def around(self, node: ast.CallDomain, scope: Scope) -> tuple[ir.Type, tuple[str, tuple[ir.Expr, ...]]] | None:
        """Return the neighbours of a node: their type, and the relation that holds of them."""
        found = self._graph_of(node, 1, scope, sides=False)
        if found is None:
            return None
        table, nodes = self._leads_table(found[0])
        index = self.indices(found[1], (nodes,), "around", node.span, scope)
        return None if index is None else (nodes, (table, index))

    def _beside(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
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
        return POISONED if index is None else ir.Lookup(table, index, type_)

    def _opposite(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        found = self._graph_of(node, 1, scope, sides=True)
        if found is None:
            return POISONED
        sides = self.program.graphs[found[0]][2]
        assert sides is not None, "asked for a graph with sides"
        table = self._table(found[0], "opposite", (sides,), sides, lambda data: graphs.opposite(len(data.sides)))
        index = self.indices(found[1], (sides,), node.name.text, node.span, scope)
        return POISONED if index is None else ir.Lookup(table, index, sides)

    def _distance(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        found = self._graph_of(node, 2, scope, sides=False)
        if found is None:
            return POISONED
        _, nodes, _ = self.program.graphs[found[0]]
        type_ = optional(number(0, nodes.hi))

        def values(data: GraphData) -> tuple[int, ...]:
            return tuple(type_.hi if far is None else far for far in graphs.distances(data))

        table = self._table(found[0], "distance", (nodes, nodes), type_, values)
        index = self.indices(found[1], (nodes, nodes), node.name.text, node.span, scope)
        return POISONED if index is None else ir.Lookup(table, index, type_)

    # networks ------------------------------------------------------------------------------------------------------

    def _network(self, node: ast.Call) -> ast.Network | None:
        first = node.args[0] if node.args else None
        base = first.base if isinstance(first, ast.Index) else first
        return self.program.symbols.networks.get(base.text) if isinstance(base, ast.Name) else None

    def _ask(self, node: ast.Call, network: ast.Network, scope: Scope) -> ir.Expr:
        if not scope.may.network:
            self.program.bag.add(codes.PR502, f"only an audit may ask a network, not {scope.may.place}", node.span)
            return POISONED
        first = node.args[0]
        index_nodes = first.args if isinstance(first, ast.Index) else ()
        types = tuple(self.binder(each, Scope(scope.may))[0].type for each in network.binders)
        index = self.indices(index_nodes, types, network.name.text, node.span, scope)
        count, kind = QUESTIONS[node.name.text]
        if index is None or len(node.args) != count + 1:
            if index is not None:
                self.program.bag.add(codes.PR304, f"`{node.name.text}` asks about {count} nodes, not {len(node.args) - 1}", node.span)
            return POISONED
        places = tuple(self._place(arg, scope) for arg in node.args[1:])
        type_ = ir.BOOL if kind == "bool" else number(0, MOST_NODES)
        question: ir.GraphQuestion = node.name.text  # type: ignore[assignment]  # a key of QUESTIONS
        return ir.AskNetwork(question, network.name.text, index, places, optional(type_) if kind == "optional" else type_)

    def _place(self, node: ast.Arg, scope: Scope) -> tuple[ir.Expr, ...]:
        if isinstance(node, ast.NamedArg):
            self.program.bag.add(codes.PR304, "a node has no name", node.span)
            return (POISONED,)
        items = node.items if isinstance(node, ast.Tuple) else (node,)
        return tuple(self.expr(item, scope) for item in items)
