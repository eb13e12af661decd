"""Calls: definitions and the functions of the language.

Reads:  surface calls, the program, the scope.   Writes: core calls.
After:  every argument lies in the type of its parameter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pilgrim_rules.core import ir
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.source import Span
from pilgrim_rules.syntax import ast
from pilgrim_rules.types.maps import QUESTIONS, Maps
from pilgrim_rules.types.program import POISON, POISONED, lit, number
from pilgrim_rules.types.scope import Scope


@dataclass(slots=True)
class Calls(Maps):
    """The checker of calls."""

    def call(self, node: ast.Call, scope: Scope, want: ir.Type | None) -> ir.Expr:
        """Return an applied definition, stage or function."""
        name = node.name.text
        definition = self.program.defs.get(name)
        if definition is not None:
            args = self.arguments(name, definition.params, node.args, node.span, scope)
            readable = self.readable(node.name, scope)
            return ir.Call(name, args, definition.body.type) if args is not None and readable else POISONED
        if name in self.program.stages:
            return self._stage(node, scope)
        network = self.network(node)
        if network is not None and name in QUESTIONS:
            return self.ask(node, network, scope)
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
            "seats_after": self._seats, "seats_after_or_at": self._seats, "ord": self._ord, "leads": self.leads,
            "beside": self.beside, "opposite": self.opposite, "distance": self.distance, "possible": self._possible,
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
            self.program.bag.add(
                codes.PR304, f"`{node.name.text}` takes {count} {plural}, not {len(node.args)}", node.span
            )
            return None
        return args

    def _extreme(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        args = tuple(self.integer(arg, scope) for arg in node.args if not isinstance(arg, ast.NamedArg))
        if len(args) < 2:  # noqa: PLR2004  (two or more)
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
            self.fit(value, value.type.parts[0], node.span) if value.type.kind == "optional" else self._wrong(
                value, "an enum", node.span
            )
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
        return ir.Apply(
            "mod", (ir.Apply("+", (value, lit(step)), number(step, size - 1 + step)), lit(size)), value.type
        )

    def _seats(self, node: ast.Call, scope: Scope, _want: ir.Type | None) -> ir.Expr:
        """`seats_after(a, b)`: 1 to n, b == a counts n; `seats_after_or_at(a, b)`: 0 to n - 1."""
        args = self._plain(node, 2)
        if args is None:
            return POISONED
        start, end = (self.fitted(arg, scope, self.program.player) for arg in args)
        size = self.program.player.size
        first = int(node.name.text == "seats_after")
        distance = ir.Apply(
            "-", (ir.Apply("+", (end, lit(size - first)), number(0, 2 * size)), start), number(-size, 2 * size)
        )
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
            self.program.bag.add(
                codes.PR409,
                f"`possible` has no meaning in {scope.may.place}",
                node.span,
                help="ask it in a requirement",
            )
            return POISONED
        args = self._plain(node, 1)
        if args is None:
            return POISONED
        if not isinstance(args[0], ast.Name) or args[0].text not in self.program.symbols.rules:
            word = ast.Word(getattr(args[0], "text", "…"), span=args[0].span)
            self.program.unknown(word, self.program.symbols.rules, "action", codes.PR207)
            return POISONED
        name = f"possible.{args[0].text}"
        return ir.Call(name, (), ir.BOOL) if name in self.program.defs else POISONED
