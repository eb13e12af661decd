"""Purses: what costs are paid from, and where what is paid arrives.

Reads:  `purse` declarations, `cost` lines and `pay` statements.   Writes: purses and payments of the core.
After:  every place of a purse is a cell of numbers, and a payment names purses that exist.
"""

from __future__ import annotations

from dataclasses import dataclass

from pilgrim_rules.core import ir
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.program_info import POISON, ProgramInfo
from pilgrim_rules.language.check.scope import PLAY, Scope
from pilgrim_rules.language.syntax import ast


@dataclass(slots=True)
class Purses:
    """The purses of a game."""

    tables: DataAndState

    @property
    def _program(self) -> ProgramInfo:
        return self.tables.program

    def declare_all(self) -> None:
        """Enter the purses; report what is wrong with them, even if nothing ever uses them."""
        for name, purse in self._program.symbols.purses.items():
            self.tables.check.shadowing(purse.player, Scope(PLAY))
            owner = ir.Bound(purse.player.text, self._program.player)
            places = [self._place(name, purse, place, owner) for place in purse.places]
            supply = None if purse.supply is None else self._cell(purse, purse.supply, owner)
            known = tuple(place for place in places if place is not None)
            if len(known) == len(places) and (purse.supply is None) == (supply is None):
                note = self._program.note(purse)
                self._program.purses[name] = ir.Purse(name, purse.player.text, known, supply, note)

    def _place(self, name: str, purse: ast.Purse, node: ast.PursePlace, owner: ir.Expr) -> ir.PursePlace | None:
        cell = self._cell(purse, node.place, owner)
        arrives = name if node.as_ is None else node.as_.text
        if node.as_ is not None and arrives not in self._program.symbols.purses:
            self._program.unknown(node.as_, self._program.symbols.purses, "purse", codes.PR410)
            return None
        return None if cell is None else ir.PursePlace(cell, arrives, node.once)

    def _cell(self, purse: ast.Purse, node: ast.AssignTarget, owner: ir.Expr) -> ir.Read | None:
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
        return None if index is None else ir.Read(variable.name, index, variable.type)

    def payment(
        self, node: ast.Payment, payer: ir.Expr, scope: Scope, key: str, clauses: tuple[str, ...]
    ) -> ir.Payment | None:
        """Return a payment; None after an error."""
        check, program = self.tables.check, self._program
        amount = check.integer(node.amount, scope)
        if amount.type == POISON:
            return None
        if amount.type.lo < 0:
            what = f"this can be {amount.type.lo}, but nobody pays less than nothing"
            program.bag.add(codes.PR301, what, node.amount.span, help="write `max(0, …)`, or test it first")
            return None
        to = None if node.to is None else check.fitted(node.to, scope, program.player)
        which: ir.Expr | None = None
        if isinstance(node.purse, ast.Word):
            if node.purse.text not in program.symbols.purses:
                program.unknown(node.purse, program.symbols.purses, "purse", codes.PR410)
                return None
            names = [node.purse.text]
        else:
            which = check.expr(node.purse, scope)
            if which.type == POISON:
                return None
            names = [name for name in program.symbols.purses if name in which.type.labels]
            if which.type.kind != "enum" or len(names) != which.type.size:
                program.bag.add(codes.PR410, f"not every `{which.type.name}` is the name of a purse", node.purse.span)
                return None
        if any(name not in program.purses for name in names):
            return None  # a purse with a mistake, which has been reported
        name = "" if which is not None else names[0]
        return ir.Payment(amount, name, which, to, payer, key, clauses, span=node.span)
