"""Plan: in which order an action's parameters are tried, and where each line of its guard is asked.

Reads:  an action (its guard simplified).   Writes: a list of plan steps, outermost first.
After:  every parameter is bound by one step, every line of the guard stands after the names it uses, as far out as it
        can, and the tuples that pass all steps are exactly the legal ones.

A requirement of the form `parameter == expression` binds the parameter. A requirement that tells, before play, which
values of a parameter go with which values of what is bound already (a relation such as `leads(Rondel, last, to)`)
becomes a table of lists: nothing else is tried.

NOTE(definedness): a line may be asked earlier than the text has it, where an optional is not yet known to be there. Then
it has a wrong value, or none and an IndexError. A wrong value does no harm: some requirement that stands before it in the
text fails for all arguments that could follow, and is asked as well. Whoever runs the plan answers an IndexError by asking
in the order of the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, permutations
from typing import TypeAlias, assert_never

from pilgrim_rules.core.ir import Action, Apply, Bound, Expr, Given, Lit, Parameter, Require
from pilgrim_rules.core.walk import free_names
from pilgrim_rules.engine.codegen.ranges import Range, bounds, inside, range_of, total
from pilgrim_rules.engine.codegen.relations import Ask, Members, Relations
from pilgrim_rules.engine.codegen.simplify import Simplifier
from pilgrim_rules.engine.scene import World

_MOST_PERMUTED = 4  #: parameters whose orders are all tried
_FEW_PASS, _MOST_PASSES = 0.4, 0.8  #: how much a requirement commonly lets pass; those with `or` and `!=` more
_CHEAP = 8  #: nodes of a test that is asked before others
_WORTH_WHILE = 0.7  #: a relation that leaves more than this share of the values is asked like any other line


@dataclass(frozen=True, slots=True)
class Name:
    """Give a value a name."""

    name: str
    value: Expr
    range: Range


@dataclass(frozen=True, slots=True)
class Equal:
    """Bind a parameter to the one value it can have; `sure` if that is always a value of the parameter's type."""

    param: Parameter
    value: Expr
    sure: bool
    by: tuple[Ask, ...]


PlanStep: TypeAlias = Ask | Name | Equal | Members


def plan(action: Action, world: World, simplify: Simplifier) -> list[PlanStep]:
    """Return the plan of an action's search: the one that seems to ask least."""
    relations = Relations(world)
    lines = list(_lines(action, simplify))
    orders = list(permutations(action.params)) if len(action.params) <= _MOST_PERMUTED else [None]
    plans = [_Planner(world, relations, simplify, lines, list(order or action.params)).run(order) for order in orders]
    return min(plans, key=lambda found: _cost(found, simplify))


def _lines(action: Action, simplify: Simplifier) -> Iterator[Ask | Given]:
    """Yield the guard line by line, conjunctions taken apart."""
    numbers = count()
    for line in action.guard:
        match line:
            case Given(name=name, value=value):
                yield Given(name, simplify(value))
            case Require(test=test, key=key):
                simple = simplify(test)
                parts = simple.args if isinstance(simple, Apply) and simple.op == "and" else (simple,)
                yield from (Ask(next(numbers), key, part) for part in parts)


def _cost(steps: list[PlanStep], simplify: Simplifier) -> float:
    """Return about how much a search does, if each line lets pass what lines commonly let pass."""
    cost, times = 0.0, 1.0
    for step in steps:
        match step:
            case Ask(test=test):
                cost += times * simplify.effort.work(test)
                times *= _MOST_PASSES if isinstance(test, Apply) and test.op in ("or", "!=") else _FEW_PASS
            case Name(value=value):
                cost += times * simplify.effort.work(value)
            case Equal(value=value):
                cost += times * simplify.effort.work(value)
            case Members():
                times *= step.average
                cost += times
            case _:
                assert_never(step)
    return cost


@dataclass
class _Planner:
    """What is still to be bound and asked, and the steps so far."""

    world: World
    relations: Relations
    simplify: Simplifier
    lines: list[Ask | Given]
    params: list[Parameter]
    steps: list[PlanStep] = field(default_factory=list)
    ranges: dict[str, Range] = field(default_factory=dict)

    def run(self, order: tuple[Parameter, ...] | None) -> list[PlanStep]:
        """Bind the parameters in this order; without one, always the parameter with the fewest values to try next."""
        self._emit_ready()
        for at in range(len(self.params)):
            bindings = map(self._binding, self.params if order is None else (order[at],))
            binding = min(bindings, key=lambda each: 0 if isinstance(each, Equal) else each.average)
            self.steps.append(binding)
            self.params.remove(binding.param)
            self.ranges[binding.param.name] = range_of(binding.param.type)
            self.lines = [line for line in self.lines if line not in binding.by]
            self._emit_ready()
        assert not self.lines, "a guard uses a name that is bound nowhere"
        return self.steps

    def _emit_ready(self) -> None:
        """Ask what can be asked: first what is cheap and always has a value, then in the order of the text."""
        cheap = [line for line in self.lines if isinstance(line, Ask) and self._is_cheap(line.test)]
        self.steps += cheap
        waiting: list[Ask | Given] = []
        for line in self.lines:
            expr = line.value if isinstance(line, Given) else line.test
            if not free_names(expr) <= self.ranges.keys():
                waiting.append(line)
            elif isinstance(line, Given):
                self.ranges[line.name] = bounds(expr, self.ranges, self.world)
                self.steps.append(Name(line.name, expr, self.ranges[line.name]))
            elif line not in cheap:
                self.steps.append(line)
        self.lines = waiting

    def _is_cheap(self, test: Expr) -> bool:
        ready = free_names(test) <= self.ranges.keys()
        return ready and self.simplify.effort.work(test) <= _CHEAP and total(test, self.ranges, self.world)

    def _binding(self, param: Parameter) -> Equal | Members:
        """Return the cheapest way to bind a parameter now."""
        bound = self.ranges.keys()
        asked = [line for line in self.lines if isinstance(line, Ask) and free_names(line.test) - bound == {param.name}]
        for line in asked:
            value = _equated(line.test, param)
            if value is not None and not isinstance(value, Lit):  # a constant is a relation with one member
                sure = inside(bounds(value, self.ranges, self.world), range_of(param.type))
                return Equal(param, value, sure, (line,))
        alone = ((line, self.relations.find(param, (line,), self.ranges)) for line in asked)
        own = tuple(line for line, found in alone if found and not found.keys)
        best = base = self.relations.find(param, own, self.ranges) or Members(param, (), (), ())
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
        case _:
            return None
