"""Expressions: surface expressions -> core expressions with finite types; the parts of the checker put together.

Reads:  surface expressions, the program, the scope.   Writes: core expressions.
After:  see `Checker`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from pilgrim_rules.core import ir
from pilgrim_rules.core.smart_constructors import lit
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.calls import Calls
from pilgrim_rules.language.check.program_info import MAX_NUMBER, POISONED, negative
from pilgrim_rules.language.check.scope import Scope
from pilgrim_rules.language.syntax import ast


@dataclass(slots=True)
class Expressions(Calls):
    """The whole checker of expressions."""

    def expr(self, node: ast.Expr, scope: Scope, want: ir.Type | None = None) -> ir.Expr:
        """Return the core expression; `want` is the type its place prefers, which decides between equal labels."""
        made = self._expr(node, scope, want)
        while made in scope.facts:  # each fact has a narrower type than the one before
            made = scope.facts[made]
        return made

    def _expr(self, node: ast.Expr, scope: Scope, want: ir.Type | None) -> ir.Expr:
        match node:
            case ast.Number(value=value):
                if abs(value) > MAX_NUMBER:
                    self.program.bag.add(codes.PR314, f"numbers go from -{MAX_NUMBER:,} to {MAX_NUMBER:,}", node.span)
                    return POISONED
                return lit(value)
            case ast.Name():
                return self.name(node, scope, want)
            case ast.Index():
                return self._index(node, scope)
            case ast.Attribute():
                return self._column(node, (), scope)
            case ast.PairPart():
                return self._part(node, scope)
            case ast.Tuple():
                return self._tuple(node, scope, want)
            case ast.Unary(op="not", value=value_):
                return ir.Apply("not", (self.boolean(value_, scope),), ir.BOOL)
            case ast.Unary(value=value_):
                return negative(self.integer(value_, scope))
            case ast.Binary():
                return self._binary(node, scope)
            case ast.IsTest():
                return self._is_test(node, scope)
            case ast.Ternary():
                return self._ternary(node, scope, want)
            case ast.Old(value=value_):
                return self._old(node, value_, scope, want)
            case ast.The(value=value_):
                return self._the(node, value_, scope, want)
            case ast.Text():
                self.program.bag.add(codes.PR301, "a text is no value", node.span, help="a name has no quotes")
                return POISONED
            case ast.Listing():
                self.program.bag.add(codes.PR301, "a list can only be the value of a parameter", node.span)
                return POISONED
            case ast.Call():
                return self.call(node, scope, want)
            case ast.InTest() | ast.Quantifier() | ast.Aggregate() | ast.Unique() | ast.Pick():
                return self.fold(node, scope)
            case _:
                assert_never(node)
