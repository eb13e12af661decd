"""Operators: arithmetic, comparisons, connectives, tests, and values of another time or type.

Reads:  surface expressions, the program, the scope.   Writes: core expressions.
After:  no number leaves its bounds, no divisor can be zero, and both sides of a comparison have one type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from pilgrim_rules.core import ir
from pilgrim_rules.core.at_time import old
from pilgrim_rules.core.forms import expand_form, folded
from pilgrim_rules.core.operators import OPERATIONS, result_range
from pilgrim_rules.core.smart_constructors import FALSE, TRUE, number
from pilgrim_rules.core.type_order import comparable
from pilgrim_rules.core.zones import is_place
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.diagnostics.source import Span
from pilgrim_rules.language.check.blocks import block_of, is_reset
from pilgrim_rules.language.check.coerce import as_common_type, coerced
from pilgrim_rules.language.check.expression_size import MAX_SIZE
from pilgrim_rules.language.check.program_info import MAX_NUMBER, POISON, POISONED
from pilgrim_rules.language.check.scope import Scope
from pilgrim_rules.language.check.values import Values
from pilgrim_rules.language.syntax import ast


@dataclass(slots=True)
class Operators(Values):
    """The checker of operators."""

    def _binary(self, node: ast.Binary, scope: Scope) -> ir.Expr:
        group = OPERATIONS[node.op].group
        match group:
            case "connective":
                return self._connective(node, scope)
            case "arithmetic":
                return self._arithmetic(node, scope)
            case "order" | "equality":
                return self._comparison(node, scope)
            case _:
                assert_never(group)

    def _connective(self, node: ast.Binary, scope: Scope) -> ir.Expr:
        left = self.boolean(node.left, scope)
        decides = OPERATIONS[node.op].short_circuit
        # What the left side must be for the right side to be asked at all; nothing is learned where it is always asked.
        asked = [value for value in (0, 1) if decides is not None and decides(0, value) is None]
        inner = self.learn(left, scope, held=asked == [1]) if len(asked) == 1 else scope
        right = self.boolean(node.right, inner)
        return ir.Apply(node.op, (left, right), ir.BOOL)

    def _arithmetic(self, node: ast.Binary, scope: Scope) -> ir.Expr:
        left, right = self.integer(node.left, scope), self.integer(node.right, scope)
        if POISON in (left.type, right.type):
            return POISONED
        if OPERATIONS[node.op].divides and right.type.lo < 1:
            self.program.bag.add(
                codes.PR309,
                f"the divisor can be {right.type.lo}",
                node.right.span,
                help="test that it is at least 1 first",
            )
            return POISONED
        lo, hi = result_range(node.op, (left, right))
        if max(abs(lo), abs(hi)) > MAX_NUMBER and not self.endless(left, right):
            help_ = "give what it is made of a smaller range"
            self.program.bag.add(codes.PR314, f"this can grow beyond {MAX_NUMBER:,}", node.span, help=help_)
            return POISONED
        made = ir.Apply(node.op, (left, right), number(lo, hi))
        if lo == hi and isinstance(left, ir.Lit) and isinstance(right, ir.Lit):
            return folded(made)
        return made

    def endless(self, *parts: ir.Expr) -> bool:
        """Tell whether one of the parts is made of a counter without upper end, so that there is nothing to limit."""
        return any(part.type.hi >= ir.OPEN_END or part.type.lo <= -ir.OPEN_END for part in parts)

    def _comparison(self, node: ast.Binary, scope: Scope) -> ir.Expr:
        if node.op in ("==", "!=") and self._is_absent_player(node, scope):
            return FALSE if node.op == "==" else TRUE
        left, right = self._two_sides(node.left, node.right, scope)
        if POISON in (left.type, right.type):
            return ir.Lit(0, ir.BOOL)
        if OPERATIONS[node.op].group == "order" and not left.type.kind == right.type.kind == "int":
            for side, at in ((left, node.left), (right, node.right)):
                if side.type.kind != "int":
                    self.program.bag.add(codes.PR308, f"`{node.op}` compares numbers, not `{side.type.name}`", at.span)
                    break
            return ir.Lit(0, ir.BOOL)
        both = as_common_type(self.program, left, right)
        if both is None or not comparable(both[0].type, both[1].type):
            self.program.bag.add(
                codes.PR308, f"`{left.type.name}` and `{right.type.name}` cannot be compared", node.span
            )
            return ir.Lit(0, ir.BOOL)
        return ir.Apply(node.op, both, ir.BOOL)

    def _is_absent_player(self, node: ast.Binary, scope: Scope) -> bool:
        """Tell whether a player is compared with one who does not play in this instance."""
        for side, other in ((node.left, node.right), (node.right, node.left)):
            if self.absent(side, scope) and not self.absent(other, scope):
                return self.absent(side, scope, self.expr(other, scope).type)
        return False

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
        if node.what.text == "reset":
            return self._reset_test(node, scope)
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
                    named = "a zone" if is_place(value) else f"`{type_.name}`"
                    help_ = "ask how many lie there: `count(zone) > 0`" if is_place(value) else None
                    self.program.bag.add(codes.PR301, f"{named} is never `none`", node.span, help=help_)
                    return FALSE
            else:
                return expand_form(
                    "is_some" if (what == "some") != node.negated else "is_none", (value,), type_, ir.BOOL
                )
        else:
            test = self.member_test("is", value, self.declare.type(ast.TypeName(what, span=node.what.span)), node.span)
        return ir.Apply("not", (test,), ir.BOOL) if node.negated else test

    def member_test(self, form: ir.FormName, value: ir.Expr, type_: ir.Type, span: Span) -> ir.Expr:
        """Return the test that a value lies in a narrower type, written as `is` or as `in`."""
        have = value.type
        if POISON in (have, type_):
            return FALSE
        part_of_union = any(member == type_ for member, _ in self.program.unions.get(have.name, ()))
        numbers = have.kind == "int" and type_.kind == "int"
        if numbers or part_of_union or (have.kind == "optional" and have.parts[0] == type_):
            return expand_form(form, (value,), type_, ir.BOOL)
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
            one, two = coerced(self.program, then, wanted), coerced(self.program, other, wanted)
            if one is not None and two is not None:
                return ir.Cond(test, one, two, wanted)
        self.program.bag.add(codes.PR308, f"one branch is `{then.type.name}`, the other `{other.type.name}`", node.span)
        return POISONED

    def _reset_test(self, node: ast.IsTest, scope: Scope) -> ir.Expr:
        """`x is reset`: a variable, or every variable of a block, has the value with which it begins."""
        name = node.value
        block = block_of(self.program, name.text) if isinstance(name, ast.Name) else None
        if block is None:
            help_ = "name a variable, or a block: `state name` and its lines"
            self.program.bag.add(codes.PR401, "only variables are reset", node.value.span, help=help_)
            return FALSE
        for variable in block:
            if (
                self.read(ast.Name(variable.name, span=name.span), (POISONED,) * len(variable.index), scope).type
                == POISON
            ):
                return FALSE
        test = is_reset(block)
        return ir.Apply("not", (test,), ir.BOOL) if node.negated else test

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
        return old(present, self.program.defs) if self.can_open(present, node.span) else POISONED

    def can_open(self, expr: ir.Expr, span: Span) -> bool:
        """Tell whether an expression is small enough to be asked of another time, its definitions opened; report it if not."""
        found = self.program.measure(expr)
        if found.size > MAX_SIZE:
            what = f"this grows to {found.size:,} parts when its definitions are opened; {MAX_SIZE:,} is the limit"
            self.program.bag.add(codes.PR416, what, span, help="keep the earlier value in a state variable or a `let`")
            return False
        return True

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
