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

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, product
from math import prod
from typing import TypeAlias

from pilgrim_rules.core.ir import Action, Apply, Bound, Expr, Given, Let, Lit, Parameter, Require
from pilgrim_rules.core.walk import binders_of, free_names, reads, rebuild
from pilgrim_rules.engine.codegen.ranges import Range, bounds, inside, range_of, total
from pilgrim_rules.engine.codegen.simplify import Simplifier
from pilgrim_rules.engine.evaluate import evaluate
from pilgrim_rules.engine.scene import NotPositive, OutsideTable, Scene, World

_MOST_TRIALS = 4096  #: evaluations spent on one relation
_WORTH_WHILE = 0.7  #: a relation that leaves more than this share of the values is asked like any other line


@dataclass(frozen=True, slots=True)
class Ask:
    """Go on only if the test holds. `line` numbers the conjunct in the guard, `key` is the requirement's identity."""

    line: int
    key: str
    test: Expr


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


@dataclass(frozen=True, slots=True)
class Members:
    """Bind a parameter to each value of a list: row number `keys` (row-major in their ranges) of `rows`."""

    param: Parameter
    keys: tuple[tuple[Expr, Range], ...]
    rows: tuple[tuple[int, ...], ...]
    by: tuple[Ask, ...]

    @property
    def average(self) -> float:
        """How many values a list has."""
        return sum(map(len, self.rows)) / max(len(self.rows), 1)


PlanStep: TypeAlias = Ask | Name | Equal | Members


def plan(action: Action, world: World, simplify: Simplifier) -> list[PlanStep]:
    """Return the plan of an action's search."""
    return _Planner(world, list(_lines(action, simplify)), list(action.params)).run()


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


@dataclass
class _Planner:
    """What is still to be bound and asked, and the steps so far."""

    world: World
    lines: list[Ask | Given]
    params: list[Parameter]
    steps: list[PlanStep] = field(default_factory=list)
    ranges: dict[str, Range] = field(default_factory=dict)

    def run(self) -> list[PlanStep]:
        self._emit_ready()
        while self.params:
            binding = min(map(self._binding, self.params), key=_cost)
            self.steps.append(binding)
            self.params.remove(binding.param)
            self.ranges[binding.param.name] = range_of(binding.param.type)
            self.lines = [line for line in self.lines if line not in binding.by]
            self._emit_ready()
        assert not self.lines, "a guard uses a name that is bound nowhere"
        return self.steps

    def _emit_ready(self) -> None:
        waiting: list[Ask | Given] = []
        for line in self.lines:
            expr = line.value if isinstance(line, Given) else line.test
            if not free_names(expr) <= self.ranges.keys():
                waiting.append(line)
            elif isinstance(line, Given):
                self.ranges[line.name] = bounds(expr, self.ranges, self.world)
                self.steps.append(Name(line.name, expr, self.ranges[line.name]))
            else:
                self.steps.append(line)
        self.lines = waiting

    def _binding(self, param: Parameter) -> Equal | Members:
        """Return the cheapest way to bind a parameter now."""
        bound = self.ranges.keys()
        asked = [line for line in self.lines if isinstance(line, Ask) and free_names(line.test) - bound == {param.name}]
        for line in asked:
            value = _equated(line.test, param)
            if value is not None and not isinstance(value, Lit):  # a constant is a relation with one member
                sure = inside(bounds(value, self.ranges, self.world), range_of(param.type))
                return Equal(param, value, sure, (line,))
        alone = ((line, self._relation(param, (line,))) for line in asked)
        own = tuple(line for line, found in alone if found and not found.keys)
        best = base = self._relation(param, own) or Members(param, (), (), ())
        for line in asked:
            found = self._relation(param, (*own, line)) if line not in own else None
            if found and found.average < min(best.average, base.average * _WORTH_WHILE):
                best = found
        return best

    def _relation(self, param: Parameter, lines: tuple[Ask, ...]) -> Members | None:
        """Return which values of the parameter pass the lines, if play decides nothing but the keys."""
        keys: dict[Expr, str] = {}
        tests = [_abstract(line.test, param.name, keys, frozenset()) for line in lines]
        spans = [bounds(key, self.ranges, self.world) for key in keys]
        if (
            any(reads((test,), self.world.defs) for test in tests)
            or param.type.size * prod(hi - lo + 1 for lo, hi in spans) > _MOST_TRIALS
            or not all(total(key, self.ranges, self.world) for key in keys)  # it may stand behind a test that fails
        ):
            return None
        domain = range(param.type.lo, param.type.hi + 1)
        rows = []
        for codes in product(*(range(lo, hi + 1) for lo, hi in spans)):
            names = dict(zip(keys.values(), codes, strict=True))
            rows.append(tuple(v for v in domain if all(self._holds(t, {**names, param.name: v}) for t in tests)))
        return Members(param, tuple(zip(keys, spans, strict=True)), tuple(rows), lines)

    def _holds(self, test: Expr, names: Mapping[str, int]) -> bool:
        try:
            return bool(evaluate(test, Scene(self.world, {}, names)))
        except (OutsideTable, NotPositive):
            return False  # NOTE(definedness)


def _cost(binding: Equal | Members) -> float:
    return 0 if isinstance(binding, Equal) else binding.average


def _equated(test: Expr, param: Parameter) -> Expr | None:
    """Return what the test says the parameter is equal to."""
    match test:
        case Apply(op="==", args=(Bound(name=name), value)) if name == param.name and name not in free_names(value):
            return value
        case Apply(op="==", args=(value, Bound(name=name))) if name == param.name and name not in free_names(value):
            return value
        case _:
            return None


def _abstract(expr: Expr, param: str, keys: dict[Expr, str], local: frozenset[str]) -> Expr:
    """Replace the largest parts that depend neither on the parameter nor on inner names by names, kept in `keys`."""
    if isinstance(expr, Lit):
        return expr
    free = free_names(expr)
    if param not in free and free.isdisjoint(local):
        return Bound(keys.setdefault(expr, f"key#{len(keys)}"), expr.type)
    inner = local | {binder.name for binder in binders_of(expr)}
    if isinstance(expr, Let):
        inner |= {expr.name}
    return rebuild(expr, lambda part: _abstract(part, param, keys, inner))
