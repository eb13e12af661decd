"""Purses: what costs are paid from, and where what is paid arrives.

Reads:  `purse` declarations, `cost` lines and `pay` statements.   Writes: requirements and payments of the core.
After:  all costs of an action are tested together before it, and paid before its effects; the places of a purse are
        emptied from left to right; what is paid arrives with the player named, else in the supply, if one is declared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pilgrim_rules.core import ir
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.syntax import ast
from pilgrim_rules.types.program import POISON, Program, equals, lit, number
from pilgrim_rules.types.scope import PLAY, Scope
from pilgrim_rules.types.tables import Tables

Cell = tuple[ir.Variable, tuple[ir.Expr, ...]]


@dataclass(slots=True)
class Purses:
    """The purses of a game."""

    tables: Tables

    @property
    def _program(self) -> Program:
        return self.tables.program

    def check_all(self) -> None:
        """Report what is wrong with purses that nothing may ever use."""
        probe = ir.Bound("its owner", self._program.player)
        for purse in self._program.symbols.purses.values():
            self.tables.check.shadowing(purse.player, Scope(PLAY))
            for place in purse.places:
                self._cell(purse, place.place, probe)
                if place.as_ is not None and place.as_.text not in self._program.symbols.purses:
                    self._program.unknown(place.as_, self._program.symbols.purses, "purse", codes.PR410)
            if purse.supply is not None:
                self._cell(purse, purse.supply, probe)

    def _cell(self, purse: ast.Purse, node: ast.Place, owner: ir.Expr) -> Cell | None:
        program = self._program
        variable = program.variables.get(node.name.text)
        if variable is None or variable.type.kind != "int":
            if variable is None:
                program.unknown(node.name, program.variables, "variable")
            else:
                program.bag.add(codes.PR301, f"`{variable.name}` holds no number", node.span)
            return None
        if variable.ghost:
            program.bag.add(codes.PR402, f"`{variable.name}` is a ghost, so nothing is paid from it", node.span)
            return None
        scope = Scope(PLAY).bind(purse.player.text, owner)
        index = self.tables.check.indices(node.args, variable.index, variable.name, node.span, scope)
        return None if index is None else (variable, index)

    def chosen(self, payment: ast.Payment, scope: Scope) -> list[tuple[ast.Purse, ir.Expr | None]]:
        """Return the purses a payment may concern, each with the test that it does (None: always)."""
        program = self._program
        if isinstance(payment.purse, ast.Word):
            purse = program.symbols.purses.get(payment.purse.text)
            if purse is None:
                program.unknown(payment.purse, program.symbols.purses, "purse", codes.PR410)
                return []
            return [(purse, None)]
        which = self.tables.check.expr(payment.purse, scope)
        if which.type == POISON:
            return []
        kind = which.type
        found = [
            (purse, equals(which, ir.Lit(kind.labels.index(name), kind)))
            for name, purse in program.symbols.purses.items()
            if name in kind.labels
        ]
        if kind.kind != "enum" or len(found) != kind.size:
            program.bag.add(codes.PR410, f"not every `{kind.name}` is the name of a purse", payment.purse.span)
            return []
        return [(purse, test) for purse, test in found]

    def held(self, purse: ast.Purse, owner: ir.Expr) -> ir.Expr:
        """Return how much a player can pay from a purse."""
        parts: list[ir.Expr] = []
        for place in purse.places:
            cell = self._cell(purse, place.place, owner)
            if cell is not None:
                parts.append(ir.Read(cell[0].name, cell[1], cell[0].type))
        return total(parts)

    def pay(
        self, payment: ast.Payment, amount: ir.Expr, owner: ir.Expr, scope: Scope, key: str, clauses: tuple[str, ...],
        fresh: Callable[[str], str],
    ) -> list[ir.Stmt]:  # fmt: skip
        """Return the statements of one payment."""
        check = self.tables.check
        if amount.type.lo < 0:
            what = f"this can be {amount.type.lo}, but nobody pays less than nothing"
            self._program.bag.add(codes.PR301, what, payment.amount.span, help="write `max(0, …)`, or test it first")
            return []
        to = None if payment.to is None else check.fitted(payment.to, scope, self._program.player)
        made: list[ir.Stmt] = []
        for purse, test in self.chosen(payment, scope):
            steps = self._from(purse, amount, owner, to, key, clauses, payment, fresh)
            made += steps if test is None else [ir.Branch(test, tuple(steps), ())]
        return made

    def _from(
        self, purse: ast.Purse, amount: ir.Expr, owner: ir.Expr, to: ir.Expr | None, key: str, clauses: tuple[str, ...],
        payment: ast.Payment, fresh: Callable[[str], str],
    ) -> list[ir.Stmt]:  # fmt: skip
        made: list[ir.Stmt] = []
        rest = amount

        def put(cell: Cell, value: ir.Expr, what: str) -> None:
            made.append(ir.Assign(cell[0].name, cell[1], "add", value, f"{key}.{what}", clauses, span=payment.span))

        for at, place in enumerate(purse.places):
            cell = self._cell(purse, place.place, owner)
            if cell is None:
                return []
            there = ir.Read(cell[0].name, cell[1], cell[0].type)
            part = rest
            if at < len(purse.places) - 1:
                name = fresh("paid")
                made.append(
                    ir.Define(name, ir.Apply("min", (rest, there), number(0, min(rest.type.hi, there.type.hi))))
                )
                part = ir.Bound(name, number(0, min(rest.type.hi, there.type.hi)))
                left = fresh("rest")
                gap = ir.Apply("-", (rest, part), number(rest.type.lo - part.type.hi, rest.type.hi - part.type.lo))
                made.append(ir.Define(left, ir.Apply("max", (gap, lit(0)), number(0, max(gap.type.hi, 0)))))
                rest = ir.Bound(left, number(0, max(gap.type.hi, 0)))
            put(cell, _minus(part), f"from.{at + 1}")
            arrives = self._program.symbols.purses.get(place.as_.text, purse) if place.as_ else purse
            goal = self._last(arrives, to) if to is not None else self._supply(arrives, owner)
            if goal is not None:
                put(goal, part, f"to.{at + 1}")
            if place.once and at < len(purse.places) - 1:
                made += self._back(cell, part, arrives, owner, f"{key}.back.{at + 1}", clauses, payment, fresh)
        return made

    def _back(
        self, cell: Cell, part: ir.Expr, arrives: ast.Purse, owner: ir.Expr, key: str, clauses: tuple[str, ...],
        payment: ast.Payment, fresh: Callable[[str], str],
    ) -> list[ir.Stmt]:  # fmt: skip
        """Return the rest of a place that is used `once` to its owner, as what it is."""
        goal = self._last(arrives, owner)
        if goal is None:
            return []
        name = fresh("unused")
        there = ir.Read(cell[0].name, cell[1], cell[0].type)
        unused = ir.Bound(name, cell[0].type)
        empty = ir.Assign(cell[0].name, cell[1], "add", _minus(unused), f"{key}.from", clauses, span=payment.span)
        back = ir.Assign(goal[0].name, goal[1], "add", unused, f"{key}.to", clauses, span=payment.span)
        used = ir.Apply(">", (part, lit(0)), ir.BOOL)
        return [ir.Branch(used, (ir.Define(name, there), empty, back), ())]

    def _last(self, purse: ast.Purse, owner: ir.Expr) -> Cell | None:
        return self._cell(purse, purse.places[-1].place, owner)

    def _supply(self, purse: ast.Purse, owner: ir.Expr) -> Cell | None:
        return None if purse.supply is None else self._cell(purse, purse.supply, owner)


def total(parts: list[ir.Expr]) -> ir.Expr:
    """Return the sum of numbers."""
    if not parts:
        return lit(0)
    made = parts[0]
    for part in parts[1:]:
        made = ir.Apply("+", (made, part), number(made.type.lo + part.type.lo, made.type.hi + part.type.hi))
    return made


def _minus(value: ir.Expr) -> ir.Expr:
    return (
        lit(-value.value)
        if isinstance(value, ir.Lit)
        else ir.Apply("-", (lit(0), value), number(-value.type.hi, -value.type.lo))
    )
