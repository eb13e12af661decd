"""Facts: what the tests around a place say about the values of expressions there.

Reads:  core tests, and whether they held.   Writes: `Known`, the intervals of names and of whole expressions.
After:  wherever the tests held, each expression lies in its interval. Types that the checker narrowed are not looked at,
        so that this account is independent of the checker's own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import field

from pilgrim_rules.core.bounds import bounds, fact_key, range_of
from pilgrim_rules.core.declarations import Declarations
from pilgrim_rules.core.footprint import reads
from pilgrim_rules.core.intervals import Interval, meet
from pilgrim_rules.core.ir import Apply, Binder, Bound, Expr, Lit, Operator, Parameter
from pilgrim_rules.core.operators import OPERATIONS
from pilgrim_rules.core.walk import free_names
from pilgrim_rules.util.fast_dataclass import dataclass, replace


@dataclass(frozen=True, slots=True)
class _Source:
    """The expression that a fact is about, and what it depends on."""

    expr: Expr
    names: frozenset[str]
    variables: frozenset[str]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known at a place: where the names bound around it lie, and what tests have said.

    sources  what each fact is about.
    values   what a name stands for, as long as nothing that it depends on is written: a fact about one is one about the
             other.
    """

    declared: Declarations
    names: Mapping[str, Interval] = field(default_factory=dict)
    facts: Mapping[Hashable, Interval] = field(default_factory=dict)
    sources: Mapping[Hashable, _Source] = field(default_factory=dict)
    values: Mapping[str, _Source] = field(default_factory=dict)

    def bounds(self, expr: Expr) -> Interval:
        """Return where the value of the expression lies."""
        return bounds(expr, self.names, self.declared, self.facts)

    def bind(self, name: str, interval: Interval) -> Facts:
        """Return what is known inside a binder of the name; facts about an outer one of that name end."""
        known = self
        if name in self.names:
            known = self._keep(lambda source: name not in source.names, hidden=name)
        return Facts(known.declared, {**self.names, name: interval}, known.facts, known.sources, known.values)

    def define(self, name: str, value: Expr) -> Facts:
        """Return what is known where the name stands for the value of the expression."""
        bound = self.bind(name, self.bounds(value))
        source = self._source(value)
        return bound if name in source.names else replace(bound, values={**bound.values, name: source})

    def bind_all(self, bound: Iterable[Binder | Parameter]) -> Facts:
        """Return what is known inside binders or parameters."""
        known = self
        for each in bound:
            known = known.bind(each.name, range_of(each.type))
        return known

    def forget(self, written: frozenset[str]) -> Facts:
        """Return what is still known after cells of these variables were written."""
        return self._keep(lambda source: written.isdisjoint(source.variables)) if written else self

    def learn(self, test: Expr, *, held: bool) -> Facts:
        """Return what is known after the test."""
        match test:
            case Apply(op="not", args=(inner,)):
                return self.learn(inner, held=not held)
            case Apply(op="and" | "or" as op, args=args) if held == (op == "and"):
                known = self
                for arg in args:
                    known = known.learn(arg, held=held)
                return known
            case Apply(op="implies", args=(given, then)) if not held:
                return self.learn(given, held=True).learn(then, held=False)
            case Apply(op=op, args=(left, right)) if (opposite := OPERATIONS[op].opposite) is not None:
                return self._compare(left, op if held else opposite, right)
            case _:  # a truth as such, or one of several: nothing is certain of any part
                return self

    def _compare(self, left: Expr, op: Operator, right: Expr) -> Facts:
        mirror = OPERATIONS[op].mirror
        assert mirror is not None, "a comparison can be read from both sides"
        at_left, at_right = self.bounds(left), self.bounds(right)
        known = self._note(left, _restricted(op, at_left, at_right))
        return known._note(right, _restricted(mirror, at_right, at_left))  # noqa: SLF001  (the same class)

    def _note(self, expr: Expr, interval: Interval) -> Facts:
        """Return what is known if the expression lies in the interval too."""
        if isinstance(expr, Lit) or (key := fact_key(expr)) is None or interval[0] > interval[1]:
            return self  # an empty interval: nobody ever gets here
        facts = {**self.facts, key: meet(interval, self.facts.get(key, interval))}
        sources = self.sources if key in self.sources else {**self.sources, key: self._source(expr)}
        known = Facts(self.declared, self.names, facts, sources, self.values)
        stands_for = self.values.get(expr.name) if isinstance(expr, Bound) else None
        return known if stands_for is None else known._note(stands_for.expr, interval)

    def _source(self, expr: Expr) -> _Source:
        return _Source(expr, free_names(expr), reads((expr,), self.declared.defs, known=self.declared.definition_reads))

    def _keep(self, wanted: Callable[[_Source], bool], hidden: str = "") -> Facts:
        sources = {key: source for key, source in self.sources.items() if wanted(source)}
        values = {name: source for name, source in self.values.items() if wanted(source) and name != hidden}
        facts = {key: self.facts[key] for key in sources}
        return Facts(self.declared, self.names, facts, sources, values)


def _restricted(op: Operator, here: Interval, other: Interval) -> Interval:
    restrict = OPERATIONS[op].restrict
    assert restrict is not None, "a comparison tells where its sides lie"
    return restrict(here, other)
