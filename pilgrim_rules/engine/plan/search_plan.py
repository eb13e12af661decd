"""Plan: in which order an action's parameters are tried, and where each line of its guard is asked.

Reads:  the lines of a guard, simplified, conjunctions taken apart.   Writes: a list of plan steps, outermost first.
After:  every parameter is bound by one step; every line is asked once, after the names it uses and the lines without which
        it may have no value, as far out as it can be; the tuples that pass all steps are exactly the legal ones.

A requirement of the form `parameter == expression` binds the parameter. A requirement that tells, before play, which
values of a parameter go with which values of what is bound already (a relation such as `leads(Rondel, last, to)`)
becomes a table of lists: nothing else is tried.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import permutations
from typing import TypeAlias, assert_never

from pilgrim_rules.core.bounds import bounds, range_of
from pilgrim_rules.core.cost import CostModel
from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.intervals import Interval
from pilgrim_rules.core.ir import Apply, Bound, Expr, Lit, Parameter
from pilgrim_rules.core.walk import free_names
from pilgrim_rules.engine.plan.relations import Members, Relations, RequireTest

_MOST_PERMUTED = 4  #: parameters whose orders are all tried
_FEW_PASS, _MOST_PASSES = 0.4, 0.8  #: how much a requirement commonly lets pass; those with `or` and `!=` more
_WORTH_WHILE = 0.7  #: a relation that leaves more than this share of the values is asked like any other line


@dataclass(frozen=True, slots=True)
class BindName:
    """Give a value a name. `needs`: the lines that must hold for it to exist."""

    line: int
    name: str
    value: Expr
    needs: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class BindEqual:
    """Bind a parameter to the one value it can have, if that is a value of its type."""

    param: Parameter
    value: Expr
    by: tuple[RequireTest, ...]


Line: TypeAlias = RequireTest | BindName
PlanStep: TypeAlias = RequireTest | BindName | BindEqual | Members


def plan(params: tuple[Parameter, ...], lines: list[Line], declared: Declarations, costs: CostModel) -> list[PlanStep]:
    """Return the plan of a search: the one that seems to ask least."""
    relations = Relations(declared)
    free = {line.line: free_names(_expr(line)) for line in lines}
    work = _Work(costs)
    orders = list(permutations(params)) if len(params) <= _MOST_PERMUTED else [None]
    plans = (_Planner(declared, relations, work, lines, free, list(params)).run(order) for order in orders)
    return min((found for found in plans if found is not None), key=lambda found: _cost(found, work))


class _Work:
    """The work of each expression of a search, which is asked for in every order of the parameters, and estimated once."""

    def __init__(self, costs: CostModel) -> None:
        self._costs = costs
        self._known: dict[int, tuple[Expr, int]] = {}  #: by identity; the expression is kept so that it stays its own

    def __call__(self, expr: Expr) -> int:
        found = self._known.get(id(expr))
        if found is None:
            found = self._known[id(expr)] = (expr, self._costs.work(expr))
        return found[1]


def _expr(line: Line) -> Expr:
    return line.value if isinstance(line, BindName) else line.test


def _passes(test: Expr) -> float:
    """Return which share of the values a test lets pass, as tests commonly do."""
    return _MOST_PASSES if isinstance(test, Apply) and test.op in ("or", "!=") else _FEW_PASS


def _cost(steps: list[PlanStep], work: _Work) -> float:
    """Return about how much a search does."""
    cost, times = 0.0, 1.0
    for step in steps:
        match step:
            case RequireTest(test=test):
                cost += times * work(test)
                times *= _passes(test)
            case BindName(value=value) | BindEqual(value=value):
                cost += times * work(value)
            case Members():
                times *= step.average
                cost += times
            case _:
                assert_never(step)
    return cost


@dataclass
class _Planner:
    """What is still to be bound and asked, and the steps so far."""

    declared: Declarations
    relations: Relations
    work: _Work
    lines: list[Line]
    free: dict[int, frozenset[str]]  #: the names that each line uses
    params: list[Parameter]
    steps: list[PlanStep] = field(default_factory=list)
    ranges: dict[str, Interval] = field(
        default_factory=dict
    )  #: of the parameters bound and the names that have a value
    hold: set[int] = field(default_factory=set)  #: the lines that are known to hold
    waiting: dict[str, BindName] = field(default_factory=dict)  #: names that have a value, but are not given yet

    def run(self, order: tuple[Parameter, ...] | None) -> list[PlanStep] | None:
        """Bind the parameters in this order; without one, always the parameter with the fewest values to try next.

        None if some parameter would have no end of values to try.
        """
        self.lines = list(self.lines)
        self._ask_what_is_ready()
        for at in range(len(self.params)):
            asked = self.params if order is None else (order[at],)
            bindings = [found for param in asked if (found := self._binding(param)) is not None]
            if not bindings:
                return None
            binding = min(bindings, key=lambda each: 0 if isinstance(each, BindEqual) else each.average)
            keys = (binding.value,) if isinstance(binding, BindEqual) else (key for key, _ in binding.keys)
            self._give_names(free_names(each) for each in keys)
            self.steps.append(binding)
            self.params.remove(binding.param)
            self.ranges[binding.param.name] = range_of(binding.param.type)
            self.hold.update(line.line for line in binding.by)
            self.lines = [line for line in self.lines if line not in binding.by]
            self._ask_what_is_ready()
        assert not any(isinstance(line, RequireTest) for line in self.lines), (
            "a guard uses a name that is bound nowhere"
        )
        return self.steps

    def _ask_what_is_ready(self) -> None:
        """Ask what can be asked, first what tells most for what it costs."""
        while True:
            self._find_names()
            ready = [line for line in self.lines if isinstance(line, RequireTest) and self._is_ready(line)]
            if not ready:
                return
            best = min(ready, key=self._price)
            self._give_names([self.free[best.line]])
            self.steps.append(best)
            self.hold.add(best.line)
            self.lines.remove(best)

    def _find_names(self) -> None:
        """Note the names that have a value by now; they are given when a line needs them."""
        for line in list(self.lines):
            if isinstance(line, BindName) and self._is_ready(line):
                self.ranges[line.name] = bounds(line.value, self.ranges, self.declared)
                self.waiting[line.name] = line
                self.lines.remove(line)

    def _is_ready(self, line: Line) -> bool:
        return self.free[line.line] <= self.ranges.keys() and line.needs <= self.hold

    def _price(self, line: RequireTest) -> float:
        """Return the work of a line, names included, for each value that it turns away."""
        names = self._to_be_given(self.free[line.line])
        work = self.work(line.test) + sum(self.work(self.waiting[name].value) for name in names)
        return work / (1 - _passes(line.test))

    def _to_be_given(self, names: Iterable[str]) -> list[str]:
        """Return the names that must be given before these can be used, and these, each after those it uses."""
        found: dict[str, None] = {}
        for name in sorted(names):
            if name in self.waiting:
                found |= dict.fromkeys(self._to_be_given(self.free[self.waiting[name].line]))
                found[name] = None
        return list(found)

    def _give_names(self, groups: Iterable[frozenset[str]]) -> None:
        for group in groups:
            for name in self._to_be_given(group):
                self.steps.append(self.waiting.pop(name))

    def _binding(self, param: Parameter) -> BindEqual | Members | None:
        """Return the cheapest way to bind a parameter now; None if that would be to try numbers without end."""
        bound = self.ranges.keys()
        asked = [
            line
            for line in self.lines
            if isinstance(line, RequireTest) and self.free[line.line] - bound == {param.name}
        ]
        for line in asked:
            value = _equated(line.test, param) if line.needs <= self.hold else None
            if value is not None and not isinstance(value, Lit):  # a constant is a relation with one member
                return BindEqual(param, value, (line,))
        if param.type.is_open:
            return None
        alone = ((line, self.relations.find(param, (line,), self.ranges)) for line in asked)
        own = tuple(line for line, found in alone if found and not found.keys)
        every = tuple(range(param.type.lo, param.type.hi + 1))
        best = base = self.relations.find(param, own, self.ranges) or Members(param, (), (every,), ())
        for line in asked:
            found = self.relations.find(param, (*own, line), self.ranges) if line not in own else None
            if found and found.average < min(best.average, base.average * _WORTH_WHILE):
                best = found
        return best


def _equated(test: Expr, param: Parameter) -> Expr | None:
    """Return what the test says the parameter is equal to."""
    match test:
        case Apply(op="==", args=(Bound(name=name), value)) if name == param.name and name not in free_names(value):
            return value
        case Apply(op="==", args=(value, Bound(name=name))) if name == param.name and name not in free_names(value):
            return value
        case _:  # it leaves the parameter more than one value
            return None
