"""Operators: arithmetic, comparisons, connectives, tests, and values of another time or type.

Reads:  surface expressions, the program, the scope.   Writes: core expressions.
After:  no number leaves its bounds, no divisor can be zero, and both sides of a comparison have one type.
"""

from __future__ import annotations

from dataclasses import dataclass

from pilgrim_rules.core import ir
from pilgrim_rules.core.fits import comparable
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.source import Span
from pilgrim_rules.syntax import ast
from pilgrim_rules.types.fit import fit, meet
from pilgrim_rules.types.measure import MAX_SIZE
from pilgrim_rules.types.program import FALSE, MAX_NUMBER, POISON, POISONED, TRUE, conjunction, lit, number
from pilgrim_rules.types.scope import Scope
from pilgrim_rules.types.times import moved
from pilgrim_rules.types.values import Values


@dataclass(slots=True)
class Operators(Values):
    """The checker of operators."""

    def _negative(self, value: ir.Expr) -> ir.Expr:
        if isinstance(value, ir.Lit) and value.type != POISON:
            return lit(-value.value)
        return ir.Apply("-", (lit(0), value), number(-value.type.hi, -value.type.lo))

    def _connective(self, node: ast.Binary, scope: Scope) -> ir.Expr:
        left = self.boolean(node.left, scope)
        inner = self.learn(left, scope, held=node.op != "or")
        right = self.boolean(node.right, inner)
        return ir.Apply(node.op, (left, right), ir.BOOL)  # type: ignore[arg-type]  # one of the three

    def _arithmetic(self, node: ast.Binary, scope: Scope) -> ir.Expr:
        left, right = self.integer(node.left, scope), self.integer(node.right, scope)
        if POISON in (left.type, right.type):
            return POISONED
        if node.op in ("div", "mod") and right.type.lo < 1:
            self.program.bag.add(
                codes.PR309,
                f"the divisor can be {right.type.lo}",
                node.right.span,
                help="test that it is at least 1 first",
            )
            return POISONED
        lo, hi = _bounds(node.op, left.type, right.type)
        if max(abs(lo), abs(hi)) > MAX_NUMBER:
            help_ = "give what it is made of a smaller range"
            self.program.bag.add(codes.PR314, f"this can grow beyond {MAX_NUMBER:,}", node.span, help=help_)
            return POISONED
        if lo == hi and isinstance(left, ir.Lit) and isinstance(right, ir.Lit):
            return lit(lo)
        return ir.Apply(node.op, (left, right), number(lo, hi))  # type: ignore[arg-type]  # one of the five

    def _comparison(self, node: ast.Binary, scope: Scope) -> ir.Expr:
        left, right = self._two_sides(node.left, node.right, scope)
        if POISON in (left.type, right.type):
            return ir.Lit(0, ir.BOOL)
        if node.op not in ("==", "!=") and not left.type.kind == right.type.kind == "int":
            for side, at in ((left, node.left), (right, node.right)):
                if side.type.kind != "int":
                    self.program.bag.add(codes.PR308, f"`{node.op}` compares numbers, not `{side.type.name}`", at.span)
                    break
            return ir.Lit(0, ir.BOOL)
        both = meet(self.program, left, right)
        if both is None or not comparable(both[0].type, both[1].type):
            self.program.bag.add(
                codes.PR308, f"`{left.type.name}` and `{right.type.name}` cannot be compared", node.span
            )
            return ir.Lit(0, ir.BOOL)
        return ir.Apply(node.op, both, ir.BOOL)  # type: ignore[arg-type]  # a comparison

    def _two_sides(self, left: ast.Expr, right: ast.Expr, scope: Scope) -> tuple[ir.Expr, ir.Expr]:
        """Check the side whose type is plain first, so that a label or `none` on the other side can follow it."""
        if self._needs_help(left, scope) and not self._needs_help(right, scope):
            second = self.expr(right, scope)
            return self.expr(left, scope, second.type), second
        first = self.expr(left, scope)
        return first, self.expr(right, scope, first.type)

    def _needs_help(self, node: ast.Expr, scope: Scope) -> bool:
        if isinstance(node, ast.Tuple):
            return True
        plain = (*scope.names, *self.program.variables, *self.program.constants, "true", "false", "players")
        return isinstance(node, ast.Name) and node.text not in plain

    def _is_test(self, node: ast.IsTest, scope: Scope) -> ir.Expr:
        value = self.expr(node.value, scope)
        type_ = value.type
        what = node.what.text
        if type_ == POISON:
            return FALSE
        if what in ("some", "none"):
            test: ir.Expr
            if type_.kind != "optional":
                if value in scope.facts.values():
                    test = FALSE if what == "none" else TRUE
                else:
                    self.program.bag.add(codes.PR301, f"`{type_.name}` is never `none`", node.span)
                    return FALSE
            else:
                op: ir.Operator = "!=" if (what == "some") != node.negated else "=="
                return ir.Apply(op, (value, ir.Lit(type_.hi, type_)), ir.BOOL)
        else:
            test = self.member_test(value, self.declare.type(ast.TypeName(what, span=node.what.span)), node.span)
        return ir.Apply("not", (test,), ir.BOOL) if node.negated else test

    def member_test(self, value: ir.Expr, type_: ir.Type, span: Span) -> ir.Expr:
        """Return the test that a value lies in a narrower type."""
        have = value.type
        if POISON in (have, type_):
            return FALSE
        if have.kind == "int" and type_.kind == "int":
            return conjunction(*_within(value, type_.lo, type_.hi))
        if have.kind == "optional" and have.parts[0] == type_:
            return ir.Apply("!=", (value, ir.Lit(have.hi, have)), ir.BOOL)
        for member, offset in self.program.unions.get(have.name, ()):
            if member == type_:
                return conjunction(*_within(value, offset, offset + member.hi))
        if have == type_:
            return TRUE
        self.program.bag.add(codes.PR308, f"`{have.name}` has no part `{type_.name}`", span)
        return FALSE

    def _ternary(self, node: ast.Ternary, scope: Scope, want: ir.Type | None) -> ir.Expr:
        test = self.boolean(node.test, scope)
        yes, no = self.learn(test, scope, held=True), self.learn(test, scope, held=False)
        if self._needs_help(node.then, scope) and want is None and not self._needs_help(node.other, scope):
            other = self.expr(node.other, no)
            then = self.expr(node.then, yes, other.type)
        else:
            then = self.expr(node.then, yes, want)
            other = self.expr(node.other, no, want if want is not None else then.type)
        if POISON in (then.type, other.type):
            return POISONED
        if then.type.kind == other.type.kind == "int":
            return ir.Cond(
                test, then, other, number(min(then.type.lo, other.type.lo), max(then.type.hi, other.type.hi))
            )
        for wanted in (then.type, other.type, *(() if want is None else (want,))):
            one, two = fit(self.program, then, wanted), fit(self.program, other, wanted)
            if one is not None and two is not None:
                return ir.Cond(test, one, two, wanted)
        self.program.bag.add(codes.PR308, f"one branch is `{then.type.name}`, the other `{other.type.name}`", node.span)
        return POISONED

    def _old(self, node: ast.Old, value: ast.Expr, scope: Scope, want: ir.Type | None) -> ir.Expr:
        if not scope.may.old:
            self.program.bag.add(
                codes.PR409,
                f"`old` has no meaning in {scope.may.place}",
                node.span,
                help="only effects change the state",
            )
            return POISONED
        present = self.expr(value, scope.forget(frozenset(self.program.variables)), want)
        return self.at_time(present, "old", node.span)

    def at_time(self, expr: ir.Expr, when: ir.When, span: Span) -> ir.Expr:
        """Return an expression as asked of the state at another time."""
        found = self.program.measure(expr)
        if found.size > MAX_SIZE:
            what = f"this grows to {found.size:,} parts when its definitions are opened; {MAX_SIZE:,} is the limit"
            self.program.bag.add(codes.PR416, what, span, help="keep the earlier value in a state variable or a `let`")
            return POISONED
        return moved(expr, when, self.program.defs)

    def _the(self, node: ast.The, value: ast.Expr, scope: Scope, want: ir.Type | None) -> ir.Expr:
        if not scope.may.the:
            help_ = 'test the value instead, or use `let y = x else "…"`'
            self.program.bag.add(codes.PR409, f"`the` has no meaning in {scope.may.place}", node.span, help=help_)
            return POISONED
        expr = self.expr(value, scope, want)
        if expr.type == POISON:
            return POISONED
        inner = expr.type.parts[0] if expr.type.kind == "optional" else expr.type
        target = inner
        if want is not None and want.kind == "int" and inner.kind == "int":
            target = (
                number(max(want.lo, inner.lo), min(want.hi, inner.hi))
                if max(want.lo, inner.lo) <= min(want.hi, inner.hi)
                else want
            )
        elif want is not None and want != inner:
            for member, offset in self.program.unions.get(inner.name, ()):
                if member == want and offset == 0:
                    target = member
        return ir.Checked(expr, target, span=node.span) if target != expr.type else expr


def _within(value: ir.Expr, lo: int, hi: int) -> list[ir.Expr]:
    tests: list[ir.Expr] = []
    if lo > value.type.lo:
        tests.append(ir.Apply(">=", (value, _code(lo, value.type)), ir.BOOL))
    if hi < value.type.hi:
        tests.append(ir.Apply("<=", (value, _code(hi, value.type)), ir.BOOL))
    return tests


def _code(code: int, type_: ir.Type) -> ir.Lit:
    """Return a code to compare with: a number is one of its own, a label one of the type."""
    return lit(code) if type_.kind == "int" else ir.Lit(code, type_)


def _bounds(op: str, left: ir.Type, right: ir.Type) -> tuple[int, int]:
    match op:
        case "+":
            return left.lo + right.lo, left.hi + right.hi
        case "-":
            return left.lo - right.hi, left.hi - right.lo
        case "*":
            corners = [a * b for a in (left.lo, left.hi) for b in (right.lo, right.hi)]
            return min(corners), max(corners)
        case "div":
            corners = [a // b for a in (left.lo, left.hi) for b in (right.lo, right.hi)]
            return min(corners), max(corners)
        case _:
            if left.lo >= 0 and left.hi < right.lo:
                return left.lo, left.hi
            return 0, right.hi - 1
