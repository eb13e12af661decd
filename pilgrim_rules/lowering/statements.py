"""Statements: what an action does -> core assignments, branches and loops.

Reads:  surface statements, through the checker.   Writes: core statements.
After:  `move`, `take`, `raise`, `lower`, `pay` and named effects are gone; every assignment knows the line it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import assert_never

from pilgrim_rules.core import ir
from pilgrim_rules.core.walk import assignments, subexpressions, substitute, writes
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.lowering.purses import Purses
from pilgrim_rules.syntax import ast
from pilgrim_rules.types.program import POISON, POISONED, Program, lit, number
from pilgrim_rules.types.scope import GHOSTLY, Scope
from pilgrim_rules.types.tables import Tables

MOST_IN_ORDER = 16  #: a sequential loop is unrolled in proofs
MOST_LINES = 5_000  #: of one rule, those of the guards and effects it uses included
MOST_DEEP = 32  #: guards or effects that use each other


@dataclass(slots=True)
class Names:
    """Names for the values inside one action, each used once however often a shared effect is expanded."""

    taken: set[str] = field(default_factory=set)
    lines: int = 0
    depth: int = 0
    full: bool = False  #: too many lines have been put together

    def fresh(self, name: str) -> str:
        """Return the name, or the name with a number that nothing else has."""
        made, at = name, 1
        while made in self.taken:
            at += 1
            made = f"{name}~{at}"
        self.taken.add(made)
        return made


@contextmanager
def opened(node: ast.Run | ast.CheckLine, lines: int, names: Names, program: Program) -> Iterator[bool]:
    """Say whether the lines of a shared guard or effect can be put in; report once a rule if they are too many."""
    names.lines += lines
    names.depth += 1
    names.full |= node.name.text in program.overgrown  # which has been said
    if not names.full and (names.lines > MOST_LINES or names.depth > MOST_DEEP):
        names.full = True
        said = f"{MOST_LINES:,} lines" if names.lines > MOST_LINES else f"{MOST_DEEP} levels"
        what = f"with `{node.name.text}` this grows to more than {said}"
        program.bag.add(codes.PR416, what, node.span, help="use a loop, or say the result at once")
    yield not names.full
    names.depth -= 1


@dataclass(slots=True)
class Keys:
    """Identities of the lines of one declaration, in text order."""

    owner: str
    count: dict[str, int] = field(default_factory=dict)

    def next(self, kind: str) -> str:
        """Return the identity of the next line of a kind."""
        self.count[kind] = self.count.get(kind, 0) + 1
        return f"{self.owner}.{kind}.{self.count[kind]}"


@dataclass(slots=True)
class Statements:
    """The lowering of effects."""

    tables: Tables
    purses: Purses
    payer: ir.Expr | None = None  #: who decides, for `pay`

    def block(
        self, nodes: tuple[ast.Stmt, ...], scope: Scope, keys: Keys, names: Names
    ) -> tuple[tuple[ir.Stmt, ...], Scope]:
        """Return the core of a block, and the scope behind it (without its own names)."""
        made: list[ir.Stmt] = []
        inner = scope
        for node in nodes:
            match node:
                case ast.Line(parts=parts, cites=cites):
                    clauses = self.tables.program.clauses(cites)
                    for part in parts:
                        stmts, inner = self._simple(part, inner, keys, names, clauses)
                        made += stmts
                case ast.IfStmt():
                    stmts, inner = self._if(node, inner, keys, names)
                    made += stmts
                case ast.ForStmt():
                    stmts, inner = self._for(node, inner, keys, names)
                    made += stmts
                case _:
                    assert_never(node)
        return tuple(made), Scope(scope.may, scope.names, inner.facts)

    def _if(self, node: ast.IfStmt, scope: Scope, keys: Keys, names: Names) -> tuple[list[ir.Stmt], Scope]:
        check = self.tables.check
        test = check.boolean(node.test, scope)
        then, _ = self.block(node.then, check.learn(test, scope, held=True), keys, names)
        other, _ = self.block(node.other, check.learn(test, scope, held=False), keys, names)
        return [ir.Branch(test, then, other)], scope.forget(writes(then) | writes(other))

    def _for(self, node: ast.ForStmt, scope: Scope, keys: Keys, names: Names) -> tuple[list[ir.Stmt], Scope]:
        check = self.tables.check
        (binder,), where, inner = check.over((node.binder,), node.where, scope)
        fresh = names.fresh(binder.name)
        if fresh != binder.name:
            inner = Scope(inner.may, {**inner.names, binder.name: ir.Bound(fresh, binder.type)}, scope.facts)
            (binder,), where = (
                (ir.Binder(fresh, binder.type, binder.start, binder.descending, binder.among),),
                _renamed(where, binder, fresh),
            )
            if where is not None:
                inner = check.learn(where, inner)
        in_order = binder.start is not None or binder.descending or binder.type.kind == "int"
        if in_order and binder.type.size > MOST_IN_ORDER and binder.type != POISON:
            help_ = "go over an enum, which is done for all its values at once"
            what = f"one after the other over {binder.type.size} values; {MOST_IN_ORDER} is the most"
            check.program.bag.add(codes.PR408, what, node.binder.span, help=help_)
        entry = inner.forget(_written_names(node, check.program.variables)) if in_order else inner
        body, _ = self.block(node.body, entry, keys, names)
        if not in_order:
            self._once(binder, body)
        return [ir.Loop(binder, where, body, simultaneous=not in_order, span=node.span)], scope.forget(writes(body))

    def _once(self, binder: ir.Binder, body: tuple[ir.Stmt, ...]) -> None:
        """Report a cell that a loop over all values at once would set for several of them."""
        modes: dict[str, str] = {}
        for stmt in assignments(body):
            mixed = modes.setdefault(stmt.variable, stmt.mode) != stmt.mode
            own = any(
                isinstance(part, ir.Bound) and part.name == binder.name
                for index in stmt.index
                for part in subexpressions(index)
            )
            if mixed or (stmt.mode == "set" and not own):
                what = "set and added to" if mixed else f"set for every `{binder.name.split('~')[0]}`"
                help_ = "all values are done at once: index it by the loop's name, or only add to it"
                self.tables.program.bag.add(
                    codes.PR407, f"one cell of `{stmt.variable}` is {what}", stmt.span, help=help_
                )

    # simple statements ---------------------------------------------------------------------------------------------

    def _simple(
        self, node: ast.Simple, scope: Scope, keys: Keys, names: Names, clauses: tuple[str, ...]
    ) -> tuple[list[ir.Stmt], Scope]:
        made = self._made(node, scope, keys, names, clauses)
        if isinstance(node, ast.LetStmt) and made:
            define = made[-1]
            assert isinstance(define, ir.Define), "a let is a definition"
            return made, scope.bind(node.name.text, ir.Bound(define.name, define.value.type))
        return made, scope.forget(writes(tuple(made)))

    def _made(
        self, node: ast.Simple, scope: Scope, keys: Keys, names: Names, clauses: tuple[str, ...]
    ) -> list[ir.Stmt]:
        check = self.tables.check
        match node:
            case ast.Assign():
                return self._assign(node, scope, keys, clauses)
            case ast.Move():
                return self._move(node, scope, keys, names, clauses)
            case ast.Clamp():
                return self._clamp(node, scope, keys, clauses)
            case ast.Pay(payment=payment):
                if self.payer is None:
                    check.program.bag.add(codes.PR415, "nobody decides here, so nobody can pay", node.span)
                    return []
                amount = check.integer(payment.amount, scope)
                return self.purses.pay(payment, amount, self.payer, scope, keys.next("pay"), clauses, names.fresh)
            case ast.LetStmt(name=name, value=value):
                check.shadowing(name, scope)
                return [ir.Define(names.fresh(name.text), check.expr(value, scope))]
            case ast.Run():
                return list(cited(tuple(self.run(node, scope, names)), clauses))
            case _:
                assert_never(node)

    def run(self, node: ast.Run, scope: Scope, names: Names) -> list[ir.Stmt]:
        """Expand a named effect: its parameters become definitions, its lines keep their identity."""
        program = self.tables.program
        effect = program.symbols.rules.get(node.name.text)
        if not isinstance(effect, ast.Effect):
            if effect is None:
                effects = [name for name, each in program.symbols.rules.items() if isinstance(each, ast.Effect)]
                program.unknown(node.name, effects, "effect")
            else:
                program.bag.add(codes.PR208, f"`{node.name.text}` is no effect", node.name.span)
            return []
        params, _ = self.tables.parameters(effect.params, Scope(scope.may))
        args = self.tables.check.arguments(effect.name.text, params, node.args, node.span, scope)
        if args is None:
            return []
        made: list[ir.Stmt] = []
        inner = Scope(scope.may)
        for param, arg in zip(params, args, strict=True):
            if isinstance(arg, ir.Lit):
                inner = inner.bind(param.name, arg)
                continue
            fresh = names.fresh(param.name)
            made.append(ir.Define(fresh, arg))
            inner = inner.bind(param.name, ir.Bound(fresh, param.type))
        with opened(node, len(effect.body), names, program) as possible:
            body = self.block(effect.body, inner, Keys(effect.name.text), names)[0] if possible else ()
        return [*made, *body]

    def place(self, node: ast.Place, scope: Scope) -> tuple[ir.Variable, tuple[ir.Expr, ...]] | None:
        """Return the cell that a statement writes; None after an error."""
        program = self.tables.program
        variable = program.variables.get(node.name.text)
        if variable is None:
            known = (
                node.name.text in program.constants or node.name.text in program.defs or node.name.text in scope.names
            )
            if known:
                help_ = "only what a `state` block declares changes in play"
                program.bag.add(codes.PR401, f"`{node.name.text}` is not a state variable", node.name.span, help=help_)
            else:
                program.unknown(node.name, program.variables, "variable")
            return None
        index = self.tables.check.indices(node.args, variable.index, variable.name, node.span, scope)
        return None if index is None else (variable, index)

    def _assign(self, node: ast.Assign, scope: Scope, keys: Keys, clauses: tuple[str, ...]) -> list[ir.Stmt]:
        check = self.tables.check
        inner = scope.allow(GHOSTLY) if node.ghost else scope
        place = self.place(node.place, inner)
        key = keys.next("do")
        if place is None:
            return []
        variable, index = place
        if variable.ghost != node.ghost and not scope.may.ghost:
            what = "is a ghost" if variable.ghost else "is no ghost"
            help_ = "write `ghost` before the line" if variable.ghost else "drop `ghost`"
            check.program.bag.add(codes.PR403, f"`{variable.name}` {what}", node.place.span, help=help_)
        if node.op != "=":
            value = check.integer(node.value, inner)
            if variable.type.kind != "int":
                check.program.bag.add(
                    codes.PR301, f"`{variable.name}` is `{variable.type.name}`, not a number", node.place.span
                )
                return []
            value = negated(value) if node.op == "-=" else value
            return [ir.Assign(variable.name, index, "add", value, key, clauses, span=node.span)]
        value = check.expr(node.value, inner, variable.type)
        if not value.type.kind == variable.type.kind == "int":
            value = check.fit(value, variable.type, node.value.span)
        if value.type == POISON:
            return []
        return [ir.Assign(variable.name, index, "set", value, key, clauses, span=node.span)]

    def _move(self, node: ast.Move, scope: Scope, keys: Keys, names: Names, clauses: tuple[str, ...]) -> list[ir.Stmt]:
        check = self.tables.check
        amount = check.integer(node.amount, scope)
        source, target = self.place(node.source, scope), self.place(node.target, scope)
        key = keys.next("do")
        if source is None or target is None or amount.type == POISON:
            return []
        places = ((source[0], node.source), (target[0], node.target))
        if not all(self._counts(variable, at, scope) for variable, at in places):
            return []
        made: list[ir.Stmt] = []
        if node.up_to:
            there = ir.Read(source[0].name, source[1], source[0].type)
            hi = min(amount.type.hi, there.type.hi)
            amount = ir.Apply("min", (amount, there), number(min(amount.type.lo, there.type.lo), hi))
        if not isinstance(amount, ir.Lit | ir.Bound):
            fresh = names.fresh("amount")
            made.append(ir.Define(fresh, amount))
            amount = ir.Bound(fresh, amount.type)
        taken = ir.Assign(source[0].name, source[1], "add", negated(amount), f"{key}.from", clauses, span=node.span)
        given = ir.Assign(target[0].name, target[1], "add", amount, f"{key}.to", clauses, span=node.span)
        return [*made, taken, given]

    def _counts(self, variable: ir.Variable, node: ast.Place, scope: Scope) -> bool:
        """Tell whether a variable of play holds numbers, so that they can be moved, raised or lowered."""
        bag = self.tables.program.bag
        if variable.type.kind != "int":
            bag.add(codes.PR301, f"`{variable.name}` is `{variable.type.name}`, not a number", node.span)
        elif variable.ghost and not scope.may.ghost:
            help_ = f"write `ghost {variable.name} += …`, and leave what is no ghost alone"
            bag.add(codes.PR403, f"`{variable.name}` is a ghost", node.span, help=help_)
        else:
            return True
        return False

    def _clamp(self, node: ast.Clamp, scope: Scope, keys: Keys, clauses: tuple[str, ...]) -> list[ir.Stmt]:
        check = self.tables.check
        place = self.place(node.place, scope)
        amount, limit = check.integer(node.amount, scope), check.integer(node.limit, scope)
        key = keys.next("do")
        if place is None or POISON in (amount.type, limit.type):
            return []
        variable, index = place
        if not self._counts(variable, node.place, scope):
            return []
        now = ir.Read(variable.name, index, variable.type)
        value = clamped(now, amount, limit, up=node.op == "raise")
        return [ir.Assign(variable.name, index, "set", value, key, clauses, span=node.span)]


def clamped(now: ir.Expr, amount: ir.Expr, limit: ir.Expr, *, up: bool) -> ir.Expr:
    """Return the value moved by an amount, not beyond the limit, and never the other way."""
    near: ir.Operator = "min" if up else "max"
    far: ir.Operator = "max" if up else "min"
    change = amount.type if up else number(-amount.type.hi, -amount.type.lo)
    moved = number(now.type.lo + change.lo, now.type.hi + change.hi)
    stopped = _extreme(near, ir.Apply("+" if up else "-", (now, amount), moved), limit)
    return _extreme(far, now, stopped)


def _extreme(op: ir.Operator, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    pick = min if op == "min" else max
    type_ = number(pick(left.type.lo, right.type.lo), pick(left.type.hi, right.type.hi))
    return ir.Apply(op, (left, right), type_)


def cited(block: tuple[ir.Stmt, ...], clauses: tuple[str, ...]) -> tuple[ir.Stmt, ...]:
    """Return statements that cite further clauses: those of the line that runs an effect, besides the effect's own."""
    return tuple(_cited(stmt, clauses) for stmt in block) if clauses else block


def _cited(stmt: ir.Stmt, clauses: tuple[str, ...]) -> ir.Stmt:
    match stmt:
        case ir.Assign():
            return replace(stmt, clauses=tuple(dict.fromkeys((*stmt.clauses, *clauses))))
        case ir.Branch():
            return replace(stmt, then=cited(stmt.then, clauses), other=cited(stmt.other, clauses))
        case ir.Loop():
            return replace(stmt, body=cited(stmt.body, clauses))
        case ir.Define():
            return stmt
        case _:
            assert_never(stmt)


def negated(value: ir.Expr) -> ir.Expr:
    """Return the number with the other sign."""
    if isinstance(value, ir.Lit):
        return lit(-value.value) if value.type != POISON else POISONED
    return ir.Apply("-", (lit(0), value), number(-value.type.hi, -value.type.lo))


def _renamed(where: ir.Expr | None, binder: ir.Binder, fresh: str) -> ir.Expr | None:
    return None if where is None else substitute(where, {binder.name: ir.Bound(fresh, binder.type)})


def _written_names(node: ast.ForStmt, variables: dict[str, ir.Variable]) -> frozenset[str]:
    """Return the variables that a loop's body writes, as far as its own text shows; through effects: all."""
    found: set[str] = set()
    stack: list[ast.Stmt] = list(node.body)
    while stack:
        stmt = stack.pop()
        match stmt:
            case ast.Line(parts=parts):
                for part in parts:
                    match part:
                        case ast.Assign(place=place) | ast.Clamp(place=place):
                            found.add(place.name.text)
                        case ast.Move(source=source, target=target):
                            found |= {source.name.text, target.name.text}
                        case ast.Run() | ast.Pay():
                            return frozenset(variables)
                        case ast.LetStmt():
                            pass
            case ast.IfStmt(then=then, other=other):
                stack += [*then, *other]
            case ast.ForStmt(body=body):
                stack += body
    return frozenset(found)
