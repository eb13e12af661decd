"""Expressions: surface expressions -> core expressions with finite types.

Reads:  surface expressions, the program, the scope.   Writes: core expressions.
After:  every index lies inside its table and no `none` is used as a value, because a test around the place says so; where
        the text does not say so, the bag holds an error and the expression is poisoned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from pilgrim_rules.core import ir
from pilgrim_rules.core.values import pair as pair_code
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.source import Span
from pilgrim_rules.syntax import ast
from pilgrim_rules.types.declare import Declare
from pilgrim_rules.types.facts import learn
from pilgrim_rules.types.fit import fit, meet
from pilgrim_rules.types.program import (
    FALSE,
    MAX_NUMBER,
    POISON,
    POISONED,
    TRUE,
    Program,
    conjunction,
    lit,
    number,
    pair,
)
from pilgrim_rules.types.scope import Scope
from pilgrim_rules.types.times import moved

_ARITHMETIC = frozenset({"+", "-", "*", "div", "mod"})
_CONNECTIVES = frozenset({"and", "or", "implies"})


@dataclass(slots=True)
class Expressions:
    """The checker of expressions; `Folds` and `Calls` add quantifiers and functions."""

    program: Program
    declare: Declare

    # entry points --------------------------------------------------------------------------------------------------

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
        return self.fit(expr, want, node.span, what)

    def fit(self, expr: ir.Expr, want: ir.Type, span: Span, code: codes.Code = codes.PR301) -> ir.Expr:
        """Return the expression under the wanted type, or report that it does not fit."""
        made = fit(self.program, expr, want)
        if made is not None:
            return made
        have = expr.type
        if have.kind == "optional" and fit(self.program, ir.Bound("probe", have.parts[0]), want) is not None:
            help_ = "test it first: `x is some and …`, `require x is some`, or `let y = x else \"…\"`"
            self.program.bag.add(codes.PR306, f"this may be `none`, but `{want.name}` is wanted", span, help=help_)
        elif have.kind == want.kind == "int":
            code = codes.PR305 if code is codes.PR305 else codes.PR301
            help_ = f"test it first, so that only {want.lo} to {want.hi} are left"
            self.program.bag.add(code, f"this can be {have.lo} to {have.hi}, but {want.lo} to {want.hi} is wanted", span, help=help_)
        else:
            self._wrong(expr, f"`{want.name}`", span)
        return ir.Lit(want.lo, POISON)

    def learn(self, test: ir.Expr, scope: Scope, *, held: bool = True) -> Scope:
        """Return the scope in which the test held (or failed)."""
        return scope.know(learn(self.program, test, held=held))

    def _wrong(self, expr: ir.Expr, wanted: str, span: Span) -> None:
        if expr.type is not POISON and expr.type != POISON:
            self.program.bag.add(codes.PR301, f"this is `{expr.type.name}`, but {wanted} is wanted", span)

    # dispatch ------------------------------------------------------------------------------------------------------

    def expr(self, node: ast.Expr, scope: Scope, want: ir.Type | None = None) -> ir.Expr:
        """Return the core expression; `want` is the type its place prefers, which decides between equal labels."""
        made = self._expr(node, scope, want)
        return scope.facts.get(made, made) if scope.facts else made

    def _expr(self, node: ast.Expr, scope: Scope, want: ir.Type | None) -> ir.Expr:  # noqa: PLR0911, PLR0912, C901  (one arm a construct)
        match node:
            case ast.Number(value=value):
                if abs(value) > MAX_NUMBER:
                    self.program.bag.add(codes.PR314, f"numbers go from -{MAX_NUMBER} to {MAX_NUMBER}", node.span)
                    return POISONED
                return lit(value)
            case ast.Name():
                return self.name(node, scope, want)
            case ast.Index():
                return self._index(node, scope)
            case ast.Attribute():
                return self._column(node, (), scope)
            case ast.Part():
                return self._part(node, scope)
            case ast.Tuple():
                return self._tuple(node, scope, want)
            case ast.Unary(op="not", value=value_):
                return ir.Apply("not", (self.boolean(value_, scope),), ir.BOOL)
            case ast.Unary(value=value_):
                return self._negative(self.integer(value_, scope))
            case ast.Binary(op=op) if op in _CONNECTIVES:
                return self._connective(node, scope)
            case ast.Binary(op=op) if op in _ARITHMETIC:
                return self._arithmetic(node, scope)
            case ast.Binary():
                return self._comparison(node, scope)
            case ast.IsTest():
                return self._is_test(node, scope)
            case ast.Ternary():
                return self._ternary(node, scope, want)
            case ast.Old(value=value_):
                return self._old(node, value_, scope, want)
            case ast.The(value=value_):
                return self._the(node, value_, scope, want)
            case ast.Listing():
                self.program.bag.add(codes.PR301, "a list can only be the value of a parameter", node.span)
                return POISONED
            case ast.Call():
                return self.call(node, scope, want)
            case ast.InTest() | ast.Quantifier() | ast.Aggregate() | ast.Unique() | ast.Pick():
                return self.fold(node, scope)
            case _:
                assert_never(node)

    def call(self, node: ast.Call, scope: Scope, want: ir.Type | None) -> ir.Expr:
        """Return an applied definition or function; see `Calls`."""
        raise NotImplementedError

    def fold(self, node: ast.InTest | ast.Quantifier | ast.Aggregate | ast.Unique | ast.Pick, scope: Scope) -> ir.Expr:
        """Return a quantifier or aggregate; see `Folds`."""
        raise NotImplementedError

    # names ---------------------------------------------------------------------------------------------------------

    def name(self, node: ast.Name, scope: Scope, want: ir.Type | None) -> ir.Expr:  # noqa: PLR0911  (one return a kind of name)
        """Return what a name stands for."""
        text = node.text
        if node.primed:
            return self.read(node, (), scope)
        if text in scope.names:
            return scope.names[text]
        if text in ("true", "false"):
            return TRUE if text == "true" else FALSE
        if text == "none":
            return self._none(node, want)
        if text == "players":
            return lit(self.program.player.size)
        if text in self.program.variables:
            return self.read(node, (), scope)
        if text in self.program.constants:
            return self._lookup(text, (), node, scope)
        if text in self.program.defs:
            self.program.bag.add(codes.PR208, f"`{text}` is a definition", node.span, help=f"apply it: `{text}(…)`")
            return POISONED
        return self._label(node, scope, want)

    def _none(self, node: ast.Name, want: ir.Type | None) -> ir.Expr:
        if want is POISON:
            return POISONED
        if want is None or want.kind != "optional":
            self.program.bag.add(codes.PR301, "`none` is wanted nowhere here", node.span, help="ask `x is none` of an optional value")
            return POISONED
        return ir.Lit(want.hi, want)

    def _label(self, node: ast.Name, scope: Scope, want: ir.Type | None) -> ir.Expr:
        text = node.text
        inner = want.parts[0] if want is not None and want.kind == "optional" else want
        if inner is not None and inner.kind == "enum" and text in inner.labels:
            return ir.Lit(inner.labels.index(text), inner)
        owners = self.program.labels.get(text, [])
        if len(owners) == 1:
            return ir.Lit(owners[0].labels.index(text), owners[0])
        if owners:
            said = " and ".join(f"`{owner.name}`" for owner in owners)
            self.program.bag.add(codes.PR212, f"`{text}` is a label of {said}", node.span, help="compare it with a value of one of them")
        elif text not in self.program.broken:
            near = inner.labels if inner is not None and inner.kind == "enum" else tuple(self.program.labels)
            known = (*scope.names, *self.program.variables, *self.program.constants, *self.program.defs, *near)
            self.program.unknown(node, known)
        return POISONED

    def read(self, node: ast.Name, index: tuple[ir.Expr, ...], scope: Scope) -> ir.Expr:
        """Return the value of a state variable, if it may be read here."""
        variable = self.program.variables.get(node.text)
        may = scope.may
        if variable is None:
            self.program.unknown(node, self.program.variables, "variable")
            return POISONED
        if not may.state:
            code = codes.PR501 if may.place == "a law" else codes.PR311
            self.program.bag.add(code, f"`{node.text}` changes in play, so {may.place} cannot use it", node.span)
            return POISONED
        if variable.ghost and not may.ghost:
            help_ = "ghosts are for claims; keep a state variable if play needs the value"
            self.program.bag.add(codes.PR402, f"`{node.text}` is a ghost, so {may.place} cannot read it", node.span, help=help_)
            return POISONED
        if node.primed and not may.next:
            self.program.bag.add(codes.PR409, f"`{node.text}'` has no meaning in {may.place}", node.span, help="only `step` claims look at the next state")
            return POISONED
        if len(index) != len(variable.index):
            self._arity(node.text, len(variable.index), len(index), node.span)
            return POISONED
        return ir.Read(variable.name, index, variable.type, "next" if node.primed else "now")

    def _arity(self, name: str, wanted: int, given: int, span: Span) -> None:
        counted = "no index" if wanted == 0 else "1 index" if wanted == 1 else f"{wanted} indices"
        self.program.bag.add(codes.PR304, f"`{name}` takes {counted}, not {given}", span)

    def _lookup(self, name: str, index: tuple[ir.Expr, ...], node: ast.Expr, _scope: Scope) -> ir.Expr:
        constant = self.program.constants[name]
        if len(index) != len(constant.index):
            self._arity(name, len(constant.index), len(index), node.span)
            return POISONED
        return ir.Lookup(name, index, constant.type)

    # tables, columns, parts ----------------------------------------------------------------------------------------

    def indices(self, args: tuple[ast.Arg, ...], types: tuple[ir.Type, ...], name: str, span: Span, scope: Scope) -> tuple[ir.Expr, ...] | None:
        """Return index expressions inside a table of these index types; None after an error."""
        if len(args) != len(types):
            self._arity(name, len(types), len(args), span)
            return None
        found = []
        for arg, type_ in zip(args, types, strict=True):
            if isinstance(arg, ast.NamedArg):
                self.program.bag.add(codes.PR304, "an index has no name", arg.span)
                return None
            made = self.fitted(arg, scope, type_, codes.PR305)
            found.append(made)
        return None if any(each.type == POISON for each in found) else tuple(found)

    def _index(self, node: ast.Index, scope: Scope) -> ir.Expr:
        base = node.base
        if isinstance(base, ast.Attribute):
            return self._column(base, node.args, scope)
        if not isinstance(base, ast.Name) or base.text in scope.names:
            self.program.bag.add(codes.PR312, "only variables, parameters and columns have indices", base.span)
            return POISONED
        table = self.program.variables.get(base.text) or self.program.constants.get(base.text)
        if table is None:
            known = (*self.program.variables, *self.program.constants)
            if base.text in self.program.defs:
                self.program.bag.add(codes.PR312, f"`{base.text}` is a definition", base.span, help=f"write `{base.text}(…)`")
            else:
                self.program.unknown(base, known)
            return POISONED
        index = self.indices(node.args, table.index, base.text, node.span, scope)
        if index is None:
            return POISONED
        return self.read(base, index, scope) if isinstance(table, ir.Variable) else self._lookup(base.text, index, node, scope)

    def _column(self, node: ast.Attribute, args: tuple[ast.Arg, ...], scope: Scope) -> ir.Expr:
        base = self.expr(node.base, scope)
        type_ = base.type
        if type_ == POISON:
            return POISONED
        if type_.kind == "optional":
            self.fit(base, type_.parts[0], node.base.span)
            return POISONED
        table = self.program.columns.get((type_.name, node.name.text))
        if table is None:
            columns = [column for owner, column in self.program.columns if owner == type_.name]
            self.program.unknown(node.name, columns, f"column of `{type_.name}`", codes.PR307)
            return POISONED
        constant = self.program.constants[table]
        index = self.indices(args, constant.index[1:], node.name.text, node.span, scope)
        return POISONED if index is None else ir.Lookup(table, (base, *index), constant.type)

    def _part(self, node: ast.Part, scope: Scope) -> ir.Expr:
        base = self.expr(node.base, scope)
        if base.type == POISON:
            return POISONED
        if base.type.kind != "pair" or node.number not in (1, 2):
            if base.type.kind == "optional":
                self.fit(base, base.type.parts[0], node.base.span)
            else:
                self.program.bag.add(codes.PR307, f"`{base.type.name}` has no part {node.number}", node.span, help="a pair has parts 1 and 2")
            return POISONED
        left, right = base.type.parts
        op: ir.Operator = "div" if node.number == 1 else "mod"
        part = left if node.number == 1 else right
        plain = ir.Apply(op, (base, lit(right.size)), part if part.lo == 0 else number(0, part.size - 1))
        return plain if part.lo == 0 else ir.Apply("+", (plain, lit(part.lo)), part)

    def _tuple(self, node: ast.Tuple, scope: Scope, want: ir.Type | None) -> ir.Expr:
        if len(node.items) != 2:  # noqa: PLR2004  (a pair)
            self.program.bag.add(codes.PR301, "a pair has two parts", node.span)
            return POISONED
        inner = want.parts[0] if want is not None and want.kind == "optional" else want
        wanted = inner.parts if inner is not None and inner.kind == "pair" else (None, None)
        left, right = (self._member(item, scope, type_) for item, type_ in zip(node.items, wanted, strict=True))
        if POISON in (left.type, right.type):
            return POISONED
        type_ = inner if inner is not None and inner.kind == "pair" else pair(left.type, right.type)
        if isinstance(left, ir.Lit) and isinstance(right, ir.Lit):
            return ir.Lit(pair_code(type_, left.value, right.value), type_)
        first, second = type_.parts
        high = _scaled(_moved(left, -first.lo), second.size)
        return ir.Apply("+", (high, _moved(right, -second.lo)), type_)

    def _member(self, node: ast.Expr, scope: Scope, want: ir.Type | None) -> ir.Expr:
        return self.expr(node, scope) if want is None else self.fitted(node, scope, want)

    # operators -----------------------------------------------------------------------------------------------------

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
            self.program.bag.add(codes.PR309, f"the divisor can be {right.type.lo}", node.right.span, help="test that it is at least 1 first")
            return POISONED
        lo, hi = _bounds(node.op, left.type, right.type)
        if max(abs(lo), abs(hi)) > MAX_NUMBER:
            self.program.bag.add(codes.PR314, f"this can grow beyond {MAX_NUMBER}", node.span)
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
        if both is None:
            self.program.bag.add(codes.PR308, f"`{left.type.name}` and `{right.type.name}` cannot be compared", node.span)
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
            return ir.Cond(test, then, other, number(min(then.type.lo, other.type.lo), max(then.type.hi, other.type.hi)))
        for wanted in (then.type, other.type, *(() if want is None else (want,))):
            one, two = fit(self.program, then, wanted), fit(self.program, other, wanted)
            if one is not None and two is not None:
                return ir.Cond(test, one, two, wanted)
        self.program.bag.add(codes.PR308, f"one branch is `{then.type.name}`, the other `{other.type.name}`", node.span)
        return POISONED

    def _old(self, node: ast.Old, value: ast.Expr, scope: Scope, want: ir.Type | None) -> ir.Expr:
        if not scope.may.old:
            self.program.bag.add(codes.PR409, f"`old` has no meaning in {scope.may.place}", node.span, help="only effects change the state")
            return POISONED
        present = self.expr(value, scope.forget(frozenset(self.program.variables)), want)
        return moved(present, "old", self.program.defs)

    def _the(self, node: ast.The, value: ast.Expr, scope: Scope, want: ir.Type | None) -> ir.Expr:
        if not scope.may.the:
            help_ = "test the value instead, or use `let y = x else \"…\"`"
            self.program.bag.add(codes.PR409, f"`the` has no meaning in {scope.may.place}", node.span, help=help_)
            return POISONED
        expr = self.expr(value, scope, want)
        if expr.type == POISON:
            return POISONED
        inner = expr.type.parts[0] if expr.type.kind == "optional" else expr.type
        target = inner
        if want is not None and want.kind == "int" and inner.kind == "int":
            target = number(max(want.lo, inner.lo), min(want.hi, inner.hi)) if max(want.lo, inner.lo) <= min(want.hi, inner.hi) else want
        elif want is not None and want != inner:
            for member, offset in self.program.unions.get(inner.name, ()):
                if member == want and offset == 0:
                    target = member
        return ir.Checked(expr, target, span=node.span) if target != expr.type else expr


def _within(value: ir.Expr, lo: int, hi: int) -> list[ir.Expr]:
    tests: list[ir.Expr] = []
    if lo > value.type.lo:
        tests.append(ir.Apply(">=", (value, ir.Lit(lo, value.type)), ir.BOOL))
    if hi < value.type.hi:
        tests.append(ir.Apply("<=", (value, ir.Lit(hi, value.type)), ir.BOOL))
    return tests


def _moved(expr: ir.Expr, by: int) -> ir.Expr:
    if by == 0:
        return expr
    op: ir.Operator = "+" if by > 0 else "-"
    return ir.Apply(op, (expr, lit(abs(by))), number(expr.type.lo + by, expr.type.hi + by))


def _scaled(expr: ir.Expr, by: int) -> ir.Expr:
    return expr if by == 1 else ir.Apply("*", (expr, lit(by)), number(expr.type.lo * by, expr.type.hi * by))


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

