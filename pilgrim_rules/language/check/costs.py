"""Costs: the cost lines of one action -> costs of the core.

Reads:  cost lines, through the checker and the purses.   Writes: `ir.Cost`s, and arguments for choices.
After:  a line with alternatives has an argument of its own that says which of them is paid, `none` where nothing is due.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pilgrim_rules.core import ir
from pilgrim_rules.core.smart_constructors import optional
from pilgrim_rules.diagnostics import codes
from pilgrim_rules.language.check.data_and_state import DataAndState
from pilgrim_rules.language.check.payments import Purses
from pilgrim_rules.language.check.program_info import ProgramInfo
from pilgrim_rules.language.check.scope import Scope
from pilgrim_rules.language.check.statements import LineKeys
from pilgrim_rules.language.syntax import ast

PAID = "paid"  #: the name of the argument that chooses among alternatives


@dataclass(slots=True)
class Costs:
    """The costs of one action."""

    tables: DataAndState
    purses: Purses
    node: ast.Action
    keys: LineKeys
    chosen: dict[int, ir.Bound] = field(default_factory=dict)  #: the argument of each line with alternatives

    @property
    def _program(self) -> ProgramInfo:
        return self.tables.program

    # alternatives --------------------------------------------------------------------------------------------------

    def choices(self, params: tuple[ir.Parameter, ...], scope: Scope) -> tuple[tuple[ir.Parameter, ...], Scope]:
        """Return the arguments of the action with those that choose among alternatives, and the scope that has them."""
        for at, line in enumerate(self.node.costs):
            if len(line.options) == 1:
                continue
            labels = tuple(option.purse.text for option in line.options if isinstance(option.purse, ast.Word))
            if len(set(labels)) < len(line.options):
                help_ = "each alternative names another purse: `cost 1 wagon or 2 coin`"
                self._program.bag.add(codes.PR410, "these alternatives cannot be told apart", line.span, help=help_)
                continue
            name = PAID if PAID not in scope.names else f"{PAID}_{at + 1}"
            type_ = ir.Type(f"{self.node.name.text}.{name}", "enum", 0, len(labels) - 1, labels)
            default = None
            if line.when is not None:
                type_ = optional(type_)
                default = type_.hi
            self.chosen[at] = ir.Bound(name, type_)
            params = (*params, ir.Parameter(name, type_, default))
            scope = scope.bind(name, self.chosen[at])
        return params, scope

    # lines ---------------------------------------------------------------------------------------------------------

    def lower(self, scope: Scope, payer: ir.Expr | None) -> tuple[ir.Cost, ...]:
        """Return the costs."""
        if self.node.costs and (payer is None or self.node.kind != "action"):
            help_ = "say whose it is: `move 1 from store[p] to bank`"
            what = "only what a player decides can cost something"
            self._program.bag.add(codes.PR415, what, self.node.costs[0].span, help=help_)
            return ()
        if payer is None:
            return ()
        made = (self._line(at, line, scope, payer) for at, line in enumerate(self.node.costs))
        return tuple(cost for cost in made if cost is not None)

    def _line(self, at: int, line: ast.CostLine, scope: Scope, payer: ir.Expr) -> ir.Cost | None:
        clauses = self._program.clauses(line.cites)
        when = None if line.when is None else self.tables.check.boolean(line.when, scope)
        inner = scope if when is None else self.tables.check.learn(when, scope)
        choice = self.chosen.get(at)
        if len(line.options) > 1 and choice is None:
            return None  # which has been reported
        options = [self.purses.payment(each, payer, inner, self.keys.next("pay"), clauses) for each in line.options]
        known = tuple(option for option in options if option is not None)
        return ir.Cost(known, when, choice, clauses, span=line.span) if len(known) == len(options) else None
