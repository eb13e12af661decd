"""Payments: what costs and payments stand for.

Reads:  costs, payments and purses.   Writes: requirements, and statements that move what is paid.
After:  all costs of an action are computed in the state before it and added up for each purse, and every purse covers its
        sum; the places of a purse are emptied from left to right; what is paid arrives with the player named, else in the
        supply, if there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pilgrim_rules.core.forms import expand_form, negative
from pilgrim_rules.core.ir import (
    BOOL,
    Apply,
    Assign,
    Bound,
    Branch,
    Cond,
    Cost,
    Define,
    Expr,
    Given,
    GuardLine,
    Lit,
    Payment,
    Purse,
    Read,
    Require,
    Stmt,
    Transfer,
)
from pilgrim_rules.core.smart_constructors import arithmetic, conjunction, equals, lit, number, total
from pilgrim_rules.core.walk import substitute

Values: TypeAlias = Mapping[str, Expr]  #: what the local names of the text stand for


@dataclass(frozen=True, slots=True)
class Payments:
    """The payments of one rule.

    fresh  gives names that nothing else in it has.
    put    puts values for the names of an expression.
    """

    purses: Mapping[str, Purse]
    fresh: Callable[[str], str]
    put: Callable[[Expr, Values], Expr]

    def costs(self, action: str, costs: Sequence[Cost]) -> tuple[list[GuardLine], list[Stmt]]:
        """Return what the costs of an action require, and their payments."""
        guard: list[GuardLine] = []
        payments: list[Stmt] = []
        sums: dict[str, list[tuple[Expr, tuple[str, ...]]]] = {}
        for cost in costs:
            guard += _chosen(action, cost)
            for at, payment in enumerate(cost.options):
                when = cost.when
                if cost.choice is not None:  # where nothing is due, none is chosen
                    when = equals(cost.choice, Lit(at, cost.choice.type))
                amount = payment.amount
                if when is not None:
                    amount = Cond(when, amount, lit(0), number(min(0, amount.type.lo), max(0, amount.type.hi)))
                if not isinstance(amount, Lit):
                    guard.append(Given(self.fresh("cost"), amount))
                    amount = Bound(guard[-1].name, amount.type)  # type: ignore[union-attr]  # made here
                for purse, test in self._purses(payment, {}):
                    part: Expr = amount
                    if test is not None:
                        both = test if when is None else conjunction(when, test)
                        part = Cond(both, amount, lit(0), number(min(0, amount.type.lo), amount.type.hi))
                    sums.setdefault(purse.name, []).append((part, cost.clauses))
                steps = self._pay(payment, amount, {})
                payments += steps if when is None else [Branch(when, tuple(steps), ())]
        for name, parts in sums.items():
            test = Apply("<=", (total([part for part, _ in parts]), self._amount_held(name, costs[0])), BOOL)
            cited = tuple(dict.fromkeys(clause for _, clauses in parts for clause in clauses))
            says = f"not enough {name.replace('_', ' ')}"
            guard.append(Require(test, f"{action}.cost.{name}", says, cited, span=costs[0].span))
        return guard, payments

    def _purses(self, payment: Payment, values: Values) -> list[tuple[Purse, Expr | None]]:
        """Return the purses a payment may concern, each with the test that it does (None: always)."""
        if payment.which is None:
            return [(self.purses[payment.purse], None)]
        which = self.put(payment.which, values)
        labels = which.type.labels
        named = [purse for purse in self.purses.values() if purse.name in labels]
        return [(purse, equals(which, Lit(labels.index(purse.name), which.type))) for purse in named]

    def _amount_held(self, name: str, cost: Cost) -> Expr:
        """Return how much the player who pays has in a purse."""
        purse = self.purses[name]
        return total([_of(purse, place.cell, cost.options[0].payer) for place in purse.places])

    def pay(self, payment: Payment, values: Values) -> list[Stmt]:
        """Return the statements of one payment."""
        return self._pay(payment, self.put(payment.amount, values), values)

    def _pay(self, payment: Payment, amount: Expr, values: Values) -> list[Stmt]:
        payer = self.put(payment.payer, values)
        to = None if payment.to is None else self.put(payment.to, values)
        made: list[Stmt] = []
        for purse, test in self._purses(payment, values):
            steps = self._pay_from(purse, amount, payer, to, payment)
            made += steps if test is None else [Branch(test, tuple(steps), ())]
        return made

    def _pay_from(self, purse: Purse, amount: Expr, payer: Expr, to: Expr | None, payment: Payment) -> list[Stmt]:
        made: list[Stmt] = []
        rest = amount
        last = len(purse.places)
        for at, place in enumerate(purse.places, start=1):
            cell = _of(purse, place.cell, payer)
            part = rest
            if at < last:
                paid = arithmetic("min", rest, cell)
                part = Bound(self.fresh("paid"), paid.type)
                gap = arithmetic("max", arithmetic("-", rest, part), lit(0))
                rest = Bound(self.fresh("rest"), gap.type)
                made += [Define(part.name, paid), Define(rest.name, gap)]
            made.append(add_to(cell, negative(part), f"{payment.key}.from.{at}", payment))
            arrives = self.purses[place.arrives]
            goal = _supply(arrives, payer) if to is None else _of(arrives, arrives.places[-1].cell, to)
            if goal is not None:
                made.append(add_to(goal, part, f"{payment.key}.to.{at}", payment))
            if place.once and at < last:
                back = _of(arrives, arrives.places[-1].cell, payer)
                made.append(self._give_back(cell, part, back, f"{payment.key}.back.{at}", payment))
        return made

    def _give_back(self, cell: Expr, part: Expr, goal: Expr, key: str, payment: Payment) -> Stmt:
        """Return the rest of a place that is used `once` to its owner, as what it is."""
        unused = Bound(self.fresh("unused"), cell.type)
        empty = add_to(cell, negative(unused), f"{key}.from", payment)
        back = add_to(goal, unused, f"{key}.to", payment)
        return Branch(Apply(">", (part, lit(0)), BOOL), (Define(unused.name, cell), empty, back), ())


def _chosen(action: str, cost: Cost) -> list[GuardLine]:
    """Return that an alternative is chosen exactly if something is due."""
    if cost.choice is None or cost.when is None:
        return []
    says = f"say how to pay exactly if something is due (`{cost.choice.name}`)"
    said = expand_form("is_some", (cost.choice,), cost.choice.type, BOOL)
    key = f"{action}.cost.{cost.choice.name}"
    return [Require(equals(said, cost.when), key, says, cost.clauses, span=cost.span)]


def _of(purse: Purse, cell: Read, owner: Expr) -> Expr:
    return substitute(cell, {purse.player: owner})


def _supply(purse: Purse, owner: Expr) -> Expr | None:
    return None if purse.supply is None else _of(purse, purse.supply, owner)


def add_to(cell: Expr, value: Expr, key: str, line: Transfer | Payment) -> Assign:
    """Return the assignment that adds a number to a cell."""
    assert isinstance(cell, Read), "only cells are written"
    return Assign(cell.variable, cell.index, "add", value, key, line.clauses, span=line.span)
