"""Checker: what all parts of the checker of expressions share: fitting a value to a type, learning from tests.

Reads:  surface expressions, the program, the scope.   Writes: core expressions.
After:  every index lies inside its table and no `none` is used as a value, because a test around the place says so; where
        the text does not say so, the bag holds an error and the expression is poisoned.

The checker is one object; its classes follow each other by topic: `Values` (names and tables), `Operators`, `Folds`
(quantifiers), `Maps` (graphs and networks), `Calls` (definitions and functions), `Expressions` (which puts them together).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pilgrim_rules.core import ir
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.check.coerce import coerced
from pilgrim_rules.language.check.declare import Declare
from pilgrim_rules.language.check.narrowing import decided, learn
from pilgrim_rules.language.check.program_info import POISON, POISONED, ProgramInfo
from pilgrim_rules.language.check.scope import Scope
from pilgrim_rules.language.syntax import ast


@dataclass(slots=True)
class Checker:
    """The ways in: an expression as it is, as a test, as a number, as a value of a type."""

    program: ProgramInfo
    declare: Declare

    def expr(self, node: ast.Expr, scope: Scope, want: ir.Type | None = None) -> ir.Expr:
        """Return the core expression; `want` is the type its place prefers, which decides between equal labels."""
        raise NotImplementedError

    def boolean(self, node: ast.Expr, scope: Scope) -> ir.Expr:
        """Return a test."""
        return self.fitted(node, scope, ir.BOOL)

    def integer(self, node: ast.Expr, scope: Scope) -> ir.Expr:
        """Return a number."""
        expr = self.expr(node, scope)
        if expr.type.kind != "int":
            self._wrong(expr, "a number", node.span)
            return POISONED
        return expr

    def fitted(self, node: ast.Expr, scope: Scope, want: ir.Type, what: codes.Code = codes.PR301) -> ir.Expr:
        """Return the expression as a value of the wanted type."""
        expr = self.expr(node, scope, want)
        return self.coerce(expr, want, node.span, what)

    def coerce(self, expr: ir.Expr, want: ir.Type, span: Span, code: codes.Code = codes.PR301) -> ir.Expr:
        """Return the expression under the wanted type, or report that it does not fit."""
        made = coerced(self.program, expr, want)
        if made is not None:
            return made
        have = expr.type
        if have.kind == "optional" and coerced(self.program, ir.Bound("probe", have.parts[0]), want) is not None:
            help_ = 'test it first: `x is some and …`, `require x is some`, or `let y = x else "…"`'
            self.program.bag.add(codes.PR306, f"this may be `none`, but `{want.name}` is wanted", span, help=help_)
        elif have.kind == want.kind == "int":
            code = codes.PR305 if code is codes.PR305 else codes.PR301
            fixed = have.lo == have.hi
            hint = None if fixed else f"test it first, so that only {want.lo} to {want.hi} are left"
            said = f"this is {have.lo}" if fixed else f"this can be {have.lo} to {have.hi}"
            self.program.bag.add(code, f"{said}, but {want.lo} to {want.hi} is wanted", span, help=hint)
        else:
            self._wrong(expr, f"`{want.name}`", span)
        return ir.Lit(want.lo, POISON)

    def learn(self, test: ir.Expr, scope: Scope, *, held: bool = True) -> Scope:
        """Return the scope in which the test held (or failed)."""
        known = scope.know(learn(self.program, test, held=held))
        return replace(known, dead=True) if decided(test) is (not held) else known

    def _wrong(self, expr: ir.Expr, wanted: str, span: Span) -> None:
        if expr.type is not POISON and expr.type != POISON:
            self.program.bag.add(codes.PR301, f"this is `{expr.type.name}`, but {wanted} is wanted", span)
